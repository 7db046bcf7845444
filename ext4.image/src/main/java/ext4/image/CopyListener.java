// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.io.IOException;

/** Hears how a copy goes, on the thread that copies. */
public interface CopyListener {
    /** Says nothing, and ends the copy at the first failure. */
    CopyListener STRICT = new CopyListener() {};

    /** A file or directory is begun; {@code path} is the source's. */
    default void began(String path) {}

    /** So many bytes more were copied. */
    default void copied(long bytes) {}

    /**
     * A file was not copied, or not all of it kept. If this returns, the copy goes on with the next; when the target is
     * full or the medium failed the copy ends without asking.
     */
    default void failed(IOException e) throws IOException {
        throw e;
    }
}
