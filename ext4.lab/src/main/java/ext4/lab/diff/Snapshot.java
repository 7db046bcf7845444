// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.sys.VolumeStatus;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A whole tree by path, the root as "".
 *
 * @param items all names
 * @param volume of statfs(2)
 */
record Snapshot(Map<String, Item> items, VolumeStatus volume) {
    private static final int GRAIN = 1024;
    private static final int PART = 256 * GRAIN;

    /** When attributes are asked for: reading changes access times. */
    enum Order {
        /** Before anything is read: as they were found. */
        ATTRIBUTES_FIRST,
        /** After all is read: as they are left. */
        ATTRIBUTES_LAST
    }

    static Snapshot of(Calls calls, Order order) {
        Map<String, Item> items = new TreeMap<>();
        add(calls, "", items, new HashMap<>());
        if (order == Order.ATTRIBUTES_LAST) {
            items.replaceAll((path, item) -> new Item(
                    calls.stat(path), item.flags(), item.target(), item.xattrs(), item.data(), item.content()));
        }
        return new Snapshot(items, calls.statfs());
    }

    /** A file of several names is looked at once: reading changes its access time. */
    private static void add(Calls calls, String path, Map<String, Item> items, Map<Long, Item> seen) {
        Status status = calls.stat(path);
        Item known = seen.get(status.ino());
        if (known != null) {
            items.put(path, known);
            return;
        }
        long flags = status.isRegular() || status.isDirectory() ? calls.flags(path) : 0;
        String target = status.isSymlink() ? calls.readlink(path) : "";
        String data = "";
        String content = "";
        if (status.isRegular()) {
            calls.open(0, path, 0);
            data = data(calls);
            content = content(calls, data);
            calls.close(0);
        }
        Item item = new Item(status, flags, target, xattrs(calls, path), data, content);
        items.put(path, item);
        seen.put(status.ino(), item);
        if (status.isDirectory()) {
            for (String name : calls.list(path)) {
                add(calls, path.isEmpty() ? name : path + "/" + name, items, seen);
            }
        }
    }

    private static String xattrs(Calls calls, String path) {
        StringBuilder text = new StringBuilder();
        for (String name : calls.listxattr(path).stream().sorted().toList()) {
            text.append(name)
                    .append('=')
                    .append(Performer.digest(calls.getxattr(path, name)))
                    .append(' ');
        }
        return text.toString();
    }

    /** The ranges of data, "from-to" in bytes. */
    private static String data(Calls calls) {
        calls.settle(0);
        StringBuilder text = new StringBuilder();
        long at = 0;
        while (true) {
            long from = seek(calls, at, false);
            if (from < 0) {
                return text.toString();
            }
            at = seek(calls, from, true);
            text.append(from).append('-').append(at).append(' ');
        }
    }

    private static long seek(Calls calls, long at, boolean hole) {
        try {
            return calls.seek(0, at, hole);
        } catch (Refused e) {
            if (e.errno == Errno.ENXIO.number()) {
                return -1;
            }
            throw e;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENXIO) {
                return -1;
            }
            throw e;
        }
    }

    private static String content(Calls calls, String data) {
        CRC32C crc = new CRC32C();
        ByteBuffer position = ByteBuffer.allocate(Long.BYTES);
        for (String range : data.isEmpty() ? new String[0] : data.split(" ")) {
            int dash = range.indexOf('-');
            long end = Long.parseLong(range.substring(dash + 1));
            for (long at = Long.parseLong(range.substring(0, dash)); at < end; ) {
                byte[] part = calls.read(0, at, (int) Math.min(PART, end - at));
                if (part.length == 0) {
                    return "ends at " + at;
                }
                for (int i = 0; i < part.length; i += GRAIN) {
                    addGrain(crc, position, part, i, at + i);
                }
                at += part.length;
            }
        }
        return Long.toHexString(crc.getValue());
    }

    private static void addGrain(CRC32C crc, ByteBuffer position, byte[] part, int from, long offset) {
        int to = Math.min(from + GRAIN, part.length);
        for (int i = from; i < to; i++) {
            if (part[i] != 0) {
                crc.update(position.putLong(0, offset).array());
                crc.update(part, from, to - from);
                return;
            }
        }
    }
}
