// SPDX-License-Identifier: Apache-2.0
package ext4.api.block;

import org.osgi.annotation.versioning.ConsumerType;

/** Service: opens block devices by the text an operator names them with. */
@ConsumerType
public interface BlockDeviceProvider {
    /** Whether {@code spec} (a path, or {@code scheme:rest}) is of a kind that this provider opens. */
    boolean handles(String spec);

    /**
     * Opens the device for this process alone: an image that another mount of this project, or the kernel, has in use
     * for writing is refused.
     *
     * @throws ext4.api.fs.DeviceException naming the path and what was wrong: missing, a directory, no permission, in
     *     use
     */
    BlockDevice open(String spec, boolean readOnly);
}
