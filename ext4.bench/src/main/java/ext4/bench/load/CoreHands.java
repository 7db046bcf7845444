// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import java.util.HashMap;
import java.util.Map;

/** A task's hands on a filesystem in this process. */
final class CoreHands implements Hands {
    private static final int ROOT = 2;
    private static final int S_IFMT = 0xF000;
    private static final int S_IFREG = 0x8000;

    private final FileSystem fs;
    private final int task;
    private final Attributes attributes = new Attributes();
    private final AttributeChange change = new AttributeChange();
    /** Inode numbers, pinned once each. */
    private final Map<Integer, Integer> directories = new HashMap<>();

    private int own;

    CoreHands(FileSystem fs, int task) {
        this.fs = fs;
        this.task = task;
    }

    @Override
    public void makeDirectory(int directory) {
        call("mkdir", () -> fs.mkdir(Credentials.ROOT, ROOT, name('d', directory), 0755, attributes));
        directories.put(directory, attributes.ino);
    }

    @Override
    public void removeDirectory(int directory) {
        Integer ino = directories.remove(directory);
        if (ino != null) {
            fs.forget(ino, 1);
        }
        call("rmdir", () -> fs.rmdir(Credentials.ROOT, ROOT, name('d', directory)));
    }

    @Override
    public void create(int directory, int file) {
        int parent = directory(directory);
        try {
            fs.create(Credentials.ROOT, parent, name('f', file), 0644, attributes);
            fs.forget(attributes.ino, 1);
        } catch (Ext4Exception e) {
            throw failed("create", e);
        }
    }

    @Override
    public long walk(int directory) {
        Listing listing = new Listing();
        long before;
        do {
            before = listing.cookie;
            call("readdirplus", () -> fs.readdirplus(directory(directory), listing.cookie, listing::take));
        } while (listing.cookie != before);
        return listing.found;
    }

    /** Counts files and gives their pins back. */
    private final class Listing {
        private long cookie;
        private long found;

        private boolean take(long next, Attributes a, byte[] name, int offset, int length) {
            cookie = next;
            if ((a.mode & S_IFMT) == S_IFREG) {
                found++;
                fs.forget(a.ino, 1);
            }
            return true;
        }
    }

    @Override
    public void unlink(int directory, int file) {
        int parent = directory(directory);
        try {
            fs.unlink(Credentials.ROOT, parent, name('f', file));
        } catch (Ext4Exception e) {
            throw failed("unlink", e);
        }
    }

    @Override
    public void openOwn() {
        call("create", () -> fs.create(Credentials.ROOT, ROOT, name('o', task), 0644, attributes));
        own = attributes.ino;
    }

    @Override
    public void chown(int owner) {
        change.valid = AttributeChange.UID | AttributeChange.GID | AttributeChange.KILL_PRIVILEGES;
        change.uid = owner;
        change.gid = owner;
        try {
            fs.setattr(Credentials.ROOT, own, change, attributes);
        } catch (Ext4Exception e) {
            throw failed("setattr", e);
        }
    }

    @Override
    public void removeOwn() {
        call("unlink", () -> fs.unlink(Credentials.ROOT, ROOT, name('o', task)));
        fs.forget(own, 1);
        own = 0;
    }

    @Override
    public void close() {
        if (own != 0) {
            fs.forget(own, 1);
        }
        directories.values().forEach(ino -> fs.forget(ino, 1));
    }

    private int directory(int directory) {
        Integer ino = directories.get(directory);
        if (ino == null) {
            call("lookup", () -> fs.lookup(ROOT, name('d', directory), attributes));
            ino = attributes.ino;
            directories.put(directory, ino);
        }
        return ino;
    }

    private static byte[] name(char kind, int number) {
        byte[] name = new byte[Names.LENGTH];
        Names.put(name, kind, number);
        return name;
    }

    private static void call(String verb, Runnable call) {
        try {
            call.run();
        } catch (Ext4Exception e) {
            throw failed(verb, e);
        }
    }

    private static FailedCall failed(String verb, Ext4Exception e) {
        return new FailedCall(verb, e.getMessage());
    }
}
