// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import ext4.lab.crash.mutant.Mutant;
import java.nio.file.Path;

/**
 * What a run is to do.
 *
 * @param states different images after which it ends
 * @param resume the file with what was done, or null
 * @param only the one workload to explore, or -1
 * @param scratch for the images that other programs see
 * @param keep where images that were not recovered go, or null
 * @param enough findings after which it ends
 */
record Settings(
        long states,
        long seed,
        Path resume,
        Mutant mutant,
        int threads,
        int only,
        Path scratch,
        Path keep,
        int enough) {}
