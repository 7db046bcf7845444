// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import ext4.api.block.BlockDevice;
import ext4.api.block.BlockDeviceProvider;
import ext4.api.fs.DeviceException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import org.osgi.service.component.annotations.Component;

/**
 * Opens image files and block special files by path, for this process alone.
 *
 * <p>Other processes of this project are kept out by a POSIX lock on the whole file (shared if read-only); one file is
 * open once in a process, since closing any descriptor of a file would drop that lock. What the kernel has in use is
 * looked up, as the kernel does not honour the lock.
 */
@Component(service = BlockDeviceProvider.class)
public final class FileBlockDeviceProvider implements BlockDeviceProvider {
    private static final int S_IFMT = 0xF000;
    private static final int S_IFBLK = 0x6000;
    private static final int S_IFREG = 0x8000;

    /**
     * Files open in this process, with the name they were opened by: a system property for each, so that copies of this
     * class in other bundles, or in a jar that carries it, know them too.
     */
    private static final String OPEN = "ext4.device.open.";

    private final KernelUse kernel = new KernelUse(Path.of("/sys"), Path.of("/proc"));

    @Override
    public boolean handles(String spec) {
        int colon = spec.indexOf(':');
        int slash = spec.indexOf('/');
        boolean plain = colon < 0 || (slash >= 0 && slash < colon);
        return !spec.isEmpty() && (plain || isFile(spec));
    }

    @Override
    public BlockDevice open(String spec, boolean readOnly) {
        try {
            return open(Path.of(spec), spec, readOnly);
        } catch (InvalidPathException e) {
            throw new DeviceException(spec + ": not a file name");
        } catch (NoSuchFileException e) {
            throw new DeviceException(spec + ": no such file");
        } catch (AccessDeniedException e) {
            throw new DeviceException(spec + ": permission denied");
        } catch (FileSystemException e) {
            throw new DeviceException(spec + ": " + (e.getReason() == null ? e.getMessage() : e.getReason()));
        } catch (IOException e) {
            throw new DeviceException(spec + ": " + e.getMessage(), e);
        }
    }

    private BlockDevice open(Path path, String name, boolean readOnly) throws IOException {
        Map<String, Object> stat = Files.readAttributes(path, "unix:mode,dev,ino,rdev");
        int type = (int) stat.get("mode") & S_IFMT;
        if (Files.isDirectory(path)) {
            throw new DeviceException(name + ": is a directory");
        }
        if (type != S_IFREG && type != S_IFBLK) {
            throw new DeviceException(name + ": neither an image file nor a block device");
        }
        long ino = (long) stat.get("ino");
        String device = majorMinor((long) stat.get("rdev"));
        String key = OPEN + (type == S_IFBLK ? device : stat.get("dev") + "/" + ino);
        String user = type == S_IFBLK ? kernel.userOf(device) : kernel.loopOn(path, readOnly);
        if (user != null) {
            throw new DeviceException(name + ": in use by " + user);
        }
        if (System.getProperties().putIfAbsent(key, name) != null) {
            throw new DeviceException(name + ": in use by this process");
        }
        BlockDevice opened = null;
        try {
            opened = new FileBlockDevice(
                    name,
                    readOnly,
                    type == S_IFREG,
                    () -> locked(path, name, readOnly, ino),
                    () -> System.getProperties().remove(key));
            return opened;
        } finally {
            if (opened == null) {
                System.getProperties().remove(key);
            }
        }
    }

    private FileChannel locked(Path path, String name, boolean readOnly, long ino) throws IOException {
        Set<OpenOption> options =
                readOnly ? Set.of(StandardOpenOption.READ) : Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel channel = FileChannel.open(path, options);
        FileLock lock = null;
        try {
            lock = tryLock(channel, name, readOnly);
            if (lock == null) {
                throw new DeviceException(name + ": in use by " + kernel.lockHolder(ino));
            }
            return channel;
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
    }

    private static FileLock tryLock(FileChannel channel, String name, boolean readOnly) throws IOException {
        try {
            return channel.tryLock(0, Long.MAX_VALUE, readOnly);
        } catch (OverlappingFileLockException e) {
            throw new DeviceException(name + ": locked by this process");
        }
    }

    /**
     * Whether this process has the regular file {@code ino} on device {@code dev} (st_dev of stat(2)) open as an image:
     * nobody else in the process may open it, since closing any descriptor of it drops the lock.
     */
    public static boolean isOpen(long dev, long ino) {
        return System.getProperty(OPEN + dev + "/" + ino) != null;
    }

    /** As in sysfs; the split of the C library's makedev(3). */
    private static String majorMinor(long rdev) {
        long major = (rdev >>> 8 & 0xFFF) | (rdev >>> 32 & ~0xFFFL);
        long minor = (rdev & 0xFF) | (rdev >>> 12 & 0xFFFFFF00L);
        return major + ":" + minor;
    }

    private static boolean isFile(String spec) {
        try {
            return Files.exists(Path.of(spec));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
