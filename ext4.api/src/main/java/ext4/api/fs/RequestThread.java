// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Implemented by the threads of a transport that answers requests on the threads that read them. A request may have to
 * wait for seconds at the gate of a mount, for a part that is being replaced; the gate says so, and the transport lets
 * another thread read meanwhile, so that requests which need not wait, and INTERRUPT, are served.
 */
@ConsumerType
public interface RequestThread {
    /** The request on this thread begins to wait. Called on this thread, which holds no lock. */
    void waiting();

    /** The request goes on. */
    void resumed();
}
