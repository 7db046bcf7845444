// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import java.util.List;
import java.util.Map;

/**
 * A connection to the operating system without anybody who serves it: what one transport hands to the next. Whoever has
 * it owns the descriptors. Requests that come meanwhile wait in the operating system.
 *
 * @param transport name of the transport that it is for; others of the same kind may be able to go on with it
 * @param descriptors open descriptors of this process, the first one being that of the mount itself; the transport knows
 *     the order
 * @param numbers what was agreed on with the operating system, by names that the transport knows
 * @param words the same for text
 * @param resend whether whoever served it died with requests in flight, which have to be asked for again
 */
public record TransportState(
        String transport,
        List<Integer> descriptors,
        Map<String, Long> numbers,
        Map<String, String> words,
        boolean resend) {
    public TransportState {
        descriptors = List.copyOf(descriptors);
        numbers = Map.copyOf(numbers);
        words = Map.copyOf(words);
    }
}
