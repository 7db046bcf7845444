// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Offsets and sizes against the field lists of linux/fuse.h, written here as "name:bytes". */
class WireSizesTest {
    @Test
    void headers() {
        Struct in = new Struct("len:4 opcode:4 unique:8 nodeid:8 uid:4 gid:4 pid:4 extlen:2 padding:2");
        in.is("opcode", Requests.Header.OPCODE).is("unique", Requests.Header.UNIQUE);
        in.is("nodeid", Requests.Header.NODEID).is("uid", Requests.Header.UID);
        in.is("gid", Requests.Header.GID).is("pid", Requests.Header.PID).size(Requests.Header.SIZE);
        Struct out = new Struct("len:4 error:4 unique:8");
        out.is("error", Replies.Header.ERROR)
                .is("unique", Replies.Header.UNIQUE)
                .size(Replies.Header.SIZE);
    }

    @Test
    void ring() {
        Struct command = new Struct("flags:8 commit_id:8 qid:2 padding:6");
        command.is("commit_id", RingCommand.COMMIT_ID).is("qid", RingCommand.QID);
        Struct headers = new Struct("in_out:128 op_in:128 flags:8 commit_id:8 payload_sz:4 padding:4 reserved:8");
        headers.is("in_out", RingCommand.Headers.HEADER).is("op_in", RingCommand.Headers.FIXED);
        headers.is("commit_id", RingCommand.Headers.COMMIT_ID).is("payload_sz", RingCommand.Headers.PAYLOAD_SIZE);
        headers.size(RingCommand.Headers.SIZE);
        new Struct("base:8 len:8").is("len", RingCommand.Iovec.LEN).size(RingCommand.Iovec.SIZE);
    }

    @Test
    void init() {
        Struct in = new Struct("major:4 minor:4 max_readahead:4 flags:4 flags2:4 unused:44");
        in.is("flags", Requests.Init.FLAGS).is("flags2", Requests.Init.FLAGS2).size(Requests.Init.SIZE);
        Struct out = new Struct("major:4 minor:4 max_readahead:4 flags:4 max_background:2 congestion:2 max_write:4"
                + " time_gran:4 max_pages:2 map_alignment:2 flags2:4 max_stack_depth:4 request_timeout:2 unused:22");
        out.is("max_readahead", Replies.Init.MAX_READAHEAD).is("flags", Replies.Init.FLAGS);
        out.is("max_background", Replies.Init.MAX_BACKGROUND).is("congestion", Replies.Init.CONGESTION_THRESHOLD);
        out.is("max_write", Replies.Init.MAX_WRITE).is("time_gran", Replies.Init.TIME_GRAN);
        out.is("max_pages", Replies.Init.MAX_PAGES)
                .is("flags2", Replies.Init.FLAGS2)
                .size(Replies.Init.SIZE);
    }

    @Test
    void attributes() {
        String attr = "ino:8 size:8 blocks:8 atime:8 mtime:8 ctime:8 atimensec:4 mtimensec:4 ctimensec:4 mode:4"
                + " nlink:4 uid:4 gid:4 rdev:4 blksize:4 flags:4";
        Struct a = new Struct(attr);
        a.is("size", Replies.Attr.FILE_SIZE).is("blocks", Replies.Attr.BLOCKS).is("atime", Replies.Attr.ATIME);
        a.is("mtime", Replies.Attr.MTIME).is("ctime", Replies.Attr.CTIME).is("atimensec", Replies.Attr.ATIMENSEC);
        a.is("mtimensec", Replies.Attr.MTIMENSEC).is("ctimensec", Replies.Attr.CTIMENSEC);
        a.is("mode", Replies.Attr.MODE).is("nlink", Replies.Attr.NLINK).is("uid", Replies.Attr.UID);
        a.is("gid", Replies.Attr.GID).is("rdev", Replies.Attr.RDEV).is("blksize", Replies.Attr.BLKSIZE);
        a.is("flags", Replies.Attr.FLAGS).size(Replies.Attr.SIZE);
        new Struct("attr_valid:8 nsec:4 dummy:4 attr:88")
                .is("nsec", Replies.AttrOut.ATTR_VALID_NSEC)
                .is("attr", Replies.AttrOut.ATTR)
                .size(Replies.AttrOut.SIZE);
        Struct entry = new Struct("nodeid:8 generation:8 entry_valid:8 attr_valid:8 entry_nsec:4 attr_nsec:4 attr:88");
        entry.is("generation", Replies.EntryOut.GENERATION).is("entry_valid", Replies.EntryOut.ENTRY_VALID);
        entry.is("attr_valid", Replies.EntryOut.ATTR_VALID).is("entry_nsec", Replies.EntryOut.ENTRY_VALID_NSEC);
        entry.is("attr_nsec", Replies.EntryOut.ATTR_VALID_NSEC).is("attr", Replies.EntryOut.ATTR);
        entry.size(Replies.EntryOut.SIZE);
        Struct set = new Struct("valid:4 padding:4 fh:8 size:8 lock_owner:8 atime:8 mtime:8 ctime:8 atimensec:4"
                + " mtimensec:4 ctimensec:4 mode:4 unused4:4 uid:4 gid:4 unused5:4");
        set.is("size", Requests.SetAttr.FILE_SIZE).is("atime", Requests.SetAttr.ATIME);
        set.is("mtime", Requests.SetAttr.MTIME).is("ctime", Requests.SetAttr.CTIME);
        set.is("atimensec", Requests.SetAttr.ATIMENSEC).is("mtimensec", Requests.SetAttr.MTIMENSEC);
        set.is("ctimensec", Requests.SetAttr.CTIMENSEC).is("mode", Requests.SetAttr.MODE);
        set.is("uid", Requests.SetAttr.UID).is("gid", Requests.SetAttr.GID).size(Requests.SetAttr.SIZE);
    }

