// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.sys.VolumeStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Holds two trees against each other. */
final class Comparison {
    private static final long SECTOR = 512;
    private static final String ABSENT = "not there";

    private final List<Difference> found = new ArrayList<>();
    private final String moment;

    private Comparison(String moment) {
        this.moment = moment;
    }

    /** Both trees right now: equal but for inode numbers and each side's own times. */
    static List<Difference> live(Snapshot kernel, Snapshot ours, Times times) {
        Comparison c = new Comparison("tree");
        c.items(kernel, ours);
        c.items(kernel, ours, "mtime", item -> item.status().mtime(), (k, o) -> times.agree(k, o));
        c.items(kernel, ours, "ctime", item -> item.status().ctime(), (k, o) -> times.agree(k, o));
        c.items(kernel, ours, "atime", item -> item.status().atime(), (k, o) -> times.agreeOnAccess(k, o));
        return c.found;
    }

    /** Whether they are all as they should be. */
    static boolean areListed(List<Difference> differences) {
        return differences.stream().allMatch(difference -> Known.of(difference) != null);
    }

    /** The counts of free blocks and inodes. */
    static List<Difference> volumes(Snapshot kernel, Snapshot ours) {
        Comparison c = new Comparison("tree");
        VolumeStatus k = withFiles(kernel);
        VolumeStatus o = withFiles(ours);
        boolean shared = Math.abs(k.free() - o.free()) <= equalAttributes(kernel)
                && k.free() - o.free() == k.available() - o.available()
                && k.filesFree() == o.filesFree();
        if (!k.equals(o)) {
            c.add(shared ? "statfs, with equal attributes" : "statfs", "", k.toString(), o.toString());
        }
        return c.found;
    }

    /**
     * How many inodes have an attribute that one before them has too, so that they may share a block: the others may be
     * in the inode itself.
     */
    private static long equalAttributes(Snapshot s) {
        Map<Long, String> attributes = new HashMap<>();
        s.items().values().forEach(item -> attributes.put(item.status().ino(), item.xattrs()));
        attributes.values().removeIf(String::isEmpty);
        Set<String> seen = new HashSet<>();
        long equal = 0;
        for (String all : attributes.values()) {
            List<String> each = List.of(all.split(" "));
            equal += Collections.disjoint(seen, each) ? 0 : 1;
            seen.addAll(each);
        }
        return equal;
    }

    /** What all files have counts as free: nodes that map their blocks depend on where the allocator put them. */
    private static VolumeStatus withFiles(Snapshot s) {
        Map<Long, Long> sectors = new HashMap<>();
        s.items()
                .values()
                .forEach(item -> sectors.put(item.status().ino(), item.status().blocks()));
        VolumeStatus v = s.volume();
        long blocks = sectors.values().stream().mapToLong(Long::longValue).sum() * SECTOR / v.blockSize();
        return new VolumeStatus(
                v.blockSize(), v.blocks(), v.free() + blocks, v.available() + blocks, v.files(), v.filesFree());
    }

    /** How many blocks each file has, and how they are mapped: the kernel told it of both images. */
    static List<Difference> mapped(Snapshot kernel, Snapshot ours, Maps kernelMaps, Maps oursMaps) {
        Comparison c = new Comparison("tree");
        kernel.items().forEach((path, k) -> {
            Item o = ours.items().get(path);
            if (o == null) {
                return;
            }
            String kernelMap = kernelMaps.logical(path);
            String oursMap = oursMaps.logical(path);
            if (!kernelMap.equals(oursMap)) {
                c.add("extents", path, kernelMap, oursMap);
            } else if (k.status().blocks() != o.status().blocks()) {
                c.add(
                        "nodes that map",
                        path,
                        k.status().blocks() + kernelMap,
                        o.status().blocks() + oursMap);
            }
        });
        return c.found;
    }

    /** One image as one side left it and the other finds it: equal in all. */
    static List<Difference> same(String moment, Snapshot kernel, Snapshot ours) {
        Comparison c = new Comparison(moment);
        c.items(kernel, ours);
        c.items(kernel, ours, "blocks", item -> item.status().blocks(), Objects::equals);
        c.items(kernel, ours, "ino", item -> item.status().ino(), Objects::equals);
        c.items(kernel, ours, "mtime", item -> item.status().mtime(), Objects::equals);
        c.items(kernel, ours, "ctime", item -> item.status().ctime(), Objects::equals);
        c.items(kernel, ours, "atime", item -> item.status().atime(), Objects::equals);
        c.volume(kernel.volume(), ours.volume());
        return c.found;
    }

    private void items(Snapshot kernel, Snapshot ours) {
        TreeSet<String> paths = new TreeSet<>(kernel.items().keySet());
        paths.addAll(ours.items().keySet());
        for (String path : paths) {
            Item k = kernel.items().get(path);
            Item o = ours.items().get(path);
            if (k == null || o == null) {
                add("names", path, k == null ? ABSENT : "there", o == null ? ABSENT : "there");
            }
        }
        items(kernel, ours, "attributes", item -> item.status().plain(), Objects::equals);
        items(kernel, ours, "flags", Comparison::flags, (k, o) -> k.equals(o) || k.equals("?") || o.equals("?"));
        items(kernel, ours, "target", Item::target, Objects::equals);
        items(kernel, ours, "xattrs", Item::xattrs, Objects::equals);
        items(kernel, ours, "data and holes", Item::data, Objects::equals);
        items(kernel, ours, "content", Item::content, Objects::equals);
    }

    private static String flags(Item item) {
        return item.flags() < 0 ? "?" : "0x" + Long.toHexString(item.flags());
    }

    /** Whether two values are as they should be. */
    @FunctionalInterface
    private interface Agree<T> {
        boolean test(T kernel, T ours);
    }

    private <T> void items(Snapshot kernel, Snapshot ours, String what, Function<Item, T> value, Agree<T> agree) {
        kernel.items().forEach((path, k) -> {
            Item o = ours.items().get(path);
            if (o != null && !agree.test(value.apply(k), value.apply(o))) {
                add(what, path, String.valueOf(value.apply(k)), String.valueOf(value.apply(o)));
            }
        });
    }

    private void volume(VolumeStatus kernel, VolumeStatus ours) {
        if (!kernel.equals(ours)) {
            add("statfs", "", kernel.toString(), ours.toString());
        }
    }

    private void add(String what, String path, String kernel, String ours) {
        found.add(new Difference(moment + ": " + what, path, kernel, ours));
    }
}
