// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.SwapReport.Part;
import ext4.api.keep.Keeper;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.mount.swap.Precedence;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A configuration of the factory PID, checked.
 *
 * @param image what to mount
 * @param mountpoint where; absolute
 * @param options the parsed option string
 * @param wanted which service of each part; a property of its own wins over a word among the options. The transport's name
 *     may be {@link Mount#NO_TRANSPORT}
 * @param limitSeconds how long a request waits for a missing part
 * @param keeper name of the {@link Keeper}, property keeper, else option keep; null for none
 */
record MountConfig(
        String image,
        String mountpoint,
        OptionString options,
        Map<Part, Precedence> wanted,
        int limitSeconds,
        String keeper) {
    /** The property that names the service of a part. */
    static final Map<Part, String> KEYS = Map.of(
            Part.STRATEGY,
            Mount.STRATEGY,
            Part.JOURNAL,
            Mount.JOURNAL,
            Part.CORE,
            Mount.CORE,
            Part.TRANSPORT,
            Mount.TRANSPORT);

    /** The transport whose connections outlive a process, where none is named: a ring does not. */
    private static final String KEPT_TRANSPORT = "fuse";

    private static final int DEFAULT_LIMIT_SECONDS = 30;

    MountConfig {
        wanted = Map.copyOf(wanted);
    }

    /** Reads the properties. A bad one is named in the exception. */
    static MountConfig from(Map<String, ?> properties) throws MountException {
        String image = required(properties, Mount.IMAGE);
        String mountpoint = required(properties, Mount.MOUNTPOINT);
        if (!mountpoint.startsWith("/")) {
            throw new MountException("mountpoint '" + mountpoint + "' is not an absolute path");
        }
        String text = optional(properties, Mount.OPTIONS);
        OptionString options = OptionString.parse(text == null ? "" : text);
        Map<Part, Precedence> wanted = new EnumMap<>(Part.class);
        KEYS.forEach((part, key) -> wanted.put(part, new Precedence(optional(properties, key), null)));
        if (wanted.get(Part.TRANSPORT).named() == null) {
            wanted.put(Part.TRANSPORT, new Precedence(options.transport(), null));
        }
        String keeper = keeper(optional(properties, Mount.KEEPER), options);
        if (keeper != null && wanted.get(Part.TRANSPORT).named() == null) {
            wanted.put(Part.TRANSPORT, new Precedence(KEPT_TRANSPORT, null));
        }
        String strategy = wanted.get(Part.STRATEGY).named();
        wanted.put(
                Part.STRATEGY,
                new Precedence(strategy == null ? options.orphan() : strategy, optional(properties, Mount.FALLBACK)));
        return new MountConfig(image, mountpoint, options, wanted, limit(properties), keeper);
    }

    private static String keeper(String property, OptionString options) {
        String named = property == null ? options.keeper() : property;
        return Keeper.NONE.equals(named) ? null : named;
    }

    /** Which service is to be that part. */
    Precedence precedence(Part part) {
        return wanted.get(part);
    }

    /** Whether it is to be seen at its mount point, and not in this process only. */
    boolean wantsTransport() {
        return !Mount.NO_TRANSPORT.equals(precedence(Part.TRANSPORT).named());
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
        if (wantsTransport() != next.wantsTransport()) {
            names.add(Mount.TRANSPORT);
        }
        if (!Objects.equals(keeper, next.keeper)) {
            names.add(Mount.KEEPER);
        }
        return names.isEmpty() ? null : String.join(", ", names);
    }

    /** The same with another name for a part. */
    MountConfig named(Part part, String name) {
        Map<Part, Precedence> other = new EnumMap<>(wanted);
        other.put(part, new Precedence(name, precedence(part).fallback()));
        return new MountConfig(image, mountpoint, options, other, limitSeconds, keeper);
    }

    /** The same, read-only or not. */
    MountConfig withReadOnly(boolean readOnly) {
        return new MountConfig(image, mountpoint, options.withReadOnly(readOnly), wanted, limitSeconds, keeper);
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
