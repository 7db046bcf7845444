// SPDX-License-Identifier: Apache-2.0
package ext4.mount.gate;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Pins given back while the orphan strategy is missing. FORGET has no reply, so it must not hold up the thread that
 * brings it: the pins are kept here, at most an entry for each inode that the caller knows, and given back afterwards.
 */
final class DeferredForgets {
    /** Pins by inode. Guarded by this. */
    private final Map<Integer, Long> pins = new HashMap<>();

    synchronized void add(int ino, long count) {
        pins.merge(ino, count, Long::sum);
    }

    /** Takes any entry out, or returns null. */
    synchronized Map.Entry<Integer, Long> take() {
        Iterator<Map.Entry<Integer, Long>> entries = pins.entrySet().iterator();
        if (!entries.hasNext()) {
            return null;
        }
        Map.Entry<Integer, Long> first = entries.next();
        Map.Entry<Integer, Long> copy = Map.entry(first.getKey(), first.getValue());
        entries.remove();
        return copy;
    }

    synchronized int size() {
        return pins.size();
    }
}
