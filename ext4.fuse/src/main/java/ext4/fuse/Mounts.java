// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.MountPoint;
import ext4.fuse.channel.Descriptors;
import ext4.sys.SystemCalls;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;

/** Attaches a FUSE connection to a mount point: the superuser by mount(2), other users with fusermount3(1). */
final class Mounts {
    /** Mounts are of the type {@code fuse.ext4j}. */
    static final String SUBTYPE = "ext4j";

    /** Names of what an {@link Attachment} hands on. */
    static final String WAY = "mount.way";

    static final String DIRECT = "mount";
    static final String DIRECTORY = "mount.directory";
    static final String PROGRAM = "mount.program";

    private Mounts() {}

    /**
     * The mount point's real path.
     *
     * @throws DeviceException if it is missing or no directory
     */
    static String checked(String directory) {
        try {
            Path path = Path.of(directory).toRealPath();
            if (!Files.readAttributes(path, BasicFileAttributes.class).isDirectory()) {
                throw new DeviceException(directory + ": mount point is not a directory");
            }
            return path.toString();
        } catch (NoSuchFileException e) {
            throw new DeviceException(directory + ": mount point does not exist");
        } catch (AccessDeniedException e) {
            throw new DeviceException(directory + ": mount point: permission denied");
        } catch (FileSystemException e) {
            throw new DeviceException(
                    directory + ": mount point: " + (e.getReason() == null ? e.getMessage() : e.getReason()));
        } catch (IOException e) {
            throw new DeviceException(directory + ": mount point: " + e.getMessage(), e);
        }
    }

    /**
     * Throws if mounting will be refused, as far as that can be seen. A superuser without the capability is found out by
     * the mount itself, and what fusermount3 alone knows by fusermount3.
     */
    static void check(SystemCalls calls, MountPoint where) {
        boolean superuser = calls.effectiveUser() == 0;
        if (!superuser && FusermountMount.installed() == null) {
            throw noFusermount(where);
        }
        calls.close(Descriptors.open(calls));
        if (!superuser && !Files.isWritable(Path.of(where.directory()))) {
            throw new DeviceException(where.directory() + ": mount point: no write access, which fusermount3 demands of"
                    + " users other than root");
        }
    }

    private static DeviceException noFusermount(MountPoint where) {
        return new DeviceException(where.directory() + ": not permitted to mount, and there is no fusermount3 that"
                + " could; install the package fuse3, or run as root");
    }

    /**
     * Mounts.
     *
     * @param directory the mount point's real path
     */
    static Attachment attach(SystemCalls calls, MountPoint where, String directory) {
        if (calls.effectiveUser() == 0) {
            DirectMount mounted = DirectMount.attach(calls, where, directory);
            if (mounted != null) {
                return mounted;
            }
        }
        Path program = FusermountMount.installed();
        if (program == null) {
            throw noFusermount(where);
        }
        return FusermountMount.attach(calls, program, where, directory);
    }

    /**
     * A connection that is at its mount point already.
     *
     * @param words of the {@link Attachment} that it had before
     * @throws UnsupportedOperationException if they say nothing that is known here
     */
    static Attachment attached(MountPoint where, int descriptor, Map<String, String> words) {
        String way = words.getOrDefault(WAY, "");
        String directory = words.get(DIRECTORY);
        if (directory != null && way.equals(DIRECT)) {
            return new DirectMount(where, directory, descriptor);
        }
        if (directory != null && way.equals(FusermountMount.NAME) && words.containsKey(PROGRAM)) {
            return new FusermountMount(Path.of(words.get(PROGRAM)), directory, descriptor);
        }
        throw new UnsupportedOperationException(
                "a mount that was made by '" + way + "' at '" + directory + "' is not known here");
    }
}
