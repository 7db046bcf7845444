// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.TransportState;
import ext4.sys.Linux;
import ext4.sys.Spawn;
import ext4.sys.SystemCalls;
import java.io.File;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mount point whose transport is missing when it is to be unmounted: nobody serves it, and its descriptors are the mount's.
 * It is taken out of the tree and the connection is closed, which fails with ENOTCONN what still waits.
 *
 * @param directory the mount point
 * @param evenIfBusy whether one in use is detached
 */
record OrphanedMountPoint(String directory, boolean evenIfBusy) implements MountStack.Orphaned {
    private static final String PROGRAM = "fusermount3";
    private static final Logger LOG = LoggerFactory.getLogger(OrphanedMountPoint.class);

    @Override
    public void end(TransportState state) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            int result = calls.umount(directory, evenIfBusy ? SystemCalls.MNT_DETACH : 0);
            if (result == -Linux.EPERM) {
                result = fusermount(calls); // it was mounted by that program, for a user without the right
            }
            if (result == -Linux.EBUSY) {
                throw ErrnoException.of(Errno.EBUSY);
            }
            for (int descriptor : state.descriptors()) {
                calls.close(descriptor);
            }
            LOG.warn(
                    "{}: unmounted while its transport '{}' is missing: requests that waited for it fail{}",
                    directory,
                    state.transport(),
                    result == 0 ? "" : "; the mount point itself stays, " + Linux.errorText(-result));
        }
    }

    private int fusermount(SystemCalls calls) {
        Path program = installed();
        if (program == null) {
            return -Linux.EPERM;
        }
        List<String> command = new ArrayList<>(List.of(program.toString(), "-u"));
        if (evenIfBusy) {
            command.add("-z");
        }
        command.addAll(List.of("--", directory));
        Spawn.Result result = Spawn.run(calls, command, List.of("PATH=" + path(), "LC_ALL=C"), -1);
        if (result.status() == 0) {
            return 0;
        }
        if (result.output().contains("resource busy")) {
            return -Linux.EBUSY;
        }
        LOG.warn("{}: {}: {}", directory, PROGRAM, result.output().strip());
        return -Linux.EPERM;
    }

    private static Path installed() {
        for (String folder : path().split(File.pathSeparator)) {
            Path program = Path.of(folder, PROGRAM);
            if (Files.isExecutable(program)) {
                return program.toAbsolutePath();
            }
        }
        return null;
    }

    private static String path() {
        String path = System.getenv("PATH");
        return path == null ? "/usr/bin:/bin" : path;
    }
}
