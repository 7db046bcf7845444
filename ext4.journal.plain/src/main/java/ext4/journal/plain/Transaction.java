// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.journal.MetaBlock;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The transaction that handles join. Guarded by the journal's lock, or by the turn once no handle can change it. */
final class Transaction {
    final long tid;

    /** Its blocks by number, each pinned once. */
    final Map<Long, MetaBlock> blocks = new LinkedHashMap<>();

    /** Freed in it: older copies in the log must not be replayed. */
    final Set<Long> revokes = new TreeSet<>();

    /** Freed in it while an older version waits for checkpoint, which must not be written once this is durable. */
    final Set<Long> forgotten = new HashSet<>();

    /** Credits of open handles, and those used up. */
    int granted;

    /** The part of {@link #granted} that is kept for the orphan list's closing. */
    int closing;

    /** System.nanoTime when the first handle joined; 0 if none did. */
    long since;

    Transaction(long tid) {
        this.tid = tid;
    }

    boolean isEmpty() {
        return blocks.isEmpty() && revokes.isEmpty() && forgotten.isEmpty();
    }
}
