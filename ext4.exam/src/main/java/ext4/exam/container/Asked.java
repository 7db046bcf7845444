// SPDX-License-Identifier: Apache-2.0
package ext4.exam.container;

import ext4.api.mount.Mount;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.function.UnaryOperator;

/** The mount that the test asked for, out of the properties of the framework. */
final class Asked {
    /** As {@code ext4.exam.Ext4Exam.PROPERTY}, whose class needs Pax Exam. */
    private static final String PREFIX = "ext4.exam.";

    private static final List<String> KEYS = List.of(
            Mount.IMAGE,
            Mount.MOUNTPOINT,
            Mount.TRANSPORT,
            Mount.STRATEGY,
            Mount.FALLBACK,
            Mount.OPTIONS,
            Mount.PART_LIMIT);

    private Asked() {}

    /** The configuration, empty if no mount was asked for. */
    static Dictionary<String, Object> configuration(UnaryOperator<String> property) {
        Dictionary<String, Object> found = new Hashtable<>();
        for (String key : KEYS) {
            String value = property.apply(PREFIX + key);
            if (value != null) {
                found.put(key, value);
            }
        }
        return found;
    }
}
