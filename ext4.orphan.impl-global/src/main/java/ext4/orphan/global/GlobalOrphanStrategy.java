// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.global;

import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.api.orphan.OrphanStrategy;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Service {@code global}: one mutex for all inodes of a filesystem. */
@Component(property = OrphanStrategy.NAME + "=global")
public final class GlobalOrphanStrategy implements OrphanStrategy {
    @Override
    public OrphanList attach(OrphanStore store, List<OrphanPlace> present) {
        return new GlobalOrphanList(store, present);
    }
}
