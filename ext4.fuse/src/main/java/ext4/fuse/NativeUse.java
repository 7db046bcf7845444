// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.sys.NativeAccess;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says by name what a JVM lacks that somebody else started, before the first system call fails for it. */
final class NativeUse {
    private static final Logger LOG = LoggerFactory.getLogger(NativeUse.class);

    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private NativeUse() {}

    /** Warns once a process if native access was not asked for; throws if it is denied. */
    static void check() {
        switch (NativeAccess.now()) {
            case ENABLED -> {}
            case NOT_ASKED_FOR -> {
                if (!TOLD.getAndSet(true)) {
                    LOG.warn(
                            "this JVM was started without {}: it warns now, and a later Java will refuse to mount",
                            NativeAccess.OPTION);
                }
            }
            case DENIED ->
                throw new DeviceException(
                        "this JVM denies system calls, which a mount needs: start it with " + NativeAccess.OPTION);
        }
    }
}
