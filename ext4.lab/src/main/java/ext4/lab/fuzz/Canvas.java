// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeMap;

/** An image with changes to some of its blocks; the image itself stays as it is. For one thread while it is changed. */
final class Canvas {
    private final byte[] image;
    private final int blockSize;
    private final TreeMap<Long, byte[]> changed = new TreeMap<>();

    Canvas(Base base) {
        image = base.image();
        blockSize = base.blockSize();
    }

    int blockSize() {
        return blockSize;
    }

    /** Bytes of the image. */
    int size() {
        return image.length;
    }

    /** A block to change. */
    byte[] block(long pblk) {
        return changed.computeIfAbsent(pblk, this::copy);
    }

    /** A copy of a block as it is now. */
    byte[] copy(long pblk) {
        byte[] now = changed.get(pblk);
        int at = (int) pblk * blockSize;
        return now != null ? now.clone() : Arrays.copyOfRange(image, at, at + blockSize);
    }

    /** The array in which a block stands now, not to be changed, and where it begins there. */
    void read(long pblk, int from, byte[] into, int at, int count) {
        byte[] now = changed.get(pblk);
        if (now != null) {
            System.arraycopy(now, from, into, at, count);
        } else {
            System.arraycopy(image, (int) pblk * blockSize + from, into, at, count);
        }
    }

    /** Numbers of the blocks that were changed. */
    Set<Long> changed() {
        return changed.keySet();
    }
}
