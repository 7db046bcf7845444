// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.image;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * The bytes of an image, and a hash of them that costs only the blocks that were changed. An image that is a copy of
 * another knows which blocks may differ from the first of all, so that becoming another copy costs only those. Belongs to
 * one thread; the first of all, which nobody changes any more, to all.
 */
public final class Image {
    /** Bytes of a block. */
    public static final int BLOCK = 1024;

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final Image first;
    private final byte[] bytes;
    private final long[] hashes;
    private final BitSet changed = new BitSet();
    private final BitSet stale = new BitSet();
    private long sum;

    /** The first of all, of these bytes, which it does not copy. */
    public Image(byte[] bytes) {
        this.bytes = bytes;
        first = this;
        hashes = new long[bytes.length / BLOCK];
        stale.set(0, hashes.length);
        hash();
    }

    /** A copy of the first of all. */
    public Image(Image first) {
        this.first = first;
        bytes = first.bytes.clone();
        hashes = first.hashes.clone();
        sum = first.sum;
    }

    /** The bytes themselves: who changes them does so by {@link #put}. */
    public byte[] bytes() {
        return bytes;
    }

    /** Blocks. */
    public int blocks() {
        return hashes.length;
    }

    /** Changes bytes. */
    public void put(int offset, byte[] data, int from, int length) {
        System.arraycopy(data, from, bytes, offset, length);
        changedAt(offset, length);
    }

    /** Changes bytes. */
    public void put(int offset, ByteBuffer data) {
        int length = data.remaining();
        data.get(bytes, offset, length);
        changedAt(offset, length);
    }

    private void changedAt(int offset, int length) {
        if (length > 0) {
            int from = offset / BLOCK;
            int to = (offset + length - 1) / BLOCK + 1;
            changed.set(from, to);
            stale.set(from, to);
        }
    }

    /** Takes over all bytes of {@code other}, a copy of the same first one; the blocks that may have differed. */
    public BitSet become(Image other) {
        BitSet differing = (BitSet) changed.clone();
        differing.or(other.changed);
        for (int block = differing.nextSetBit(0); block >= 0; block = differing.nextSetBit(block + 1)) {
            System.arraycopy(other.bytes, block * BLOCK, bytes, block * BLOCK, BLOCK);
            sum += other.hashes[block] - hashes[block];
            hashes[block] = other.hashes[block];
            stale.set(block, other.stale.get(block));
        }
        changed.clear();
        changed.or(other.changed);
        return differing;
    }

    /** Of all bytes. */
    public long hash() {
        for (int block = stale.nextSetBit(0); block >= 0; block = stale.nextSetBit(block + 1)) {
            long hash = hash(bytes, block * BLOCK, block);
            sum += hash - hashes[block];
            hashes[block] = hash;
        }
        stale.clear();
        return finish(sum);
    }

    /** Of the blocks of {@code which}, with {@code other} instead of what stands in block {@code replaced}. */
    public long hash(BitSet which, int replaced, byte[] other) {
        hash();
        long total = hash(other, 0, replaced);
        for (int block = which.nextSetBit(0); block >= 0; block = which.nextSetBit(block + 1)) {
            total += block == replaced ? 0 : hashes[block];
        }
        return finish(total);
    }

    private static long hash(byte[] bytes, int offset, int block) {
        ByteBuffer words = ByteBuffer.wrap(bytes, offset, BLOCK);
        long hash = (block + 1) * MULTIPLIER;
        while (words.hasRemaining()) {
            hash = (hash ^ words.getLong()) * MULTIPLIER;
            hash ^= hash >>> 32;
        }
        return finish(hash);
    }

    private static long finish(long value) {
        long hash = (value ^ value >>> 33) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ hash >>> 33) * 0xC4CEB9FE1A85EC53L;
        return hash ^ hash >>> 33;
    }
}
