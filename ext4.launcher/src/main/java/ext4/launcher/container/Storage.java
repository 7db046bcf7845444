// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.container;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** The framework's own folder, which lives as long as the process. */
final class Storage {
    private Storage() {}

    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path done, IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(done);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
