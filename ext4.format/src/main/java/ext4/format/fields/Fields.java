// SPDX-License-Identifier: Apache-2.0
package ext4.format.fields;

import ext4.format.fields.Field.Sort;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The numbers of each structure, by name: for tools that show structures or damage them. Checksums are left out where a
 * tool makes them anew.
 */
public final class Fields {
    /** The superblock, from its first byte. */
    public static final List<Field> SUPERBLOCK = little("""
            s_inodes_count 0 4, s_blocks_count_lo 4 4, s_r_blocks_count_lo 8 4, s_free_blocks_count_lo c 4,
            s_free_inodes_count 10 4, s_first_data_block 14 4 b, s_log_block_size 18 4, s_log_cluster_size 1c 4,
            s_blocks_per_group 20 4, s_clusters_per_group 24 4, s_inodes_per_group 28 4, s_mtime 2c 4, s_wtime 30 4,
            s_mnt_count 34 2, s_max_mnt_count 36 2, s_magic 38 2, s_state 3a 2 f, s_errors 3c 2, s_minor_rev_level 3e 2,
            s_lastcheck 40 4, s_checkinterval 44 4, s_creator_os 48 4, s_rev_level 4c 4, s_def_resuid 50 2,
            s_def_resgid 52 2, s_first_ino 54 4 i, s_inode_size 58 2, s_block_group_nr 5a 2, s_feature_compat 5c 4 f,
            s_feature_incompat 60 4 f, s_feature_ro_compat 64 4 f, s_uuid 68 4, s_reserved_gdt_blocks ce 2,
            s_journal_uuid d0 4, s_journal_inum e0 4 i, s_journal_dev e4 4, s_last_orphan e8 4 i, s_hash_seed ec 4,
            s_def_hash_version fc 1, s_jnl_backup_type fd 1, s_desc_size fe 2, s_default_mount_opts 100 4 f,
            s_first_meta_bg 104 4, s_mkfs_time 108 4, s_jnl_blocks 10c 4 b, s_blocks_count_hi 150 4,
            s_r_blocks_count_hi 154 4, s_free_blocks_count_hi 158 4, s_min_extra_isize 15c 2, s_want_extra_isize 15e 2,
            s_flags 160 4 f, s_raid_stride 164 2, s_mmp_update_interval 166 2, s_mmp_block 168 8 b,
            s_raid_stripe_width 170 4, s_log_groups_per_flex 174 1, s_checksum_type 175 1, s_encryption_level 176 1,
            s_reserved_pad 177 1, s_kbytes_written 178 8, s_snapshot_inum 180 4 i, s_error_count 194 4,
            s_first_error_ino 19c 4 i, s_last_error_ino 1d0 4 i, s_usr_quota_inum 240 4 i, s_grp_quota_inum 244 4 i,
            s_overhead_clusters 248 4, s_backup_bgs0 24c 4, s_backup_bgs1 250 4, s_lpf_ino 268 4 i,
            s_prj_quota_inum 26c 4 i, s_checksum_seed 270 4, s_encoding 27c 2, s_encoding_flags 27e 2 f,
            s_orphan_file_inum 280 4 i
            """);

    /** A group descriptor of 32 bytes. */
    public static final List<Field> DESCRIPTOR = little("""
            bg_block_bitmap_lo 0 4 b, bg_inode_bitmap_lo 4 4 b, bg_inode_table_lo 8 4 b, bg_free_blocks_count_lo c 2,
            bg_free_inodes_count_lo e 2, bg_used_dirs_count_lo 10 2, bg_flags 12 2 f, bg_block_bitmap_csum_lo 18 2,
            bg_inode_bitmap_csum_lo 1a 2, bg_itable_unused_lo 1c 2
            """);

    /** What a descriptor of 64 bytes has besides {@link #DESCRIPTOR}. */
    public static final List<Field> DESCRIPTOR_HIGH = little("""
            bg_block_bitmap_hi 20 4, bg_inode_bitmap_hi 24 4, bg_inode_table_hi 28 4, bg_free_blocks_count_hi 2c 2,
            bg_free_inodes_count_hi 2e 2, bg_used_dirs_count_hi 30 2, bg_itable_unused_hi 32 2
            """);

    /** The first 128 bytes of an inode record, i_block left out. */
    public static final List<Field> INODE = little("""
            i_mode 0 2 f, i_uid 2 2, i_size_lo 4 4, i_atime 8 4, i_ctime c 4, i_mtime 10 4, i_dtime 14 4 i, i_gid 18 2,
            i_links_count 1a 2, i_blocks_lo 1c 4, i_flags 20 4 f, l_i_version 24 4, i_generation 64 4, i_file_acl_lo 68 4 b,
            i_size_high 6c 4, i_obso_faddr 70 4, l_i_blocks_high 74 2, l_i_file_acl_high 76 2, l_i_uid_high 78 2,
            l_i_gid_high 7a 2
            """);

    /** What records of more than 128 bytes have besides {@link #INODE}. */
    public static final List<Field> INODE_EXTRA = little("""
            i_extra_isize 80 2, i_ctime_extra 84 4, i_mtime_extra 88 4, i_atime_extra 8c 4, i_crtime 90 4,
            i_crtime_extra 94 4, i_version_hi 98 4, i_projid 9c 4
            """);

    /** i_block as a block map. */
    public static final List<Field> BLOCK_MAP_ROOT = pointers(15);

