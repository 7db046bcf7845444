// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.wire;

/** What the kernel sends: the header, and the fixed part that follows it for each operation. */
public final class Requests {
    private Requests() {}

    /** struct fuse_in_header. */
    public static final class Header {
        public static final int LEN = 0;
        public static final int OPCODE = 4;
        public static final int UNIQUE = 8;
        public static final int NODEID = 16;
        public static final int UID = 24;
        public static final int GID = 28;
        public static final int PID = 32;
        public static final int SIZE = 40;

        private Header() {}
    }

    /** struct fuse_init_in. */
    public static final class Init {
        public static final int MAJOR = 0;
        public static final int MINOR = 4;
        public static final int MAX_READAHEAD = 8;
        public static final int FLAGS = 12;
        public static final int FLAGS2 = 16;
        public static final int SIZE = 64;

        private Init() {}
    }

    /** struct fuse_forget_in. */
    public static final class Forget {
        public static final int NLOOKUP = 0;
        public static final int SIZE = 8;

        private Forget() {}
    }

    /** struct fuse_batch_forget_in, followed by {@link #COUNT} elements of struct fuse_forget_one. */
    public static final class BatchForget {
        public static final int COUNT = 0;
        public static final int SIZE = 8;
        public static final int ONE_NODEID = 0;
        public static final int ONE_NLOOKUP = 8;
        public static final int ONE_SIZE = 16;

        private BatchForget() {}
    }

    /** struct fuse_interrupt_in. */
    public static final class Interrupt {
        public static final int UNIQUE = 0;
        public static final int SIZE = 8;

        private Interrupt() {}
    }

    /** struct fuse_setattr_in. */
    public static final class SetAttr {
        public static final int VALID = 0;
        public static final int FILE_SIZE = 16;
        public static final int ATIME = 32;
        public static final int MTIME = 40;
        public static final int CTIME = 48;
        public static final int ATIMENSEC = 56;
        public static final int MTIMENSEC = 60;
        public static final int CTIMENSEC = 64;
        public static final int MODE = 68;
        public static final int UID = 76;
        public static final int GID = 80;
        public static final int SIZE = 88;

        public static final int FATTR_MODE = 1;
        public static final int FATTR_UID = 1 << 1;
        public static final int FATTR_GID = 1 << 2;
        public static final int FATTR_SIZE = 1 << 3;
        public static final int FATTR_ATIME = 1 << 4;
        public static final int FATTR_MTIME = 1 << 5;
        public static final int FATTR_ATIME_NOW = 1 << 7;
        public static final int FATTR_MTIME_NOW = 1 << 8;
        public static final int FATTR_CTIME = 1 << 10;
        public static final int FATTR_KILL_SUIDGID = 1 << 11;

        private SetAttr() {}
    }

    /** struct fuse_statx_in. */
    public static final class Statx {
        public static final int SIZE = 24;

        private Statx() {}
    }

    /** struct fuse_mknod_in, followed by the name. */
    public static final class Mknod {
        public static final int MODE = 0;
        public static final int RDEV = 4;
        public static final int SIZE = 16;

        private Mknod() {}
    }

    /** struct fuse_mkdir_in, followed by the name. */
    public static final class Mkdir {
        public static final int MODE = 0;
        public static final int SIZE = 8;

        private Mkdir() {}
    }

    /** struct fuse_create_in, followed by the name; also of TMPFILE. */
    public static final class Create {
        public static final int MODE = 4;
        public static final int SIZE = 16;

        private Create() {}
    }

    /** struct fuse_rename_in, followed by old and new name. */
    public static final class Rename {
        public static final int NEWDIR = 0;
        public static final int SIZE = 8;

        private Rename() {}
    }

    /** struct fuse_rename2_in, followed by old and new name. */
    public static final class Rename2 {
        public static final int NEWDIR = 0;
        public static final int FLAGS = 8;
        public static final int SIZE = 16;

        private Rename2() {}
    }

    /** struct fuse_link_in, followed by the new name. */
    public static final class Link {
        public static final int OLDNODEID = 0;
        public static final int SIZE = 8;

        private Link() {}
    }

    /** struct fuse_read_in; also of READDIR and READDIRPLUS. */
    public static final class Read {
        public static final int OFFSET = 8;
        public static final int COUNT = 16;
        public static final int SIZE = 40;

        private Read() {}
    }

    /** struct fuse_write_in, followed by the data. */
    public static final class Write {
        public static final int OFFSET = 8;
        public static final int COUNT = 16;
        public static final int WRITE_FLAGS = 20;
        public static final int FLAGS = 32;
        public static final int SIZE = 40;

        /** Comes from the page cache, not from a write(2). */
        public static final int WRITE_CACHE = 1;
        /** Set-id bits are to be cleared. */
        public static final int WRITE_KILL_SUIDGID = 1 << 2;
        /** open(2) flag, in {@link #FLAGS}. */
        public static final int O_APPEND = 0x400;

        private Write() {}
    }

    /** struct fuse_fsync_in. */
    public static final class Fsync {
        public static final int FSYNC_FLAGS = 8;
        public static final int SIZE = 16;
        /** fdatasync(2). */
        public static final int FDATASYNC = 1;

        private Fsync() {}
    }

    /** struct fuse_setxattr_in without SETXATTR_EXT, followed by name and value. */
    public static final class SetXattr {
        public static final int VALUE_SIZE = 0;
        public static final int FLAGS = 4;
        public static final int SIZE = 8;

        private SetXattr() {}
    }

    /** struct fuse_getxattr_in; also of LISTXATTR. */
    public static final class GetXattr {
        public static final int ROOM = 0;
        public static final int SIZE = 8;

        private GetXattr() {}
    }

    /** struct fuse_lseek_in. */
    public static final class Lseek {
        public static final int OFFSET = 8;
        public static final int WHENCE = 16;
        public static final int SIZE = 24;
        public static final int SEEK_DATA = 3;
        public static final int SEEK_HOLE = 4;

        private Lseek() {}
    }

    /** struct fuse_fallocate_in. */
    public static final class Fallocate {
        public static final int OFFSET = 8;
        public static final int LENGTH = 16;
        public static final int MODE = 24;
        public static final int SIZE = 32;

        private Fallocate() {}
    }

    /** struct fuse_ioctl_in. */
    public static final class Ioctl {
        public static final int CMD = 12;
        public static final int OUT_SIZE = 28;
        public static final int SIZE = 32;
        /** ioctl(2) of lsattr(1): FS_IOC_GETFLAGS. */
        public static final int FS_IOC_GETFLAGS = 0x80086601;

        private Ioctl() {}
    }
}