    @Test
    void statx() {
        String time = "_sec:8 %1$s_nsec:4 %1$s_pad:4 ";
        Struct out = new Struct("attr_valid:8 nsec:4 flags:4 spare:16 mask:4 blksize:4 attributes:8 nlink:4 uid:4 gid:4"
                + " mode:2 spare0:2 ino:8 size:8 blocks:8 attributes_mask:8 "
                + ("atime" + time).formatted("atime") + ("btime" + time).formatted("btime")
                + ("ctime" + time).formatted("ctime") + ("mtime" + time).formatted("mtime")
                + "rdev_major:4 rdev_minor:4 dev_major:4 dev_minor:4 spare2:112");
        out.is("mask", Replies.StatxOut.MASK).is("blksize", Replies.StatxOut.BLKSIZE);
        out.is("attributes", Replies.StatxOut.ATTRIBUTES).is("nlink", Replies.StatxOut.NLINK);
        out.is("uid", Replies.StatxOut.UID).is("gid", Replies.StatxOut.GID).is("mode", Replies.StatxOut.MODE);
        out.is("ino", Replies.StatxOut.INO).is("size", Replies.StatxOut.FILE_SIZE);
        out.is("blocks", Replies.StatxOut.BLOCKS).is("attributes_mask", Replies.StatxOut.ATTRIBUTES_MASK);
        out.is("atime_sec", Replies.StatxOut.ATIME).is("btime_sec", Replies.StatxOut.BTIME);
        out.is("ctime_sec", Replies.StatxOut.CTIME).is("mtime_sec", Replies.StatxOut.MTIME);
        out.is("atime_nsec", Replies.StatxOut.ATIME + Replies.StatxOut.TIME_NSEC);
        out.is("rdev_major", Replies.StatxOut.RDEV_MAJOR).is("rdev_minor", Replies.StatxOut.RDEV_MINOR);
        out.size(Replies.StatxOut.SIZE);
        new Struct("getattr_flags:4 reserved:4 fh:8 sx_flags:4 sx_mask:4").size(Requests.Statx.SIZE);
    }

    @Test
    void names() {
        new Struct("mode:4 rdev:4 umask:4 padding:4")
                .is("rdev", Requests.Mknod.RDEV)
                .size(Requests.Mknod.SIZE);
        new Struct("mode:4 umask:4").is("mode", Requests.Mkdir.MODE).size(Requests.Mkdir.SIZE);
        new Struct("flags:4 mode:4 umask:4 open_flags:4")
                .is("mode", Requests.Create.MODE)
                .size(Requests.Create.SIZE);
        new Struct("newdir:8").is("newdir", Requests.Rename.NEWDIR).size(Requests.Rename.SIZE);
        new Struct("newdir:8 flags:4 padding:4")
                .is("flags", Requests.Rename2.FLAGS)
                .size(Requests.Rename2.SIZE);
        new Struct("oldnodeid:8").is("oldnodeid", Requests.Link.OLDNODEID).size(Requests.Link.SIZE);
        new Struct("nlookup:8").is("nlookup", Requests.Forget.NLOOKUP).size(Requests.Forget.SIZE);
        new Struct("count:4 dummy:4").is("count", Requests.BatchForget.COUNT).size(Requests.BatchForget.SIZE);
        new Struct("nodeid:8 nlookup:8")
                .is("nlookup", Requests.BatchForget.ONE_NLOOKUP)
                .size(Requests.BatchForget.ONE_SIZE);
        new Struct("fh:8 open_flags:4 backing_id:4")
                .is("open_flags", Replies.OpenOut.OPEN_FLAGS)
                .size(Replies.OpenOut.SIZE);
        assertThat(Replies.Dirent.NAME).isEqualTo(new Struct("ino:8 off:8 namelen:4 type:4").end);
        assertThat(Replies.Dirent.size(8)).isEqualTo(32);
        assertThat(Replies.Dirent.size(9)).isEqualTo(40);
    }

