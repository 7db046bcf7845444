// SPDX-License-Identifier: Apache-2.0
package ext4.control.load;

import java.io.IOException;

/** Where the load runs. Directories are numbered; a thread uses one directory. */
public interface Tree {
    /** Makes directory {@code dir}. */
    void makeDirectory(int dir) throws IOException;

    /** Creates an empty file. */
    void create(int dir, int file) throws IOException;

    /** Lists directory {@code dir} and asks for the attributes of each entry: their number. */
    int find(int dir) throws IOException;

    /** Removes a file. */
    void remove(int dir, int file) throws IOException;

    /** Removes directory {@code dir}. */
    void removeDirectory(int dir) throws IOException;
}
