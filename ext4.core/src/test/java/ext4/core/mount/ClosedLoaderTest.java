// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.block.BlockDevice;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.device.FileBlockDeviceProvider;
import ext4.journal.Jbd2Provider;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bundle that was updated has its revision closed: its core still freezes, thaws and ends, and then nothing of it stays. */
class ClosedLoaderTest {
    private static final int COLLECTIONS = 100;

    @TempDir
    Path folder;

    private Path image;

    @BeforeEach
    void makeImage() {
        Oracles.needE2fsprogs();
        image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 16L << 20, "-b", "1024", "-O", "orphan_file");
    }

    private static CoreFileSystem mount(OwnLoader loader, BlockDevice device) {
        return loader.provider()
                .mount(device, MountOptions.DEFAULTS, new Jbd2Provider(), "sharded", TestMount.strategy("sharded"));
    }

    private static int open(CoreFileSystem fs, String name) {
        Attributes out = new Attributes();
        fs.create(Credentials.ROOT, TestMount.ROOT, TestMount.bytes(name), 0644, out);
        fs.write(Credentials.ROOT, out.ino, 0, ByteBuffer.wrap(TestMount.bytes(name)), 0);
        fs.unlink(Credentials.ROOT, TestMount.ROOT, TestMount.bytes(name));
        return out.ino;
    }

    @Test
    void itEndsWithTheClassesItHas() {
        try (BlockDevice device = new FileBlockDeviceProvider().open(image.toString(), false)) {
            OwnLoader loader = new OwnLoader();
            CoreFileSystem fs = mount(loader, device);
            fs.forget(open(fs, "freed"), 1); // a busy one has freed files before
            fs.awaitEvictions();
            int deleted = open(fs, "deleted");
            loader.close();
            fs.prepareFreeze();
            assertThat(fs.freeze().size()).isEqualTo(1);
            fs.thaw(new Jbd2Provider(), "global", TestMount.strategy("global"));
            fs.freeze();
            fs.thaw(new Jbd2Provider(), "sharded", TestMount.strategy("sharded"));
            fs.forget(deleted, 1);
            fs.awaitEvictions();
            fs.close();
        }
        E2fsprogs.assertClean(image, "closed");
    }

    @Test
    void nothingOfItStays() {
        try (BlockDevice device = new FileBlockDeviceProvider().open(image.toString(), false)) {
            CoreFileSystem[] next = new CoreFileSystem[1];
            int[] deleted = new int[1];
            WeakReference<ClassLoader> old = handOver(device, next, deleted);
            clearSoftReferences();
            for (int i = 0; i < COLLECTIONS && old.get() != null; i++) {
                System.gc();
                LockSupport.parkNanos(1_000_000); // lets reference handlers run
            }
            assertThat(old.get()).as("the class loader of the core before").isNull();
            ByteBuffer read = ByteBuffer.allocate(10);
            assertThat(next[0].read(deleted[0], 0, read)).isEqualTo("deleted".length());
            next[0].close();
        }
        E2fsprogs.assertClean(image, "handed over");
    }

    /** The method types of the JDK are held so. They go before a request for memory fails, whatever its size. */
    @SuppressWarnings("unused")
    private static void clearSoftReferences() {
        try {
            long[] tooMuch = new long[Integer.MAX_VALUE - 8];
        } catch (OutOfMemoryError expected) {
            // all that was asked for
        }
    }

    /** In a method of its own, so that no local variable holds what is gone. */
    private static WeakReference<ClassLoader> handOver(BlockDevice device, CoreFileSystem[] next, int[] deleted) {
        OwnLoader loader = new OwnLoader();
        CoreFileSystem fs = mount(loader, device);
        deleted[0] = open(fs, "deleted");
        PinnedInodes pins = fs.freeze();
        next[0] = new Ext4CoreProvider()
                .adopt(device, MountOptions.DEFAULTS, new Jbd2Provider(), "global", TestMount.strategy("global"), pins);
        fs.close();
        loader.close();
        return new WeakReference<>(loader);
    }
}
