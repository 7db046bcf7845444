// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import java.util.ArrayList;
import java.util.List;

/** What a trial showed. Belongs to one thread at a time. */
final class Outcome {
    /** The device went wrong as planned. */
    boolean hit;
    /** What was promised and isn't so: contents, names, error fields, an answer. */
    final List<String> lost = new ArrayList<>();
    /** Exceptions of none of the three kinds. */
    final List<String> foreign = new ArrayList<>();
    /** What did not end: the trial, or a thread. */
    final List<String> hangs = new ArrayList<>();

    boolean isGood() {
        return lost.isEmpty() && foreign.isEmpty() && hangs.isEmpty();
    }
}
