// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.global;

import ext4.api.orphan.OrphanStrategy;
import ext4.testkit.orphan.OrphanStrategyContract;

class GlobalOrphanStrategyTest extends OrphanStrategyContract {
    @Override
    protected OrphanStrategy strategy() {
        return new GlobalOrphanStrategy();
    }
}
