// SPDX-License-Identifier: Apache-2.0
package ext4.image;

/**
 * How an image is opened.
 *
 * <p>Read-only never writes the image. A journal that waits for replay is replayed in memory ({@code replay}), within a
 * quarter of the heap; without replay the files are seen as they stand on the device, which may contradict each other.
 *
 * @param writable whether it may be changed
 * @param replay whether a journal is replayed; always so when writable
 * @param uid owner of what is made
 * @param gid group of what is made
 */
public record ImageOptions(boolean writable, boolean replay, int uid, int gid) {
    /** Read-only; what is needed of the journal is replayed in memory. */
    public static final ImageOptions READ_ONLY = new ImageOptions(false, true, 0, 0);
    /** For changes; what is made belongs to root. */
    public static final ImageOptions READ_WRITE = new ImageOptions(true, true, 0, 0);

    /** Checks what goes together. */
    public ImageOptions {
        if (writable && !replay) {
            throw new IllegalArgumentException("an image is written only after its journal was replayed");
        }
    }

    /** The same with this owner for what is made (unsigned ids). */
    public ImageOptions withOwner(int newUid, int newGid) {
        return new ImageOptions(writable, replay, newUid, newGid);
    }

    /** The same, read-only and without replay. */
    public ImageOptions withoutReplay() {
        return new ImageOptions(false, false, uid, gid);
    }
}
