// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.mount.swap.Precedence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A configuration of the factory PID, checked.
 *
 * @param image what to mount
 * @param mountpoint where; absolute
 * @param options the parsed option string
 * @param precedence which orphan strategy: property orphan.strategy, else option orphan=
 * @param transport name of the transport, property transport, else option transport=; null for the best one, {@link Mount#NO_TRANSPORT} for none
 * @param limitSeconds how long a request waits for a missing part
 */
record MountConfig(
        String image,
        String mountpoint,
        OptionString options,
        Precedence precedence,
        String transport,
        int limitSeconds) {
    private static final int DEFAULT_LIMIT_SECONDS = 30;

    /** Reads the properties. A bad one is named in the exception. */
    static MountConfig from(Map<String, ?> properties) throws MountException {
        String image = required(properties, Mount.IMAGE);
        String mountpoint = required(properties, Mount.MOUNTPOINT);
        if (!mountpoint.startsWith("/")) {
            throw new MountException("mountpoint '" + mountpoint + "' is not an absolute path");
        }
        String text = optional(properties, Mount.OPTIONS);
        OptionString options = OptionString.parse(text == null ? "" : text);
        String named = optional(properties, Mount.STRATEGY);
        Precedence precedence =
                new Precedence(named == null ? options.orphan() : named, optional(properties, Mount.FALLBACK));
        String transport = optional(properties, Mount.TRANSPORT);
        return new MountConfig(
                image,
                mountpoint,
                options,
                precedence,
                transport == null ? options.transport() : transport,
                limit(properties));
    }

    /** The properties in which {@code next} differs and that a running mount can't take over, or null. */
    String fixedDifferences(MountConfig next) {
        List<String> names = new ArrayList<>();
        if (!image.equals(next.image)) {
            names.add(Mount.IMAGE);
        }
        if (!mountpoint.equals(next.mountpoint)) {
            names.add(Mount.MOUNTPOINT);
        }
        if (!options.sameBut(next.options)) {
            names.add(Mount.OPTIONS + " other than ro and rw");
        }
        if (!Objects.equals(transport, next.transport)) {
            names.add(Mount.TRANSPORT);
        }
        return names.isEmpty() ? null : String.join(", ", names);
    }

    /** The same with another named strategy. */
    MountConfig withStrategy(String name) {
        return new MountConfig(
                image, mountpoint, options, new Precedence(name, precedence.fallback()), transport, limitSeconds);
    }

    /** The same, read-only or not. */
    MountConfig withReadOnly(boolean readOnly) {
        return new MountConfig(image, mountpoint, options.withReadOnly(readOnly), precedence, transport, limitSeconds);
    }

    /** Whether it is to be mounted read-only. */
    boolean readOnly() {
        return options.options().readOnly();
    }

    /** The text of a property for messages about a configuration that is not valid. */
    static String text(Map<String, ?> properties, String key) {
        String value = optional(properties, key);
        return value == null ? "(no " + key + ")" : value;
    }

    private static String required(Map<String, ?> properties, String key) throws MountException {
        String value = optional(properties, key);
        if (value == null) {
            throw new MountException("the configuration has no " + key);
        }
        return value;
    }

    private static String optional(Map<String, ?> properties, String key) {
        Object value = properties.get(key);
        return value == null || value.toString().isBlank()
                ? null
                : value.toString().strip();
    }

    private static int limit(Map<String, ?> properties) throws MountException {
        String value = optional(properties, Mount.PART_LIMIT);
        if (value == null) {
            return DEFAULT_LIMIT_SECONDS;
        }
        if (!value.matches("[0-9]{1,6}")) {
            throw new MountException("bad " + Mount.PART_LIMIT + " '" + value + "': it takes seconds");
        }
        return Integer.parseInt(value);
    }
}
