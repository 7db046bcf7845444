// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.sharded;

import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.api.orphan.OrphanStrategy;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Service {@code sharded}: stripes by inode in memory, the disk once a transaction. */
@Component(property = {OrphanStrategy.NAME + "=sharded", "service.ranking:Integer=10"})
public final class ShardedOrphanStrategy implements OrphanStrategy {
    @Override
    public OrphanList attach(OrphanStore store, List<OrphanPlace> present) {
        return new ShardedOrphanList(store, present);
    }
}
