// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.sharded;

import ext4.api.orphan.OrphanStrategy;
import ext4.testkit.orphan.OrphanStrategyContract;

class ShardedOrphanStrategyTest extends OrphanStrategyContract {
    @Override
    protected OrphanStrategy strategy() {
        return new ShardedOrphanStrategy();
    }
}
