// SPDX-License-Identifier: Apache-2.0
package ext4.api.keep;

import ext4.api.fs.TransportState;
import java.util.Map;

/**
 * What one process takes over from another.
 *
 * @param connection the connection; it says whether there may be requests that were read and never answered
 * @param nodes what the operating system knows
 * @param words as given to {@link Keep#put}
 */
public record Kept(TransportState connection, NodeTable nodes, Map<String, String> words) {
    public Kept {
        words = Map.copyOf(words);
    }
}
