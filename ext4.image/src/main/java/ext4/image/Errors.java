// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Makes the exceptions of java.nio.file, here and nowhere else. */
final class Errors {
    private Errors() {}

    /** What {@code trouble} is called for a caller that named {@code path}, and {@code other} if there were two. */
    static IOException of(Ext4Exception trouble, String path, String other) {
        return switch (trouble) {
            case CorruptException corrupt -> new CorruptImageException(path, corrupt);
            case UnsupportedFeatureException unsupported ->
                new UnsupportedImageException(path, unsupported.getMessage());
            case DeviceException device -> device(device, path);
            default -> of(trouble.errno(), path, other);
        };
    }

    /** The exception for an errno. */
    static IOException of(Errno errno, String path, String other) {
        return switch (errno) {
            case ENOENT -> new NoSuchFileException(path, other, errno.text());
            case EEXIST -> new FileAlreadyExistsException(path, other, errno.text());
            case ENOTEMPTY -> new DirectoryNotEmptyException(path);
            case ENOTDIR -> new NotDirectoryException(path);
            case ELOOP -> new FileSystemLoopException(path);
            case EACCES, EPERM -> new AccessDeniedException(path, other, errno.text());
            case ENOSPC, EDQUOT -> new NoSpaceException(path, errno.text());
            default -> new FileSystemException(path, other, errno.text());
        };
    }

    /** The exception for an error number of a system call. */
    static IOException ofHost(int number, String path) {
        for (Errno errno : Errno.values()) {
            if (errno.number() == number) {
                return of(errno, path, null);
            }
        }
        return new FileSystemException(path, null, "error " + number);
    }

    /** Whether going on with the next file makes no sense. */
    static boolean isFatal(IOException e) {
        return e instanceof NoSpaceException
                || e.getCause() instanceof DeviceException
                || e instanceof FileSystemException file && Errno.EROFS.text().equals(file.getReason());
    }

    private static IOException device(DeviceException trouble, String path) {
        IOException e = new FileSystemException(path, null, trouble.getMessage());
        e.initCause(trouble);
        return e;
    }
}
