// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/**
 * What mke2fs(8) takes as options, with its defaults. Setters check their value alone and throw {@link MkfsException};
 * what depends on the device is checked by {@link Mkfs#run}. Not thread-safe.
 */
public final class MkfsOptions {
    private static final int MAX_LABEL_BYTES = 16;
    private static final int MIN_RATIO = 1024;
    private static final int MAX_RATIO = 1 << 26;
    private static final int MAX_FLEX = 4096;

    private int blockSize;
    private int inodeSize = 256;
    private int inodeRatio;
    private long blocks;
    private String label = "";
    private UUID uuid = UUID.randomUUID();
    private UUID hashSeed = UUID.randomUUID();
    private double reservedPercent = 5;
    private String features = "";
    private long journalBytes;
    private int groupsPerFlex = 16;
    private int rootUid;
    private int rootGid;
    private Instant time = Instant.now();
    private boolean zeroed;
    private boolean lazyTables = true;
    private boolean discard = true;

    /** Bytes of a block: 1024, 2048 or 4096; 0 (the default) chooses by the size of the filesystem. */
    public MkfsOptions blockSize(int bytes) {
        require(bytes == 0 || bytes == 1024 || bytes == 2048 || bytes == 4096, "block size", bytes, "1024, 2048, 4096");
        blockSize = bytes;
        return this;
    }

    /** Bytes of an inode record: a power of two from 128 to the block size. */
    public MkfsOptions inodeSize(int bytes) {
        require(bytes >= 128 && bytes <= 4096 && Integer.bitCount(bytes) == 1, "inode size", bytes, "128, 256, ...");
        inodeSize = bytes;
        return this;
    }

    /** Bytes of the filesystem for each inode; 0 (the default) chooses by the size of the filesystem. */
    public MkfsOptions inodeRatio(int bytes) {
        require(
                bytes == 0 || bytes >= MIN_RATIO && bytes <= MAX_RATIO,
                "inode ratio",
                bytes,
                MIN_RATIO + " to " + MAX_RATIO);
        inodeRatio = bytes;
        return this;
    }

    /** Length of the filesystem in blocks; 0 (the default) takes the whole device. */
    public MkfsOptions blocks(long count) {
        require(count >= 0, "number of blocks", count, "a positive number");
        blocks = count;
        return this;
    }

    /** The volume name: at most 16 bytes of UTF-8. */
    public MkfsOptions label(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_LABEL_BYTES) {
            throw new MkfsException("label \"" + name + "\" has " + bytes + " bytes, but 16 is the most");
        }
        label = name;
        return this;
    }

    public MkfsOptions uuid(UUID value) {
        uuid = value;
        return this;
    }

    /** The seed of directory hashes. */
    public MkfsOptions hashSeed(UUID value) {
        hashSeed = value;
        return this;
    }

    /** Percentage of the blocks that only root may use: 0 to 50. */
    public MkfsOptions reservedPercent(double percent) {
        if (!(percent >= 0 && percent <= 50)) {
            throw new MkfsException("reserved percentage " + percent + " is not one of 0 to 50");
        }
        reservedPercent = percent;
        return this;
    }

    /** Changes to the default features as for {@code mke2fs -O}: names with commas between, {@code ^} takes one away. */
    public MkfsOptions features(String list) {
        features = list;
        return this;
    }

    /** Length of the journal in bytes; 0 (the default) chooses by the size of the filesystem. */
    public MkfsOptions journalBytes(long bytes) {
        require(bytes >= 0, "journal size", bytes, "a positive number");
        journalBytes = bytes;
        return this;
    }

    /** Groups whose bitmaps and inode tables are packed together with flex_bg: a power of two. */
    public MkfsOptions groupsPerFlex(int groups) {
        require(
                groups >= 1 && groups <= MAX_FLEX && Integer.bitCount(groups) == 1,
                "flex group size",
                groups,
                "a power of two up to " + MAX_FLEX);
        groupsPerFlex = groups;
        return this;
    }

    /** Owner of the root directory (unsigned ids). */
    public MkfsOptions rootOwner(int uid, int gid) {
        rootUid = uid;
        rootGid = gid;
        return this;
    }

    /** The time of creation, instead of now. */
    public MkfsOptions time(Instant instant) {
        time = instant;
        return this;
    }

    /**
     * The whole device is known to read as zeros, as an image file just created does: nothing is zeroed, and all inode
     * tables are marked so.
     */
    public MkfsOptions zeroed(boolean known) {
        zeroed = known;
        return this;
    }

    /**
     * Whether inode tables that nobody uses yet may be left to whoever mounts the filesystem (the default); needs group
     * checksums.
     */
    public MkfsOptions lazyTables(boolean lazy) {
        lazyTables = lazy;
        return this;
    }

    /** Whether the device may forget what it held (the default). */
    public MkfsOptions discard(boolean wanted) {
        discard = wanted;
        return this;
    }

    int blockSize() {
        return blockSize;
    }

    int inodeSize() {
        return inodeSize;
    }

    int inodeRatio() {
        return inodeRatio;
    }

    long blocks() {
        return blocks;
    }

    String label() {
        return label;
    }

    UUID uuid() {
        return uuid;
    }

    UUID hashSeed() {
        return hashSeed;
    }

    double reservedPercent() {
        return reservedPercent;
    }

    String features() {
        return features;
    }

    long journalBytes() {
        return journalBytes;
    }

    int groupsPerFlex() {
        return groupsPerFlex;
    }

    int rootUid() {
        return rootUid;
    }

    int rootGid() {
        return rootGid;
    }

    Instant time() {
        return time;
    }

    boolean zeroed() {
        return zeroed;
    }

    boolean lazyTables() {
        return lazyTables;
    }

    boolean discard() {
        return discard;
    }

    private static void require(boolean holds, String what, long value, String allowed) {
        if (!holds) {
            throw new MkfsException(what + " " + value + " is not one of " + allowed);
        }
    }
}
