// SPDX-License-Identifier: Apache-2.0
package ext4.control.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Below a directory of the operating system. */
public class FileTree implements Tree {
    private final Path root;

    public FileTree(Path root) {
        this.root = root;
    }

    @Override
    public void makeDirectory(int dir) throws IOException {
        Files.createDirectory(directory(dir));
    }

    @Override
    public void create(int dir, int file) throws IOException {
        Files.createFile(directory(dir).resolve("f" + file));
    }

    @Override
    public int find(int dir) throws IOException {
        int found = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory(dir))) {
            for (Path entry : entries) {
                Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                found++;
            }
        }
        return found;
    }

    @Override
    public void remove(int dir, int file) throws IOException {
        Files.delete(directory(dir).resolve("f" + file));
    }

    @Override
    public void removeDirectory(int dir) throws IOException {
        Files.delete(directory(dir));
    }

    private Path directory(int dir) {
        return root.resolve("d" + dir);
    }
}
