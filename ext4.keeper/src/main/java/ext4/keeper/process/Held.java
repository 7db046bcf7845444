// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.process;

import ext4.sys.SystemCalls;
import java.util.LinkedHashMap;
import java.util.Map;

/** The named descriptors that are held. Guarded by the supervisor's monitor. */
final class Held {
    private final Map<String, Integer> descriptors = new LinkedHashMap<>();

    /** Takes a descriptor over, in the place of the one of that name. */
    void put(SystemCalls calls, String name, int descriptor) {
        Integer before = descriptors.put(name, descriptor);
        if (before != null) {
            calls.close(before);
        }
    }

    void remove(SystemCalls calls, String name) {
        Integer before = descriptors.remove(name);
        if (before != null) {
            calls.close(before);
        }
    }

    boolean isEmpty() {
        return descriptors.isEmpty();
    }

    /** A copy of each goes to that server. */
    void give(SystemCalls calls, Server to) {
        descriptors.forEach((name, descriptor) -> to.tell(calls, "GIVE " + name, descriptor));
    }

    void clear(SystemCalls calls) {
        descriptors.values().forEach(calls::close);
        descriptors.clear();
    }
}
