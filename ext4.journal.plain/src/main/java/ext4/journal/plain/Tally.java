// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import java.util.LinkedHashMap;
import java.util.Map;

/** What has been done so far. Guarded by the journal's lock. */
final class Tally {
    long handles;
    long startWaits;
    long barriers;
    long transactions;
    long emptyTransactions;
    long blocks;
    long revokes;
    long checkpointed;

    Map<String, Long> counters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("handles", handles);
        counters.put("handle waits for lock or barrier", startWaits);
        counters.put("barriers", barriers);
        counters.put("transactions", transactions);
        counters.put("empty transactions", emptyTransactions);
        counters.put("blocks", blocks);
        counters.put("revokes", revokes);
        counters.put("blocks checkpointed", checkpointed);
        return counters;
    }
}
