// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import java.util.ArrayList;
import java.util.List;

/** An operation and what makes it durable. */
public record Step(Op op, Sync sync) {
    /** All there are. */
    public static List<Step> all() {
        List<Step> all = new ArrayList<>();
        for (Op op : Op.values()) {
            for (Sync sync : Sync.values()) {
                if (op.hasSubject() || sync != Sync.FILE) {
                    all.add(new Step(op, sync));
                }
            }
        }
        return all;
    }

    @Override
    public String toString() {
        return op + "+" + sync;
    }
}
