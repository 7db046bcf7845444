// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.core.extent.FileMap;
import ext4.core.inode.Inode;
import ext4.core.inode.InodeStore;
import ext4.format.superblock.Superblock;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directories of one mounted filesystem. Any thread. */
public final class Directories {
    private static final Logger LOG = LoggerFactory.getLogger(Directories.class);

    private final Superblock superblock;
    private final DirFormat format;
    private final FileMap map;
    private final InodeStore records;
    private final AtomicBoolean warned = new AtomicBoolean();

    /** Of a filesystem with this superblock. */
    public Directories(Superblock superblock, FileMap map, InodeStore records) {
        this.superblock = superblock;
        this.format = DirFormat.of(superblock);
        this.map = map;
        this.records = records;
    }

    /** How entries are written. */
    public DirFormat format() {
        return format;
    }

    /** The blocks of {@code inode}, a directory, to read. */
    public DirFile open(Inode inode) {
        return open(inode, Credentials.ROOT);
    }

    /** The blocks of {@code inode}, a directory, to change on behalf of {@code who}. */
    public DirFile open(Inode inode, Credentials who) {
        return new InodeDir(this, inode, who);
    }

    /**
     * Credits of {@link DirInsert#insert} with all it may entail: the blocks that it writes, those that it appends, and the
     * inode with its flag INDEX.
     */
    public int insertCredits(Inode directory) {
        return DirInsert.BLOCKS_WRITTEN + DirInsert.BLOCKS_APPENDED * map.appendCredits(directory) + InodeStore.CREDITS;
    }

    /** Says so once a mount: each further call would say it again. */
    void indexUnusable(CorruptException evidence) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn("an index is not used for reading, run e2fsck -D: {}", evidence.getMessage());
        }
    }

    Superblock superblock() {
        return superblock;
    }

    FileMap map() {
        return map;
    }

    InodeStore records() {
        return records;
    }
}
