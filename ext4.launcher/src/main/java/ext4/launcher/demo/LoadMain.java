// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.demo;

import ext4.control.load.FileTree;
import ext4.control.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The load as a process: {@code LoadMain DIRECTORY DIRS FILES}, the directory is new, lines on standard output. */
public final class LoadMain {
    private LoadMain() {}

    /** Exits with 1 if anything failed. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Files.createDirectory(Path.of(args[0]));
        Load load = new Load(Integer.parseInt(args[1]), Integer.parseInt(args[2]), line -> {
            System.out.println(line);
            System.out.flush();
        });
        System.exit(load.run(new FileTree(Path.of(args[0]))) ? 0 : 1);
    }
}
