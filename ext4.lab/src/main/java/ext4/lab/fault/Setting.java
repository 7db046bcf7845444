// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.MountOptions;
import ext4.lab.stack.Stack;
import java.util.ArrayList;
import java.util.List;

/**
 * How a filesystem is made and mounted.
 *
 * @param journal whether it has one
 * @param strategy of the orphan list
 */
record Setting(boolean journal, String strategy) {
    /** All there are. */
    static List<Setting> all() {
        List<Setting> all = new ArrayList<>();
        for (boolean journal : new boolean[] {true, false}) {
            for (String strategy : Stack.STRATEGIES) {
                all.add(new Setting(journal, strategy));
            }
        }
        return all;
    }

    /** The options of its mounts. */
    static MountOptions options(MountOptions.Errors errors) {
        return new MountOptions(false, false, false, MountOptions.Atime.RELATIME, 0, true, errors, false);
    }

    @Override
    public String toString() {
        return (journal ? "journal" : "none") + ":" + strategy;
    }
}
