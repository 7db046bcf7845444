// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A file with what a long run did, so that another goes on: a line for each workload with the hashes of the states that
 * were new in it. What was begun and not finished when the run ended is done again. Any thread.
 */
final class ResumeFile {
    private static final String HEAD = "ext4 lab crash --seed ";

    private final BitSet done = new BitSet(); // guarded by this
    private final BufferedWriter writer; // guarded by this
    private final ThreadLocal<List<Long>> pending = ThreadLocal.withInitial(ArrayList::new);

    private ResumeFile(Path path) throws IOException {
        writer = Files.newBufferedWriter(
                path, StandardCharsets.US_ASCII, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** The seed that the run which wrote it had. */
    static long seed(Path path) throws IOException {
        List<String> lines = whole(path);
        try {
            if (lines.getFirst().startsWith(HEAD)) {
                return Long.parseLong(lines.getFirst().substring(HEAD.length()));
            }
        } catch (NoSuchElementException | NumberFormatException e) {
            throw new IOException(path + " is not the file of a run", e);
        }
        throw new IOException(path + " is not the file of a run");
    }

    static ResumeFile open(Settings settings, Seen seen, Tally tally) throws IOException {
        String head = HEAD + settings.seed();
        Path path = settings.resume();
        List<String> lines = Files.exists(path) ? whole(path) : List.of();
        if (!lines.isEmpty() && !lines.getFirst().equals(head)) {
            throw new IOException(path + " is of another run: it begins with '" + lines.getFirst() + "'");
        }
        if (!lines.isEmpty()) {
            Files.write(path, lines, StandardCharsets.US_ASCII); // without the rest of a line that was not finished
        }
        ResumeFile file = new ResumeFile(path);
        if (lines.isEmpty()) {
            file.line(head);
        }
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            file.read(path, line, seen, tally);
        }
        return file;
    }

    private static List<String> whole(Path path) throws IOException {
        String text = Files.readString(path, StandardCharsets.US_ASCII);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private synchronized void read(Path path, String line, Seen seen, Tally tally) throws IOException {
        try {
            String[] words = line.split(" ");
            done.set(Integer.parseInt(words[0]));
            tally.workloads.increment();
            tally.promises.add(Long.parseLong(words[1]));
            for (int i = 2; i < words.length; i++) {
                if (seen.add(HexFormat.fromHexDigitsToLong(words[i]))) {
                    tally.states.increment();
                }
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException(path + ": a line is damaged: " + line, e);
        }
    }

    synchronized boolean done(int workload) {
        return done.get(workload);
    }

    /** A state of the workload that the calling thread explores. */
    void judged(long hash) {
        pending.get().add(hash);
    }

    /** The calling thread is done with it. */
    void explored(int workload, int promises) throws IOException {
        StringBuilder line = new StringBuilder().append(workload).append(' ').append(promises);
        pending.get().forEach(hash -> line.append(' ').append(HexFormat.of().toHexDigits(hash)));
        pending.get().clear();
        line(line.toString());
    }

    private synchronized void line(String line) throws IOException {
        writer.write(line);
        writer.write('\n');
        writer.flush();
    }

    synchronized void close() throws IOException {
        writer.close();
    }
}
