// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.core.inode.InodeXattrs;

/** The verbs on inodes and their contents, put together. */
public final class FileVerbs {
    private final AccessTime accessTime;
    private final GetAttr getAttr;
    private final ReadFile read;
    private final WriteFile write;
    private final Truncate truncate;
    private final SetAttr setAttr;
    private final Fallocate fallocate;
    private final SeekFile seek;
    private final Sync sync;

    /** Works on these parts. */
    public FileVerbs(Engine engine, InodeXattrs xattrs) {
        Tail tail = new Tail(engine.volume(), engine.map());
        LargeFile largeFile = new LargeFile(engine.volume());
        Privileges privileges = new Privileges(engine.volume(), engine.records(), xattrs);
        accessTime = new AccessTime(engine.volume(), engine.records());
        getAttr = new GetAttr(engine);
        read = new ReadFile(engine, accessTime);
        write = new WriteFile(engine, tail, largeFile, privileges);
        truncate = new Truncate(engine, tail, largeFile);
        setAttr = new SetAttr(engine, truncate, privileges, xattrs);
        fallocate = new Fallocate(engine, tail, largeFile, privileges);
        seek = new SeekFile(engine);
        sync = new Sync(engine);
    }

    /** Access times of what is read. */
    public AccessTime accessTime() {
        return accessTime;
    }

    /** stat(2). */
    public GetAttr getAttr() {
        return getAttr;
    }

    /** pread(2). */
    public ReadFile read() {
        return read;
    }

    /** pwrite(2). */
    public WriteFile write() {
        return write;
    }

    /** truncate(2). */
    public Truncate truncate() {
        return truncate;
    }

    /** chmod(2), chown(2), utimensat(2), truncate(2). */
    public SetAttr setAttr() {
        return setAttr;
    }

    /** fallocate(2). */
    public Fallocate fallocate() {
        return fallocate;
    }

    /** lseek(2). */
    public SeekFile seek() {
        return seek;
    }

    /** fsync(2), syncfs(2). */
    public Sync sync() {
        return sync;
    }
}
