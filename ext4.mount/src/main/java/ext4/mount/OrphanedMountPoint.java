// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.TransportState;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.Charset;
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
    private static final Logger LOG = LoggerFactory.getLogger(OrphanedMountPoint.class);

    @Override
    public void end(TransportState state) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            int result = calls.umount(directory, evenIfBusy ? SystemCalls.MNT_DETACH : 0);
            if (result == -Linux.EPERM) {
                result = fusermount(); // it was mounted by that program, for a user without the right
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

    private int fusermount() {
        List<String> command = new ArrayList<>(List.of("fusermount3", "-u"));
        if (evenIfBusy) {
            command.add("-z");
        }
        command.addAll(List.of("--", directory));
        try {
            Process program = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.PIPE)
                    .start();
            program.getOutputStream().close();
            String said = new String(program.getInputStream().readAllBytes(), Charset.defaultCharset());
            if (program.waitFor() == 0) {
                return 0;
            }
            if (said.contains("resource busy")) {
                return -Linux.EBUSY;
            }
            LOG.warn("{}: fusermount3: {}", directory, said.strip());
            return -Linux.EPERM;
        } catch (IOException e) {
            throw new DeviceException(directory + ": fusermount3 can't be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -Linux.EPERM;
        }
    }
}
