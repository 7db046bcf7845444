// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** e2fsck on snapshots. Each thread has a file of its own for it. */
final class Fsck implements AutoCloseable {
    private final Path folder;
    private final Path image;

    /** What it said of a snapshot, and what it left. */
    record Result(int exit, String output, Snapshot image) {
        private static final Pattern LONGER = Pattern.compile("Inode (\\d+), i_size is (\\d+), should be (\\d+)\\.");

        /**
         * Files that it made longer, and how long they were. It does not finish what the orphan list says where the
         * superblock tells of an error, and takes blocks that were still to be cut off for part of the file.
         */
        Map<Integer, Long> madeLonger() {
            return LONGER.matcher(output)
                    .results()
                    .filter(found -> Long.parseLong(found.group(2)) < Long.parseLong(found.group(3)))
                    .collect(Collectors.toMap(
                            found -> Integer.parseUnsignedInt(found.group(1)),
                            found -> Long.parseLong(found.group(2)),
                            Math::min));
        }
    }

    Fsck() throws IOException {
        Path memory = Path.of("/dev/shm");
        folder = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "ext4-lab.")
                : Files.createTempDirectory("ext4-lab.");
        image = folder.resolve("fault.img");
    }

    /** Looks only. */
    Result look(Snapshot snapshot) throws IOException {
        snapshot.write(image);
        Tool.Result result = Tool.run("e2fsck", "-fn", image);
        return new Result(result.exit(), result.output(), snapshot);
    }

    /** Recovers the journal and repairs. */
    Result repair(Snapshot snapshot) throws IOException {
        snapshot.write(image);
        Tool.Result result = Tool.run("e2fsck", "-fy", image);
        return new Result(result.exit(), result.output(), Snapshot.read(image));
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(image);
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            System.err.println("lab: " + folder + " is left behind: " + e.getMessage());
        }
    }
}
