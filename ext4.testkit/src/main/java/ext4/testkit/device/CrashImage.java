// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;

/**
 * The image as a crash leaves it: a base image plus the first n events of a record, moved forward event by event. Also
 * states in which some of the writes since the last flush are missing or torn at 512 bytes, as a device may leave them.
 */
public final class CrashImage implements AutoCloseable {
    private static final int SECTOR = 512;

    /** Offset and size of the superblock in bytes: it is never torn, for nothing that knows ext4 could mount it then. */
    private static final int SUPERBLOCK = 1024;

    private final Path image;
    private final FileChannel channel;
    private final List<DeviceEvent> events;
    private int applied;
    private int lastFlush;

    /** {@code image} is a copy of the base that this object may write to. */
    public CrashImage(Path image, List<DeviceEvent> events) {
        this.image = image;
        this.events = events;
        try {
            channel = FileChannel.open(image, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Moves to the state after {@code count} events; only forward. */
    public void advanceTo(int count) {
        for (; applied < count; applied++) {
            if (events.get(applied) instanceof DeviceEvent.Write write) {
                put(channel, write.offset(), write.data(), 0, write.data().length);
            } else {
                lastFlush = applied + 1;
            }
        }
    }

    /** Writes the state as it is to {@code copy}. */
    public void copyTo(Path copy) {
        try {
            Files.copy(image, copy, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes to {@code copy} the state at the last flush plus a random part of the writes between it and {@code count}:
     * each whole, missing, or torn. {@code flushed} is a copy of the image at the last flush before {@code count}.
     */
    public static void copyTorn(Path flushed, List<DeviceEvent> events, int from, int count, Random random, Path copy) {
        try {
            Files.copy(flushed, copy, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel out = FileChannel.open(copy, StandardOpenOption.WRITE)) {
                for (int i = from; i < count; i++) {
                    if (events.get(i) instanceof DeviceEvent.Write write) {
                        putTorn(out, write, random);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void putTorn(FileChannel out, DeviceEvent.Write write, Random random) {
        switch (random.nextInt(3)) {
            case 0 -> {} // lost
            case 1 -> put(out, write.offset(), write.data(), 0, write.data().length);
            default -> {
                boolean superblock = random.nextBoolean();
                for (int at = 0; at < write.data().length; at += SECTOR) {
                    long offset = write.offset() + at;
                    boolean inSuperblock = offset >= SUPERBLOCK && offset < 2 * SUPERBLOCK;
                    if (inSuperblock ? superblock : random.nextBoolean()) {
                        put(out, write.offset() + at, write.data(), at, Math.min(SECTOR, write.data().length - at));
                    }
                }
            }
        }
    }

    private static void put(FileChannel out, long offset, byte[] data, int from, int length) {
        ByteBuffer buffer = ByteBuffer.wrap(data, from, length);
        try {
            while (buffer.hasRemaining()) {
                out.write(buffer, offset + buffer.position() - from);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Index just after the last flush that the current state has. */
    public int lastFlush() {
        return lastFlush;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
