// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.format.dir.DirTail;
import ext4.format.dir.DxRoot;
import ext4.format.dir.FileType;
import ext4.format.hash.NameHash;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/**
 * How one filesystem writes its directories. Immutable; made once a mount.
 *
 * @param blockSize bytes
 * @param metadataCsum whether blocks carry checksums
 * @param filetype whether entries hold the type of what they name
 * @param dirIndex whether directories may be indexed
 * @param inodesCount greatest inode number, unsigned
 * @param hashVersion the version that a new index gets, 0 to 2
 * @param hashes the hash for each version that may stand on disk, 0 to 2
 */
public record DirFormat(
        int blockSize,
        boolean metadataCsum,
        boolean filetype,
        boolean dirIndex,
        int inodesCount,
        int hashVersion,
        NameHash... hashes) {
    /** Of a validated superblock. An unknown default version is replaced by half MD4, the default of mke2fs. */
    public static DirFormat of(Superblock sb) {
        NameHash[] hashes = new NameHash[NameHash.TEA + 1];
        for (int version = 0; version < hashes.length; version++) {
            hashes[version] = NameHash.of(NameHash.effectiveVersion(version, sb.hashUnsigned()), sb.hashSeed());
        }
        int wanted = sb.defaultHashVersion();
        return new DirFormat(
                sb.blockSize(),
                sb.metadataCsum(),
                sb.has(Feature.FILETYPE),
                sb.has(Feature.DIR_INDEX),
                sb.inodesCount(),
                wanted <= NameHash.TEA ? wanted : NameHash.HALF_MD4,
                hashes);
    }

    /** The hash of a version found on disk, null if names can't be hashed with it here. */
    NameHash hash(int onDisk) {
        return onDisk < hashes.length ? hashes[onDisk] : null;
    }

    /** The hash that orders the listing of a directory without an index. */
    NameHash defaultHash() {
        return hashes[hashVersion];
    }

    /**
     * Where the entries of a block end. In an index root ".." reaches to the end, whatever stands there: the kernel leaves
     * the tail of the former leaf under it.
     */
    int entriesEnd(byte[] block) {
        return DxRoot.isRoot(block, metadataCsum) ? block.length : DirTail.entriesEnd(block, metadataCsum);
    }

    /** The type byte of an entry that names an inode of this mode. */
    public int fileType(int mode) {
        return FileType.toStore(mode, filetype);
    }
}
