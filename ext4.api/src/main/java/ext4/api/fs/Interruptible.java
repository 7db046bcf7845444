// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Implemented by a {@link FileSystem} whose requests may wait for a part of it. A transport must not use
 * {@link Thread#interrupt}, which closes a file channel that the thread happens to be in.
 */
@ProviderType
public interface Interruptible {
    /**
     * Ends the wait of the request that {@code thread} brought with EINTR.
     *
     * @return false if that thread does not wait here: the request is at work and will be answered
     */
    boolean interrupt(Thread thread);
}
