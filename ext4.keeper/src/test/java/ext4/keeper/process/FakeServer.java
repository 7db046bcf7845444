// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.process;

import ext4.api.fs.TransportState;
import ext4.api.keep.Keep;
import ext4.api.keep.Kept;
import ext4.api.keep.NodeTable;
import ext4.keeper.ProcessKeeper;
import ext4.sys.MemoryFile;
import ext4.sys.SystemCalls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A server that does what the test tells it over a socket; its first line is its process number. */
public final class FakeServer {
    private static final int INODES = 1000;

    private final Keep keep = new ProcessKeeper().open("/mnt");
    private NodeTable nodes;

    private FakeServer() {}

    public static void main(String[] args) throws IOException {
        SocketChannel test = SocketChannel.open(StandardProtocolFamily.UNIX);
        test.connect(UnixDomainSocketAddress.of(args[0]));
        BufferedReader commands = new BufferedReader(Channels.newReader(test, StandardCharsets.UTF_8));
        PrintWriter answers = new PrintWriter(Channels.newWriter(test, StandardCharsets.UTF_8), true);
        answers.println(ProcessHandle.current().pid());
        FakeServer server = new FakeServer();
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String answer;
            try {
                answer = server.obey(line.split(" ", 2));
            } catch (RuntimeException e) {
                answer = "error " + e.getMessage();
            }
            answers.println(answer);
        }
    }

    private String obey(String[] words) {
        switch (words[0]) {
            case "take" -> {
                Kept kept = keep.take();
                nodes = kept == null ? keep.nodes(INODES) : kept.nodes();
                return kept == null
                        ? "none"
                        : (kept.connection().resend() ? "crashed " : "planned ") + kept.words() + " "
                                + sizes(kept.connection()) + " "
                                + nodes.pinned().size();
            }
            case "put" -> put(words[1]);
            case "raise" -> nodes.raise(Integer.parseInt(words[1]), 1);
            case "serves" -> keep.serves();
            case "refuse" -> keep.refuses(words[1]);
            case "prepare" -> keep.prepare();
            case "hand" -> {
                return "handed over: " + keep.handOver();
            }
            case "drop" -> keep.drop();
            case "exit" -> System.exit(Integer.parseInt(words[1]));
            default -> throw new IllegalArgumentException(words[0]);
        }
        return "done";
    }

    private void put(String word) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            List<Integer> clones = List.of(MemoryFile.create(calls, "a", 11), MemoryFile.create(calls, "b", 22));
            keep.put(new TransportState("fuse", clones, Map.of(), Map.of(), false), Map.of("word", word));
            clones.forEach(calls::close);
        }
    }

    private static List<Long> sizes(TransportState connection) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            return connection.descriptors().stream()
                    .map(fd -> MemoryFile.size(calls, fd))
                    .toList();
        }
    }
}
