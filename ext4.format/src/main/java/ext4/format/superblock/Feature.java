// SPDX-License-Identifier: Apache-2.0
package ext4.format.superblock;

/**
 * A feature bit, by the name mke2fs takes and dumpe2fs prints. {@link #supported} says whether this implementation reads
 * and writes a filesystem that has it; an unsupported incompat bit refuses the mount, an unsupported ro_compat bit makes
 * it read-only, a compat bit never matters.
 */
public enum Feature {
    DIR_PREALLOC(Set.COMPAT, 0x1, "dir_prealloc", true),
    IMAGIC_INODES(Set.COMPAT, 0x2, "imagic_inodes", true),
    HAS_JOURNAL(Set.COMPAT, 0x4, "has_journal", true),
    EXT_ATTR(Set.COMPAT, 0x8, "ext_attr", true),
    RESIZE_INODE(Set.COMPAT, 0x10, "resize_inode", true),
    DIR_INDEX(Set.COMPAT, 0x20, "dir_index", true),
    LAZY_BG(Set.COMPAT, 0x40, "lazy_bg", true),
    EXCLUDE_BITMAP(Set.COMPAT, 0x100, "snapshot_bitmap", true),
    SPARSE_SUPER2(Set.COMPAT, 0x200, "sparse_super2", true),
    FAST_COMMIT(Set.COMPAT, 0x400, "fast_commit", true),
    STABLE_INODES(Set.COMPAT, 0x800, "stable_inodes", true),
    ORPHAN_FILE(Set.COMPAT, 0x1000, "orphan_file", true),

    COMPRESSION(Set.INCOMPAT, 0x1, "compression", false),
    FILETYPE(Set.INCOMPAT, 0x2, "filetype", true),
    RECOVER(Set.INCOMPAT, 0x4, "needs_recovery", true),
    JOURNAL_DEV(Set.INCOMPAT, 0x8, "journal_dev", false),
    META_BG(Set.INCOMPAT, 0x10, "meta_bg", true),
    EXTENTS(Set.INCOMPAT, 0x40, "extent", true),
    BIT64(Set.INCOMPAT, 0x80, "64bit", true),
    MMP(Set.INCOMPAT, 0x100, "mmp", false),
    FLEX_BG(Set.INCOMPAT, 0x200, "flex_bg", true),
    EA_INODE(Set.INCOMPAT, 0x400, "ea_inode", false),
    DIRDATA(Set.INCOMPAT, 0x1000, "dirdata", false),
    CSUM_SEED(Set.INCOMPAT, 0x2000, "metadata_csum_seed", true),
    LARGE_DIR(Set.INCOMPAT, 0x4000, "large_dir", false),
    INLINE_DATA(Set.INCOMPAT, 0x8000, "inline_data", false),
    ENCRYPT(Set.INCOMPAT, 0x10000, "encrypt", false),
    CASEFOLD(Set.INCOMPAT, 0x20000, "casefold", false),

    SPARSE_SUPER(Set.RO_COMPAT, 0x1, "sparse_super", true),
    LARGE_FILE(Set.RO_COMPAT, 0x2, "large_file", true),
    BTREE_DIR(Set.RO_COMPAT, 0x4, "btree_dir", true),
    HUGE_FILE(Set.RO_COMPAT, 0x8, "huge_file", true),
    GDT_CSUM(Set.RO_COMPAT, 0x10, "uninit_bg", true),
    DIR_NLINK(Set.RO_COMPAT, 0x20, "dir_nlink", true),
    EXTRA_ISIZE(Set.RO_COMPAT, 0x40, "extra_isize", true),
    HAS_SNAPSHOT(Set.RO_COMPAT, 0x80, "snapshot", false),
    QUOTA(Set.RO_COMPAT, 0x100, "quota", false),
    BIGALLOC(Set.RO_COMPAT, 0x200, "bigalloc", false),
    METADATA_CSUM(Set.RO_COMPAT, 0x400, "metadata_csum", true),
    REPLICA(Set.RO_COMPAT, 0x800, "replica", false),
    READONLY(Set.RO_COMPAT, 0x1000, "read-only", false),
    PROJECT(Set.RO_COMPAT, 0x2000, "project", false),
    SHARED_BLOCKS(Set.RO_COMPAT, 0x4000, "shared_blocks", false),
    VERITY(Set.RO_COMPAT, 0x8000, "verity", false),
    ORPHAN_PRESENT(Set.RO_COMPAT, 0x10000, "orphan_present", true);

    /** The three words of feature bits. */
    public enum Set {
        /** Ignored by whoever doesn't know the bit. */
        COMPAT('C'),
        /** Whoever doesn't know the bit must not mount. */
        INCOMPAT('I'),
        /** Whoever doesn't know the bit must not write. */
        RO_COMPAT('R');

        private final char letter;

        Set(char letter) {
            this.letter = letter;
        }
    }

    private final Set set;
    private final int bit;
    private final String mkeName;
    private final boolean supported;

    Feature(Set set, int bit, String mkeName, boolean supported) {
        this.set = set;
        this.bit = bit;
        this.mkeName = mkeName;
        this.supported = supported;
    }

    public Set set() {
        return set;
    }

    public int bit() {
        return bit;
    }

    /** The name of mke2fs -O and dumpe2fs. */
    public String mkeName() {
        return mkeName;
    }

    public boolean supported() {
        return supported;
    }

    /** The feature of that mke2fs name (also "extents", "gdt_csum", "csum_seed", "recover"), or null. */
    public static Feature named(String name) {
        String wanted = switch (name) {
            case "extents" -> "extent";
            case "gdt_csum" -> "uninit_bg";
            case "csum_seed" -> "metadata_csum_seed";
            case "recover" -> "needs_recovery";
            default -> name;
        };
        for (Feature feature : values()) {
            if (feature.mkeName.equals(wanted)) {
                return feature;
            }
        }
        return null;
    }

    /** The name of one bit of a word; an unknown one is FEATURE_ and a letter and its number, as dumpe2fs prints it. */
    static String nameOf(Set set, int bit) {
        for (Feature feature : values()) {
            if (feature.set == set && feature.bit == bit) {
                return feature.mkeName;
            }
        }
        return "FEATURE_" + set.letter + Integer.numberOfTrailingZeros(bit);
    }

    /** All supported bits of a word. */
    static int supportedMask(Set set) {
        int mask = 0;
        for (Feature feature : values()) {
            if (feature.set == set && feature.supported) {
                mask |= feature.bit;
            }
        }
        return mask;
    }
}
