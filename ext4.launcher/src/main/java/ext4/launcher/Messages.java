// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.image.ByteNames;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;

/** What java.nio says of a file, as system commands say it. No name in it can forge a terminal's output. */
public final class Messages {
    private Messages() {}

    /** One line: the file and what is wrong with it. */
    public static String of(IOException e) {
        if (!(e instanceof FileSystemException file)) {
            return ByteNames.escapeForMessage(String.valueOf(e.getMessage()));
        }
        String reason = switch (file) {
            case NoSuchFileException _ -> "No such file or directory";
            case AccessDeniedException denied when denied.getReason() == null -> "Permission denied";
            case NotDirectoryException _ -> "Not a directory";
            case FileAlreadyExistsException _ -> "File exists";
            case DirectoryNotEmptyException _ -> "Directory not empty";
            case FileSystemLoopException _ -> "Too many levels of symbolic links";
            case NotLinkException _ -> "Not a symbolic link";
            default -> file.getReason() == null ? "can't be used" : file.getReason();
        };
        return ByteNames.escapeForMessage(file.getFile() + ": " + reason);
    }
}
