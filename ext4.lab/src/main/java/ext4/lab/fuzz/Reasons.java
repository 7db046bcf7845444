// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Why an image is treated otherwise than by the kernel, by its name. */
final class Reasons {
    private Reasons() {}

    static Map<String, String> all() throws IOException {
        Map<String, String> reasons = new HashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Reasons.class.getResourceAsStream("reasons.txt")), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int colon = line.indexOf(": ");
                if (colon > 0 && !line.startsWith("#")) {
                    reasons.put(line.substring(0, colon), line.substring(colon + 2));
                }
            }
        }
        return reasons;
    }
}
