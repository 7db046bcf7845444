// SPDX-License-Identifier: Apache-2.0
package ext4.api.orphan;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Service: a way to keep the orphan list. A factory: each mounted filesystem gets a list of its own. The service
 * property {@link #NAME} is the name that an operator chooses it by.
 */
@ConsumerType
public interface OrphanStrategy {
    /** Service property with the strategy's name, for example {@code global} or {@code sharded}. */
    String NAME = "ext4.orphan.strategy";

    /**
     * Takes over the list as it stands. Called at mount, or behind the barrier of a live switch; writes nothing. A throw
     * refuses the switch and leaves the old list at work.
     *
     * @param present all current orphans; the chain's members in the chain's order, newest first. What is
     *     {@link OrphanPlace.Where#NOWHERE} there while the store is {@link OrphanStore#persistent()} is put on disk at the
     *     next {@link OrphanList#closing}
     */
    OrphanList attach(OrphanStore store, List<OrphanPlace> present);
}
