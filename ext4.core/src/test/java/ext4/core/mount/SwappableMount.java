// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.block.BlockDevice;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.Credentials;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.device.FileBlockDeviceProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.NoLogProvider;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;

/** A mounted image behind a gate, so that its core can be replaced while threads use it. */
final class SwappableMount implements AutoCloseable {
    final BlockDevice device;
    final MountOptions options;
    private final CoreProvider core = new Ext4CoreProvider();
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock(true);
    private CoreFileSystem fs; // guarded by gate

    SwappableMount(Path image, String strategy) {
        this(new FileBlockDeviceProvider().open(image.toString(), false), strategy, MountOptions.DEFAULTS);
    }

    SwappableMount(BlockDevice device, String strategy, MountOptions options) {
        this.device = device;
        this.options = options;
        fs = core.mount(device, options, journal(), strategy, TestMount.strategy(strategy));
    }

    /** The provider of the kind that the image needs. */
    JournalProvider journal() {
        return core.needsJournal(device) ? new Jbd2Provider() : new NoLogProvider();
    }

    /** A verb, which waits while the core is replaced. */
    <T> T call(Function<CoreFileSystem, T> verb) {
        gate.readLock().lock();
        try {
            return verb.apply(fs);
        } finally {
            gate.readLock().unlock();
        }
    }

    void run(Consumer<CoreFileSystem> verb) {
        call(each -> {
            verb.accept(each);
            return null;
        });
    }

    /** Replaces the core; how long verbs waited, in microseconds. */
    long swap(String strategy) {
        run(CoreFileSystem::prepareFreeze);
        long begin = System.nanoTime();
        gate.writeLock().lock();
        try {
            CoreFileSystem old = fs;
            PinnedInodes pins = old.freeze();
            fs = adopt(strategy, TestMount.strategy(strategy), pins);
            old.close();
        } finally {
            gate.writeLock().unlock();
        }
        return (System.nanoTime() - begin) / 1000;
    }

    CoreFileSystem adopt(String name, OrphanStrategy strategy, PinnedInodes pins) {
        return core.adopt(device, options, journal(), name, strategy, pins);
    }

    /** Held for writing while the core is replaced. */
    ReentrantReadWriteLock gate() {
        return gate;
    }

    /** The core at work, for one thread that is alone. */
    CoreFileSystem fs() {
        return fs;
    }

    /** Goes on with another one. */
    void goOn(CoreFileSystem next) {
        fs = next;
    }

    int create(int parent, String name) {
        Attributes out = new Attributes();
        run(each -> each.create(Credentials.ROOT, parent, TestMount.bytes(name), 0644, out));
        return out.ino;
    }

    int mkdir(int parent, String name) {
        Attributes out = new Attributes();
        run(each -> each.mkdir(Credentials.ROOT, parent, TestMount.bytes(name), 0755, out));
        return out.ino;
    }

    int lookup(int parent, String name) {
        Attributes out = new Attributes();
        run(each -> each.lookup(parent, TestMount.bytes(name), out));
        return out.ino;
    }

    Attributes stat(int ino) {
        Attributes out = new Attributes();
        run(each -> each.getattr(ino, out));
        return out;
    }

    void unlink(int parent, String name) {
        run(each -> each.unlink(Credentials.ROOT, parent, TestMount.bytes(name)));
    }

    void write(int ino, long offset, byte[] content) {
        ByteBuffer src = ByteBuffer.wrap(content);
        while (src.hasRemaining()) {
            run(each -> each.write(Credentials.ROOT, ino, offset + src.position(), src, 0));
        }
    }

    byte[] read(int ino, long offset, int count) {
        ByteBuffer dst = ByteBuffer.allocate(count);
        int read = call(each -> each.read(ino, offset, dst));
        byte[] content = new byte[read];
        dst.flip().get(content);
        return content;
    }

    void forget(int ino) {
        run(each -> each.forget(ino, 1));
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
