// SPDX-License-Identifier: Apache-2.0
package ext4.image;

/**
 * A file as a listing or a walk finds it; symbolic links are not followed.
 *
 * @param path from the root of the image, as the caller named the start; see {@link ByteNames}
 * @param attributes as they were then
 */
public record ImageEntry(String path, ImageAttributes attributes) {
    /** The last part of the path; empty for the root. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** What it is. */
    public FileType type() {
        return attributes.type();
    }
}
