// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.SwapReport.Part;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one process tells the next of a mount's configuration: what was changed while it was mounted. */
final class KeptConfig {
    private static final Logger LOG = LoggerFactory.getLogger(KeptConfig.class);
    private static final String READ_ONLY = "read-only";
    private static final String PART = "part.";

    private KeptConfig() {}

    /** In words. */
    static Map<String, String> words(MountConfig config) {
        Map<String, String> words = new HashMap<>();
        words.put(READ_ONLY, Boolean.toString(config.readOnly()));
        for (Part part : Part.values()) {
            String named = config.precedence(part).named();
            if (named != null) {
                words.put(key(part), named);
            }
        }
        return words;
    }

    /** The configuration of this process, changed as the words say. */
    static MountConfig changed(MountConfig own, Map<String, String> words) {
        MountConfig config = own.withReadOnly(Boolean.parseBoolean(words.get(READ_ONLY)));
        for (Part part : Part.values()) {
            String named = words.get(key(part));
            if (named != null) {
                config = config.named(part, named);
            }
        }
        return config;
    }

    /** Writes it down, so that a later change of something else does not bring back what was. */
    static void write(MountConfig config, MountRecord record) {
        try {
            for (Map.Entry<Part, String> key : MountConfig.KEYS.entrySet()) {
                String named = config.precedence(key.getKey()).named();
                if (named != null) {
                    record.name(key.getValue(), named);
                }
            }
            record.readOnly(config.readOnly());
        } catch (IOException e) {
            LOG.warn("{}: its configuration can't be written: {}", config.mountpoint(), e.getMessage());
        }
    }

    private static String key(Part part) {
        return PART + part.name().toLowerCase(Locale.ROOT);
    }
}
