// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was acknowledged as durable, and for which device positions that binds: from the acknowledgement until the next
 * call that changes the file begins.
 */
final class Promises {
    /** {@code content} null: nothing by that name. Binds in states of {@code from} to {@code to} events. */
    record Promise(String path, byte[] content, int from, int to) {}

    private record Open(byte[] content, int from) {}

    private final Map<String, Open> open = new HashMap<>();
    private final List<Promise> closed = new ArrayList<>();

    /** From now on {@code path} has this content in every state after a crash. */
    void durable(String path, byte[] content, int position) {
        broken(path, position);
        open.put(path, new Open(content, position));
    }

    /** A call that changes {@code path} begins. */
    void broken(String path, int position) {
        Open was = open.remove(path);
        if (was != null) {
            closed.add(new Promise(path, was.content(), was.from(), position));
        }
    }

    /** All promises, those still open binding to the end. */
    List<Promise> all() {
        List<Promise> all = new ArrayList<>(closed);
        open.forEach(
                (path, promise) -> all.add(new Promise(path, promise.content(), promise.from(), Integer.MAX_VALUE)));
        return all;
    }
}
