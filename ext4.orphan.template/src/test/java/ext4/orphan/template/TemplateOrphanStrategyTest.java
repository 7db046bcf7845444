// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.template;

import ext4.api.orphan.OrphanStrategy;
import ext4.testkit.orphan.OrphanStrategyContract;

/** All that a strategy's test needs: every test is inherited. */
class TemplateOrphanStrategyTest extends OrphanStrategyContract {
    @Override
    protected OrphanStrategy strategy() {
        return new TemplateOrphanStrategy();
    }
}