    /** The header of an extent node. */
    public static final List<Field> EXTENT_HEADER =
            little("eh_magic 0 2, eh_entries 2 2, eh_max 4 2, eh_depth 6 2, eh_generation 8 4");

    /** An entry of a leaf of an extent tree. */
    public static final List<Field> EXTENT = little("ee_block 0 4, ee_len 4 2, ee_start_hi 6 2, ee_start_lo 8 4 b");

    /** An entry of an inner node of an extent tree. */
    public static final List<Field> EXTENT_INDEX = little("ei_block 0 4, ei_leaf_lo 4 4 b, ei_leaf_hi 8 2");

    /** A directory entry up to the first byte of its name. */
    public static final List<Field> DIR_ENTRY =
            little("inode 0 4 i, rec_len 4 2, name_len 6 1, file_type 7 1, name 8 1");

    /** The tail of a directory block. */
    public static final List<Field> DIR_TAIL =
            little("det_reserved_zero1 0 4, det_rec_len 4 2, det_reserved_zero2 6 1, det_reserved_ft 7 1");

    /** What the root of an index says of itself, from the first byte of the block. */
    public static final List<Field> INDEX_ROOT =
            little("reserved_zero 18 4, hash_version 1c 1, info_length 1d 1, indirect_levels 1e 1, unused_flags 1f 1");

    /** The first slot of an index node. */
    public static final List<Field> INDEX_COUNT = little("limit 0 2, count 2 2, block 4 4");

    /** Any other slot of an index node. */
    public static final List<Field> INDEX_SLOT = little("hash 0 4, block 4 4");

    /** The header of an attribute block; its checksum is left out. */
    public static final List<Field> XATTR_HEADER =
            little("h_magic 0 4, h_refcount 4 4, h_blocks 8 4, h_hash c 4, h_reserved 14 4");

    /** An attribute up to the first byte of its name. */
    public static final List<Field> XATTR_ENTRY = little(
            "e_name_len 0 1, e_name_index 1 1, e_value_offs 2 2, e_value_inum 4 4 i, e_value_size 8 4, e_hash c 4, e_name 10 1");

    /** The magic before the attributes in an inode record. */
    public static final List<Field> XATTR_MAGIC = little("h_magic 0 4");

    /** The end of a block of the orphan file, from 8 bytes before its end; the checksum is left out. */
    public static final List<Field> ORPHAN_TAIL = little("ob_magic 0 4");

    /** The superblock of the journal; its checksum is left out. */
    public static final List<Field> JOURNAL_SUPERBLOCK = big("""
            h_magic 0 4, h_blocktype 4 4, h_sequence 8 4, s_blocksize c 4, s_maxlen 10 4, s_first 14 4, s_sequence 18 4,
            s_start 1c 4, s_errno 20 4, s_feature_compat 24 4 f, s_feature_incompat 28 4 f, s_feature_ro_compat 2c 4 f,
            s_uuid 30 4, s_nr_users 40 4, s_dynsuper 44 4, s_max_transaction 48 4, s_max_trans_data 4c 4,
            s_checksum_type 50 1, s_num_fc_blks 54 4, s_head 58 4
            """);

    /** The header of a block of the log. */
    public static final List<Field> LOG_HEADER = big("h_magic 0 4, h_blocktype 4 4, h_sequence 8 4");

    /** What a revoke block has behind its header. */
    public static final List<Field> LOG_REVOKE = big("r_count c 4, block0 10 4 b, block1 14 4 b");

    /** What a commit block has behind its header. */
    public static final List<Field> LOG_COMMIT =
            big("h_chksum_type c 1, h_chksum_size d 1, h_commit_sec 30 8, h_commit_nsec 38 4");

    /** A tag of a descriptor block with csum_v3. */
    public static final List<Field> LOG_TAG3 =
            big("t_blocknr 0 4 b, t_flags 4 4 f, t_blocknr_high 8 4, t_checksum c 4");

    /** A tag of any other descriptor block, without a high half. */
    public static final List<Field> LOG_TAG = big("t_blocknr 0 4 b, t_checksum 4 2, t_flags 6 2 f");

    private Fields() {}

    /** So many pointers to blocks, as in a block of a block map. */
    public static List<Field> pointers(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Field("block" + i, 4 * i, 4, Sort.BLOCK, false))
                .toList();
    }

    /** So many slots of a block of the orphan file. */
    public static List<Field> slots(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Field("slot" + i, 4 * i, 4, Sort.INODE, false))
                .toList();
    }

    /** Both lists. */
    public static List<Field> both(List<Field> first, List<Field> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private static List<Field> little(String table) {
        return parse(table, false);
    }

    private static List<Field> big(String table) {
        return parse(table, true);
    }

    /** Rows of name, first byte in hexadecimal, bytes and sort (b block, i inode, f flags). */
    private static List<Field> parse(String table, boolean bigEndian) {
        return Arrays.stream(table.strip().split(",\\s*"))
                .map(row -> row.split(" "))
                .map(cell -> new Field(
                        cell[0],
                        Integer.parseInt(cell[1], 16),
                        Integer.parseInt(cell[2]),
                        cell.length < 4 ? Sort.NUMBER : sort(cell[3]),
                        bigEndian))
                .toList();
    }

    private static Sort sort(String letter) {
        return switch (letter) {
            case "b" -> Sort.BLOCK;
            case "i" -> Sort.INODE;
            case "f" -> Sort.FLAGS;
            default -> throw new IllegalArgumentException(letter);
        };
    }
}
