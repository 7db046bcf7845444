// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.format.superblock.Superblock;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * What a device keeps its bytes on, with a cache that is lost with the power or by a flush that fails: sectors written since
 * the last flush may then be there, or be what they were. Thread-safe.
 */
final class Medium {
    private static final int PAGE = Snapshot.PAGE;
    /** Bytes that are written as a whole or not at all. */
    static final int SECTOR = 512;

    // guarded by this
    private final byte[][] pages;
    // guarded by this; pages that no snapshot has
    private final boolean[] owned;
    // guarded by this; pages as they were at the last flush, of those written since
    private final Map<Integer, byte[]> flushed = new HashMap<>();
    private final Snapshot begin;

    Medium(Snapshot begin) {
        this.begin = begin;
        pages = begin.pages.clone();
        owned = new boolean[pages.length];
    }

    long size() {
        return begin.size();
    }

    synchronized void read(long offset, ByteBuffer dst, int count) {
        long at = offset;
        for (int left = count; left > 0; ) {
            int from = (int) (at % PAGE);
            int part = Math.min(left, PAGE - from);
            dst.put(pages[(int) (at / PAGE)], from, part);
            at += part;
            left -= part;
        }
    }

    synchronized void write(long offset, ByteBuffer src, int count) {
        long at = offset;
        for (int left = count; left > 0; ) {
            int from = (int) (at % PAGE);
            int part = Math.min(left, PAGE - from);
            src.get(toChange((int) (at / PAGE)), from, part);
            at += part;
            left -= part;
        }
    }

    private byte[] toChange(int page) {
        flushed.computeIfAbsent(page, p -> pages[p].clone());
        if (!owned[page]) {
            pages[page] = pages[page].clone();
            owned[page] = true;
        }
        return pages[page];
    }

    synchronized void flush() {
        flushed.clear();
    }

    /** Whether something was ever written to that page, before this medium or on it. */
    synchronized boolean provisioned(long offset) {
        byte[] page = pages[(int) (offset / PAGE)];
        for (byte each : page) {
            if (each != 0) {
                return true;
            }
        }
        return false;
    }

    /** The cache is lost: of the sectors written since the last flush all, none or some are as they were before. */
    synchronized void lose(Random random) {
        int kept = random.nextInt(3);
        flushed.forEach((page, before) -> {
            for (int at = 0; at < PAGE; at += SECTOR) {
                if (page == 0 && at == Superblock.BYTE_OFFSET + SECTOR) {
                    continue; // with its first half: nothing that knows ext4 could use a torn superblock
                }
                if (kept == 0 || kept == 1 && random.nextBoolean()) {
                    int unit = page == 0 && at == Superblock.BYTE_OFFSET ? Superblock.SIZE : SECTOR;
                    System.arraycopy(before, at, toChange(page), at, unit);
                }
            }
        });
        flushed.clear();
    }

    /** The bytes now; nothing may be written any more. */
    synchronized Snapshot end() {
        return Snapshot.of(pages, begin);
    }

    /** The bytes now. */
    synchronized Snapshot now() {
        byte[][] copies = pages.clone();
        for (int i = 0; i < copies.length; i++) {
            if (owned[i]) {
                copies[i] = copies[i].clone();
            }
        }
        return Snapshot.of(copies, begin);
    }
}
