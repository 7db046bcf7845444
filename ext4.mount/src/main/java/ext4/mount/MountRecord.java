// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import java.io.IOException;

/** The configuration a mount comes from, which outlives it. */
interface MountRecord {
    /** Writes the name of a part's service into it, as the property {@code key}. */
    void name(String key, String name) throws IOException;

    /** Changes {@code options} in it between read-only and read-write. */
    void readOnly(boolean readOnly) throws IOException;

    /** Deletes it and returns true, unless it lies in a file that an operator wrote: false then, and it stays. */
    boolean delete() throws IOException;

    /**
     * Deletes it and returns true if the file it came from is gone: it was removed while nobody looked, and a container
     * that keeps configurations brought this one back.
     */
    boolean deleteIfAbandoned() throws IOException;
}
