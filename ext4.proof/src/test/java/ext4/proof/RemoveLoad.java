// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The load of the second report: fs_mark makes files in eight directories side by side, then eight {@code rm -rf} remove
 * them side by side. Both are the real programs; a call that fails makes them exit with an error.
 */
final class RemoveLoad {
    private static final int DIRECTORIES = 8;
    private final Path root;
    private final int files;

    /** {@code files} in each of the eight directories of {@code root}. */
    RemoveLoad(Path root, int files) {
        this.root = root;
        this.files = files;
    }

    /** One round; throws with what a program said if one failed. */
    void round() throws IOException, InterruptedException {
        List<String> mark = new ArrayList<>(List.of("fs_mark", "-S", "0", "-s", "0", "-k"));
        mark.addAll(List.of("-n", Integer.toString(files)));
        for (int i = 0; i < DIRECTORIES; i++) {
            mark.add("-d");
            mark.add("./mark" + i); // fs_mark takes short names only
        }
        Path log = Files.createTempFile("fs_mark", "");
        mark.add("-l");
        mark.add(log.toString());
        awaitSuccess(start(mark));
        List<Running> removers = new ArrayList<>();
        for (int i = 0; i < DIRECTORIES; i++) {
            removers.add(start(List.of("rm", "-rf", "mark" + i)));
        }
        for (Running remover : removers) {
            String said = awaitSuccess(remover);
            if (!said.isEmpty()) {
                throw new AssertionError("rm -rf said:\n" + said);
            }
        }
    }

    private record Running(Process process, Path output) {}

    private Running start(List<String> command) throws IOException {
        Path output = Files.createTempFile("load", ".log");
        return new Running(
                new ProcessBuilder(command)
                        .directory(root.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .redirectInput(new File("/dev/null"))
                        .start(),
                output);
    }

    private static String awaitSuccess(Running running) throws IOException, InterruptedException {
        int exit = running.process().waitFor();
        String said = Files.readString(running.output());
        Files.delete(running.output());
        if (exit != 0) {
            throw new AssertionError("the load exited with " + exit + ":\n" + said);
        }
        return said;
    }
}
