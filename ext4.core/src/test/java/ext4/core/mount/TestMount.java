// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.block.BlockDevice;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.device.FileBlockDeviceProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.NoLogProvider;
import ext4.orphan.global.GlobalOrphanStrategy;
import ext4.orphan.sharded.ShardedOrphanStrategy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A mounted image with the real journal and strategies, and shorthands for tests. */
public final class TestMount implements AutoCloseable {
    public static final int ROOT = 2;

    public final CoreFileSystem fs;
    private final BlockDevice device;

    public TestMount(Path image, String strategy, MountOptions options) {
        this(new FileBlockDeviceProvider().open(image.toString(), false), strategy, options);
    }

    public TestMount(BlockDevice device, String strategy, MountOptions options) {
        this.device = device;
        boolean mounted = false;
        try {
            Ext4CoreProvider provider = new Ext4CoreProvider();
            JournalProvider journal = provider.needsJournal(device) ? new Jbd2Provider() : new NoLogProvider();
            fs = provider.mount(device, options, journal, strategy, strategy(strategy));
            mounted = true;
        } finally {
            if (!mounted) {
                device.close();
            }
        }
    }

    public TestMount(Path image) {
        this(image, "sharded", MountOptions.DEFAULTS);
    }

    public static OrphanStrategy strategy(String name) {
        return name.equals("global") ? new GlobalOrphanStrategy() : new ShardedOrphanStrategy();
    }

    public static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** Makes a file and keeps its pin. */
    public int create(int parent, String name) {
        Attributes out = new Attributes();
        fs.create(Credentials.ROOT, parent, bytes(name), 0644, out);
        return out.ino;
    }

    /** Makes a directory and keeps its pin. */
    public int mkdir(int parent, String name) {
        Attributes out = new Attributes();
        fs.mkdir(Credentials.ROOT, parent, bytes(name), 0755, out);
        return out.ino;
    }

    /** Finds a name and keeps the pin. */
    public int lookup(int parent, String name) {
        Attributes out = new Attributes();
        fs.lookup(parent, bytes(name), out);
        return out.ino;
    }

    public void unlink(int parent, String name) {
        fs.unlink(Credentials.ROOT, parent, bytes(name));
    }

    public Attributes stat(int ino) {
        Attributes out = new Attributes();
        fs.getattr(ino, out);
        return out;
    }

    public int write(int ino, long offset, byte[] content) {
        return fs.write(Credentials.ROOT, ino, offset, ByteBuffer.wrap(content), 0);
    }

    public byte[] read(int ino, long offset, int count) {
        ByteBuffer dst = ByteBuffer.allocate(count);
        int read = fs.read(ino, offset, dst);
        byte[] content = new byte[read];
        dst.flip().get(content);
        return content;
    }

    public void truncate(int ino, long size) {
        ext4.api.fs.AttributeChange change = new ext4.api.fs.AttributeChange();
        change.valid = ext4.api.fs.AttributeChange.SIZE;
        change.size = size;
        fs.setattr(Credentials.ROOT, ino, change, new Attributes());
    }

    public void punch(int ino, long offset, long length) {
        fs.fallocate(Credentials.ROOT, ino, FileSystem.FALLOC_PUNCH_HOLE | FileSystem.FALLOC_KEEP_SIZE, offset, length);
    }

    @Override
    public void close() {
        try {
            fs.close();
        } finally {
            device.close();
        }
    }
}
