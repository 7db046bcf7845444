// SPDX-License-Identifier: Apache-2.0
package ext4.api.keep;

import org.osgi.annotation.versioning.ConsumerType;

/** Service: a way to keep mounts beyond the life of this process. */
@ConsumerType
public interface Keeper {
    /** Service property with the keeper's name: {@link #PROCESS}, {@link #SYSTEMD}. */
    String NAME = "ext4.keeper.name";
    /** A small process of this project, which starts a new server where one died. */
    String PROCESS = "process";
    /** The service manager's descriptor store, sd_pid_notify_with_fds(3). */
    String SYSTEMD = "systemd";
    /** No keeper: a mount ends with its process. */
    String NONE = "none";

    /**
     * What is kept for the mount at {@code mountpoint}, an absolute path.
     *
     * @throws ext4.api.fs.DeviceException in one sentence, if this process has no such keeper
     */
    Keep open(String mountpoint);
}
