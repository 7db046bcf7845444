// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import java.util.function.BiConsumer;

/** A thread's part of a load, with a tree of its own. Each method throws {@link Abandoned} when a call failed. */
public interface Worker {
    /** Makes its tree. */
    void begin();

    /** Does a little; returns soon. */
    void step();

    /**
     * What each file must look like now, by absolute path, as {@link Description} says it; compares what has no path
     * itself.
     */
    void expectations(BiConsumer<String, String> each);

    /** Closes its descriptors. */
    void end();
}