    @Test
    void contents() {
        String io = "fh:8 offset:8 size:4 io_flags:4 lock_owner:8 flags:4 padding:4";
        new Struct(io)
                .is("offset", Requests.Read.OFFSET)
                .is("size", Requests.Read.COUNT)
                .size(Requests.Read.SIZE);
        Struct write = new Struct(io);
        write.is("offset", Requests.Write.OFFSET).is("size", Requests.Write.COUNT);
        write.is("io_flags", Requests.Write.WRITE_FLAGS)
                .is("flags", Requests.Write.FLAGS)
                .size(Requests.Write.SIZE);
        new Struct("size:4 padding:4").size(Replies.WriteOut.SIZE);
        new Struct("fh:8 fsync_flags:4 padding:4")
                .is("fsync_flags", Requests.Fsync.FSYNC_FLAGS)
                .size(Requests.Fsync.SIZE);
        new Struct("fh:8 offset:8 whence:4 padding:4")
                .is("offset", Requests.Lseek.OFFSET)
                .is("whence", Requests.Lseek.WHENCE)
                .size(Requests.Lseek.SIZE);
        new Struct("offset:8").size(Replies.LseekOut.SIZE);
        Struct fallocate = new Struct("fh:8 offset:8 length:8 mode:4 padding:4");
        fallocate.is("offset", Requests.Fallocate.OFFSET).is("length", Requests.Fallocate.LENGTH);
        fallocate.is("mode", Requests.Fallocate.MODE).size(Requests.Fallocate.SIZE);
    }

    @Test
    void others() {
        Struct statfs = new Struct("blocks:8 bfree:8 bavail:8 files:8 ffree:8 bsize:4 namelen:4 frsize:4 rest:28");
        statfs.is("bfree", Replies.StatfsOut.BFREE).is("bavail", Replies.StatfsOut.BAVAIL);
        statfs.is("files", Replies.StatfsOut.FILES).is("ffree", Replies.StatfsOut.FFREE);
        statfs.is("bsize", Replies.StatfsOut.BSIZE).is("namelen", Replies.StatfsOut.NAMELEN);
        statfs.is("frsize", Replies.StatfsOut.FRSIZE).size(Replies.StatfsOut.SIZE);
        new Struct("size:4 flags:4").is("flags", Requests.SetXattr.FLAGS).size(Requests.SetXattr.SIZE);
        new Struct("size:4 padding:4").is("size", Requests.GetXattr.ROOM).size(Requests.GetXattr.SIZE);
        new Struct("size:4 padding:4").size(Replies.GetXattrOut.SIZE);
        new Struct("fh:8 flags:4 cmd:4 arg:8 in_size:4 out_size:4")
                .is("cmd", Requests.Ioctl.CMD)
                .is("out_size", Requests.Ioctl.OUT_SIZE)
                .size(Requests.Ioctl.SIZE);
        new Struct("result:4 flags:4 in_iovs:4 out_iovs:4").size(Replies.IoctlOut.SIZE);
    }

    @Test
    void everyOpcodeFitsTheTable() {
        for (Opcode opcode : Opcode.values()) {
            assertThat(opcode.number()).isBetween(1, Opcode.LIMIT - 1);
        }
    }

    private static final class Struct {
        private final Map<String, Integer> offsets = new LinkedHashMap<>();
        private int end;

        Struct(String fields) {
            for (String field : fields.trim().split("\\s+")) {
                String[] part = field.split(":");
                offsets.put(part[0], end);
                end += Integer.parseInt(part[1]);
            }
        }

        Struct is(String field, int offset) {
            assertThat(offset).as(field).isEqualTo(offsets.get(field));
            return this;
        }

        void size(int size) {
            assertThat(size).as("size").isEqualTo(end);
        }
    }
}
