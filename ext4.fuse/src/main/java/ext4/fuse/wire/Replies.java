// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.wire;

/** What the server answers: the header, and what follows it. */
public final class Replies {
    private Replies() {}

    /** struct fuse_out_header. */
    public static final class Header {
        public static final int LEN = 0;
        public static final int ERROR = 4;
        public static final int UNIQUE = 8;
        public static final int SIZE = 16;

        private Header() {}
    }

    /** struct fuse_init_out. */
    public static final class Init {
        public static final int MAJOR = 0;
        public static final int MINOR = 4;
        public static final int MAX_READAHEAD = 8;
        public static final int FLAGS = 12;
        public static final int MAX_BACKGROUND = 16;
        public static final int CONGESTION_THRESHOLD = 18;
        public static final int MAX_WRITE = 20;
        public static final int TIME_GRAN = 24;
        public static final int MAX_PAGES = 28;
        public static final int FLAGS2 = 32;
        public static final int SIZE = 64;

        private Init() {}
    }

    /** struct fuse_attr. */
    public static final class Attr {
        public static final int INO = 0;
        public static final int FILE_SIZE = 8;
        public static final int BLOCKS = 16;
        public static final int ATIME = 24;
        public static final int MTIME = 32;
        public static final int CTIME = 40;
        public static final int ATIMENSEC = 48;
        public static final int MTIMENSEC = 52;
        public static final int CTIMENSEC = 56;
        public static final int MODE = 60;
        public static final int NLINK = 64;
        public static final int UID = 68;
        public static final int GID = 72;
        public static final int RDEV = 76;
        public static final int BLKSIZE = 80;
        public static final int FLAGS = 84;
        public static final int SIZE = 88;

        private Attr() {}
    }

    /** struct fuse_attr_out. */
    public static final class AttrOut {
        public static final int ATTR_VALID = 0;
        public static final int ATTR_VALID_NSEC = 8;
        public static final int ATTR = 16;
        public static final int SIZE = 104;

        private AttrOut() {}
    }

    /** struct fuse_entry_out. */
    public static final class EntryOut {
        public static final int NODEID = 0;
        public static final int GENERATION = 8;
        public static final int ENTRY_VALID = 16;
        public static final int ATTR_VALID = 24;
        public static final int ENTRY_VALID_NSEC = 32;
        public static final int ATTR_VALID_NSEC = 36;
        public static final int ATTR = 40;
        public static final int SIZE = 128;

        private EntryOut() {}
    }

    /** struct fuse_open_out. */
    public static final class OpenOut {
        public static final int FH = 0;
        public static final int OPEN_FLAGS = 8;
        public static final int SIZE = 16;
        /** Pages stay cached from one open to the next. */
        public static final int FOPEN_KEEP_CACHE = 1 << 1;
        /** No FLUSH at close(2). */
        public static final int FOPEN_NOFLUSH = 1 << 5;

        private OpenOut() {}
    }

    /** struct fuse_statx_out with struct fuse_statx in it. */
    public static final class StatxOut {
        public static final int ATTR_VALID = 0;
        public static final int STAT = 32;
        public static final int MASK = STAT;
        public static final int BLKSIZE = STAT + 4;
        public static final int ATTRIBUTES = STAT + 8;
        public static final int NLINK = STAT + 16;
        public static final int UID = STAT + 20;
        public static final int GID = STAT + 24;
        public static final int MODE = STAT + 28;
        public static final int INO = STAT + 32;
        public static final int FILE_SIZE = STAT + 40;
        public static final int BLOCKS = STAT + 48;
        public static final int ATTRIBUTES_MASK = STAT + 56;
        public static final int ATIME = STAT + 64;
        public static final int BTIME = STAT + 80;
        public static final int CTIME = STAT + 96;
        public static final int MTIME = STAT + 112;
        public static final int RDEV_MAJOR = STAT + 128;
        public static final int RDEV_MINOR = STAT + 132;
        public static final int SIZE = 288;
        /** Nanoseconds in a struct fuse_sx_time. */
        public static final int TIME_NSEC = 8;
        /** Everything of stat(2). */
        public static final int BASIC_STATS = 0x7FF;
        /** The creation time too. */
        public static final int STATX_BTIME = 0x800;

        private StatxOut() {}
    }

    /** struct fuse_write_out. */
    public static final class WriteOut {
        public static final int COUNT = 0;
        public static final int SIZE = 8;

        private WriteOut() {}
    }

    /** struct fuse_statfs_out. */
    public static final class StatfsOut {
        public static final int BLOCKS = 0;
        public static final int BFREE = 8;
        public static final int BAVAIL = 16;
        public static final int FILES = 24;
        public static final int FFREE = 32;
        public static final int BSIZE = 40;
        public static final int NAMELEN = 44;
        public static final int FRSIZE = 48;
        public static final int SIZE = 80;

        private StatfsOut() {}
    }

    /** struct fuse_dirent; the name follows, padded to 8 bytes. In READDIRPLUS an {@link EntryOut} stands before it. */
    public static final class Dirent {
        public static final int INO = 0;
        public static final int OFF = 8;
        public static final int NAMELEN = 16;
        public static final int TYPE = 20;
        public static final int NAME = 24;

        private Dirent() {}

        /** Bytes of an entry with a name of {@code length} bytes. */
        public static int size(int length) {
            return (NAME + length + 7) & ~7;
        }
    }

    /** struct fuse_getxattr_out; also of LISTXATTR. */
    public static final class GetXattrOut {
        public static final int NEEDED = 0;
        public static final int SIZE = 8;

        private GetXattrOut() {}
    }

    /** struct fuse_lseek_out. */
    public static final class LseekOut {
        public static final int OFFSET = 0;
        public static final int SIZE = 8;

        private LseekOut() {}
    }

    /** struct fuse_ioctl_out; the data follows. */
    public static final class IoctlOut {
        public static final int RESULT = 0;
        public static final int SIZE = 16;

        private IoctlOut() {}
    }
}
