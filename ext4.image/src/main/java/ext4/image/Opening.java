// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.MountOptions;
import ext4.core.mkfs.Mkfs;
import ext4.core.mkfs.MkfsException;
import ext4.core.mkfs.MkfsOptions;
import ext4.core.mount.Ext4CoreProvider;
import ext4.device.FileBlockDeviceProvider;
import ext4.device.OverlayBlockDevice;
import ext4.journal.Jbd2Provider;
import ext4.journal.NoLogProvider;
import ext4.orphan.sharded.ShardedOrphanStrategy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Puts the parts together: device, core, journal, strategy. */
final class Opening {
    /** Part of the heap for the blocks of a journal that is replayed in memory. */
    private static final int REPLAY_SHARE = 4;

    private Opening() {}

    /** Opens the file or block device for this process alone. */
    static BlockDevice device(Path image, boolean readOnly) throws IOException {
        String name = image.toString();
        if (Files.notExists(image)) {
            throw new NoSuchFileException(name);
        }
        if (!Files.isReadable(image) || !readOnly && !Files.isWritable(image)) {
            throw new AccessDeniedException(name);
        }
        try {
            return new FileBlockDeviceProvider().open(name, readOnly);
        } catch (DeviceException e) {
            throw trouble(e, name);
        }
    }

    /** Mounts; the device is closed if that fails. */
    static CoreFileSystem mount(BlockDevice device, ImageOptions options) throws IOException {
        boolean mounted = false;
        try {
            CoreFileSystem fs = attach(device, options);
            if (options.writable() && fs.readOnly()) {
                fs.close();
                throw new UnsupportedImageException(
                        device.name(), "has features that this version can read only: not opened for writing");
            }
            mounted = true;
            return fs;
        } catch (Ext4Exception e) {
            throw trouble(e, device.name());
        } finally {
            if (!mounted) {
                device.close();
            }
        }
    }

    private static CoreFileSystem attach(BlockDevice device, ImageOptions options) {
        boolean overlay = !options.writable() && options.replay();
        BlockDevice used =
                overlay ? new OverlayBlockDevice(device, Runtime.getRuntime().maxMemory() / REPLAY_SHARE) : device;
        MountOptions mountOptions = new MountOptions(
                !options.writable(), !options.replay(), false, MountOptions.Atime.NOATIME, 0, true, null, false);
        Ext4CoreProvider core = new Ext4CoreProvider();
        return core.mount(
                used,
                mountOptions,
                core.needsJournal(used) ? new Jbd2Provider() : new NoLogProvider(),
                "sharded",
                new ShardedOrphanStrategy());
    }

    /** Makes a filesystem on the device, which stays open. */
    static void format(BlockDevice device, FormatOptions options, boolean zeroed) throws IOException {
        try {
            MkfsOptions made = new MkfsOptions()
                    .blockSize(options.blockSize())
                    .features(options.features())
                    .label(options.label())
                    .reservedPercent(options.reservedPercent())
                    .zeroed(zeroed);
            Mkfs.run(device, made, new PrintWriter(Writer.nullWriter()));
        } catch (MkfsException e) {
            throw new FileSystemException(device.name(), null, e.getMessage());
        } catch (Ext4Exception e) {
            throw trouble(e, device.name());
        }
    }

    /** A new file of that size with a filesystem in it; nothing is left of it if that fails. */
    static void createFile(Path image, long size, FormatOptions options) throws IOException {
        Files.createFile(image);
        boolean made = false;
        try {
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(size);
            }
            try (BlockDevice device = device(image, false)) {
                format(device, options, true);
            }
            made = true;
        } finally {
            if (!made) {
                Files.deleteIfExists(image);
            }
        }
    }

    /** The image's name is part of most messages already; it isn't said twice. */
    private static IOException trouble(Ext4Exception e, String name) {
        if (e instanceof DeviceException && e.getMessage().startsWith(name + ": ")) {
            FileSystemException file =
                    new FileSystemException(name, null, e.getMessage().substring(name.length() + 2));
            file.initCause(e);
            return file;
        }
        return Errors.of(e, name, null);
    }
}
