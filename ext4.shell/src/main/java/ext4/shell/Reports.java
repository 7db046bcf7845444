// SPDX-License-Identifier: Apache-2.0
package ext4.shell;

import ext4.api.fs.Attributes;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.api.mount.Mount;
import ext4.api.orphan.OrphanPlace;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What the commands print. */
final class Reports {
    private static final String NONE = "-";

    private Reports() {}

    /** Each configuration with its state and, if it isn't as configured, the reason. */
    static String mounts(List<Known> known) {
        if (known.isEmpty()) {
            return "no mount is configured";
        }
        Table table = new Table("CONFIGURATION", "IMAGE", "MOUNTPOINT", "STATE", "STRATEGY", "REASON");
        for (Known one : known) {
            Mount mount = one.mount();
            String strategy = mount.strategies().current();
            boolean up = mount.state() == Mount.State.MOUNTED;
            table.row(
                    one.name(),
                    mount.image(),
                    mount.mountpoint(),
                    mount.state().name().toLowerCase(Locale.ROOT),
                    up && strategy != null ? strategy : NONE,
                    reason(mount));
        }
        return table.toString();
    }

    private static String reason(Mount mount) {
        String failure = mount.failure();
        String refusal = mount.refusal();
        if (failure != null) {
            return failure;
        }
        if (refusal == null) {
            return "";
        }
        // without a strategy at work it is not a change that failed, but a part that went
        return (mount.strategies().current() == null ? "" : "change refused: ") + refusal;
    }

    /** The strategy at work and those there are. */
    static String strategies(Mount.Strategies strategies) {
        return "current: " + (strategies.current() == null ? "missing" : strategies.current()) + "\nnamed: "
                + (strategies.named() == null ? "none, ranking decides" : strategies.named()) + "\navailable: "
                + String.join(", ", strategies.available());
    }

    /** Each orphan: what is left of it and where it is noted. */
    static String orphans(List<OrphanPlace> orphans, FileSystem fs) {
        if (orphans.isEmpty()) {
            return "no orphans";
        }
        Table table = new Table("INODE", "LINKS", "SIZE", "ON DISK");
        Attributes attributes = new Attributes();
        for (OrphanPlace orphan : orphans) {
            String links = NONE;
            String size = NONE;
            try {
                fs.getattr(orphan.ino(), attributes);
                links = Integer.toString(attributes.nlink);
                size = Long.toString(attributes.size);
            } catch (Ext4Exception e) {
                links = "gone"; // freed since it was listed
            }
            table.row(Integer.toUnsignedString(orphan.ino()), links, size, place(orphan));
        }
        return table.toString();
    }

    private static String place(OrphanPlace orphan) {
        return switch (orphan.where()) {
            case NOWHERE -> "nowhere";
            case CHAIN -> "chain";
            case SLOT -> "orphan file, block " + orphan.block() + " slot " + orphan.slot();
        };
    }

    /** Names and values, a line each. */
    static String lines(Map<String, String> values) {
        return values.entrySet().stream()
                .map(line -> line.getKey() + ": " + line.getValue())
                .collect(Collectors.joining("\n"));
    }
}
