// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import ext4.lab.crash.image.Image;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;

/**
 * A file that other programs are shown images in. It is mapped: only the blocks that differ are written, and what the
 * programs changed is found without a system call.
 */
final class ImageFile implements AutoCloseable {
    private static final int PART = Image.BLOCK;

    private final Path path;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment mapped;

    /** What the file held when it was last shown or taken. */
    private final Image known;

    /** @param first of which all images are copies */
    ImageFile(Path path, Image first) throws IOException {
        this.path = path;
        known = new Image(first);
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.truncate(0);
            mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, first.bytes().length, arena);
        }
        MemorySegment.copy(MemorySegment.ofArray(first.bytes()), 0, mapped, 0, mapped.byteSize());
    }

    Path path() {
        return path;
    }

    /** Makes the file's bytes those of {@code image}; nobody changed the file since it was last shown or taken. */
    void show(Image image) {
        BitSet blocks = known.become(image);
        MemorySegment bytes = MemorySegment.ofArray(image.bytes());
        for (int block = blocks.nextSetBit(0); block >= 0; block = blocks.nextSetBit(block + 1)) {
            long at = (long) block * Image.BLOCK;
            MemorySegment.copy(bytes, at, mapped, at, Image.BLOCK);
        }
    }

    /** Makes the bytes of {@code image} those of the file, whoever changed it. */
    void take(Image image) {
        image.become(known);
        MemorySegment bytes = MemorySegment.ofArray(image.bytes());
        byte[] part = new byte[PART];
        for (long at = differs(bytes, 0); at >= 0; at = differs(bytes, at + PART)) {
            int length = (int) Math.min(PART, mapped.byteSize() - at);
            MemorySegment.copy(mapped, at, MemorySegment.ofArray(part), 0, length);
            image.put((int) at, part, 0, length);
        }
        known.become(image);
    }

    /** The first part from {@code from} on that differs, or -1. */
    private long differs(MemorySegment bytes, long from) {
        if (from >= mapped.byteSize()) {
            return -1;
        }
        long at = MemorySegment.mismatch(mapped, from, mapped.byteSize(), bytes, from, bytes.byteSize());
        return at < 0 ? -1 : (from + at) / PART * PART;
    }

    @Override
    public void close() throws IOException {
        arena.close();
        Files.deleteIfExists(path);
    }
}
