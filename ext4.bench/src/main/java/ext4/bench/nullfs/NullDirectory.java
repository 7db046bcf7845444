// SPDX-License-Identifier: Apache-2.0
package ext4.bench.nullfs;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names of one directory. The kernel sends one change of a directory at a time, so its monitor is taken by one thread
 * as a rule. A cookie is a place in the order of creation, plus one.
 */
final class NullDirectory {
    /** A name and the inode it names; {@code place} changes when the order is packed. */
    static final class Entry {
        final byte[] name;
        final int ino;
        final boolean directory;
        private final int hash;
        private int place;

        Entry(byte[] name, int ino, boolean directory) {
            this.name = name;
            this.ino = ino;
            this.directory = directory;
            this.hash = Arrays.hashCode(name);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Entry entry && Arrays.equals(name, entry.name);
        }
    }

    /** Takes entries with the cookie behind each; false ends the listing. */
    @FunctionalInterface
    interface Sink {
        boolean entry(long cookie, Entry entry);
    }

    final int ino;
    final int parent;
    private final Numbers numbers;
    /** By name. Guarded by this. */
    private final Map<Entry, Entry> entries = new HashMap<>();
    /** In the order of creation, null where one was removed. Guarded by this. */
    private final List<Entry> order = new ArrayList<>();
    /** The next number, and the first of another range. Guarded by this. */
    private int next;

    private int end;

    NullDirectory(int ino, int parent, Numbers numbers) {
        this.ino = ino;
        this.parent = parent;
        this.numbers = numbers;
    }

    /** The entry of that name, or null. */
    synchronized Entry find(byte[] name) {
        return entries.get(new Entry(name, 0, false));
    }

    /** @throws ErrnoException EEXIST */
    synchronized Entry add(byte[] name, boolean directory) {
        if (next == end) {
            next = numbers.range();
            end = next + Numbers.RANGE;
        }
        Entry entry = new Entry(name, next, directory);
        if (entries.putIfAbsent(entry, entry) != null) {
            throw ErrnoException.of(Errno.EEXIST);
        }
        next++;
        entry.place = order.size();
        order.add(entry);
        return entry;
    }

    /** @throws ErrnoException ENOENT, EISDIR or ENOTDIR */
    synchronized Entry remove(byte[] name, boolean directory) {
        Entry entry = find(name);
        if (entry == null) {
            throw ErrnoException.of(Errno.ENOENT);
        }
        if (entry.directory != directory) {
            throw ErrnoException.of(directory ? Errno.ENOTDIR : Errno.EISDIR);
        }
        entries.remove(entry);
        order.set(entry.place, null);
        while (!order.isEmpty() && order.getLast() == null) {
            order.removeLast();
        }
        return entry;
    }

    /** Lists what stands behind {@code cookie}. */
    void list(long cookie, Sink sink) {
        for (long at = cookie; ; at++) {
            Entry entry;
            synchronized (this) {
                while (at < order.size() && order.get((int) at) == null) {
                    at++;
                }
                if (at >= order.size()) {
                    return;
                }
                entry = order.get((int) at);
            }
            if (!sink.entry(at + 1, entry)) {
                return;
            }
        }
    }

    synchronized int size() {
        return entries.size();
    }
}
