// SPDX-License-Identifier: Apache-2.0
package ext4.api.journal;

import ext4.api.orphan.OrphanList;
import org.osgi.annotation.versioning.ProviderType;

/** No handle is open and none can be started while this is held. Used by the thread that got it. */
@ProviderType
public interface Barrier extends AutoCloseable {
    /**
     * A handle of the running transaction that ignores the barrier; the same at each call, closed with the barrier or before
     * it: before {@link Journal#commit}, {@link Journal#checkpoint} or {@link Journal#close} is called behind the barrier.
     */
    Handle handle();

    /** From now on handles carry {@code list}, and it gets the {@link OrphanList#closing} calls. Cannot fail. */
    void publish(OrphanList list);

    /** Lets waiting handles start, or tells them that the journal was closed. Never throws. */
    @Override
    void close();
}
