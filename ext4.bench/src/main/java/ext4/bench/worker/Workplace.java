// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.bench.load.Place;
import java.util.function.Consumer;

/** Where a worker's runs take place. */
interface Workplace extends AutoCloseable {
    /** The place of that name. */
    Place place(String name);

    /** Carries out a request that only this kind of workplace knows; false if it is none of those. */
    boolean own(String[] words, Consumer<String> answer) throws InterruptedException;

    /** Switches the orphan strategy of the place of that name; what the switch reported. */
    String switchTo(String place, String strategy);

    @Override
    void close();
}
