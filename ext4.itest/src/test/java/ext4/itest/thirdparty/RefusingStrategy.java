// SPDX-License-Identifier: Apache-2.0
package ext4.itest.thirdparty;

import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.api.orphan.OrphanStrategy;
import java.util.List;

/** A strategy that takes over nothing; {@link RefusingBundle} makes a bundle of it. */
public final class RefusingStrategy implements OrphanStrategy {
    @Override
    public OrphanList attach(OrphanStore store, List<OrphanPlace> present) {
        throw new IllegalStateException("no room for " + present.size() + " orphans");
    }
}
