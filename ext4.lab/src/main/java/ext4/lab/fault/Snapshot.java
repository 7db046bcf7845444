// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** The bytes of a medium, which nobody changes: pages that several snapshots share. */
final class Snapshot {
    /** Bytes of a page. */
    static final int PAGE = 4096;

    private static final byte[] ZEROS = new byte[PAGE];

    final byte[][] pages;

    private Snapshot(byte[][] pages) {
        this.pages = pages;
    }

    /** Of pages that are not written any more; those that are as in {@code like} are shared with it. */
    static Snapshot of(byte[][] pages, Snapshot like) {
        byte[][] kept = new byte[pages.length][];
        for (int i = 0; i < pages.length; i++) {
            boolean same = like != null && Arrays.equals(like.pages[i], pages[i]);
            kept[i] = same ? like.pages[i] : pages[i];
        }
        return new Snapshot(kept);
    }

    /** An image file, whose size is a multiple of the page. */
    static Snapshot read(Path image) throws IOException {
        byte[] all = Files.readAllBytes(image);
        byte[][] pages = new byte[all.length / PAGE][];
        for (int i = 0; i < pages.length; i++) {
            byte[] page = Arrays.copyOfRange(all, i * PAGE, (i + 1) * PAGE);
            pages[i] = Arrays.equals(page, ZEROS) ? ZEROS : page;
        }
        return new Snapshot(pages);
    }

    /** Makes the image file, sparse. */
    void write(Path image) throws IOException {
        Files.deleteIfExists(image);
        try (FileChannel file = FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(pages[pages.length - 1]), (long) (pages.length - 1) * PAGE);
            for (int i = 0; i < pages.length - 1; i++) {
                if (!Arrays.equals(pages[i], ZEROS)) {
                    file.write(ByteBuffer.wrap(pages[i]), (long) i * PAGE);
                }
            }
        }
    }

    long size() {
        return (long) pages.length * PAGE;
    }

    /** {@code length} bytes at {@code offset}, within a page. */
    byte[] bytes(long offset, int length) {
        int from = (int) (offset % PAGE);
        return Arrays.copyOfRange(pages[(int) (offset / PAGE)], from, from + length);
    }
}
