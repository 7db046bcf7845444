// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.nio.file.Path;
import java.util.List;

/**
 * What the operator asked for.
 *
 * @param nanos how long
 * @param parts names of {@link ext4.api.fs.SwapReport.Part}
 * @param loads kinds of load
 * @param transport by name
 * @param seed of everything random
 * @param medium where the image lies, null for memory
 * @param size of the image
 * @param kernel whether the kernel's ext4 serves it
 * @param keep whether image and logs stay
 */
record Settings(
        long nanos,
        List<String> parts,
        List<String> loads,
        String transport,
        long seed,
        Path medium,
        String size,
        boolean kernel,
        boolean keep) {
    /** As the operator writes them. */
    static final List<String> PARTS = List.of("strategy", "journal", "core", "transport");
}
