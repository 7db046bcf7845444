// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

/**
 * What one task does to a filesystem. An instance belongs to one thread. A call that fails throws {@link FailedCall}.
 * Directories and files go by number.
 */
public interface Hands extends AutoCloseable {
    /** Makes a directory below the place of the load. */
    void makeDirectory(int directory);

    /** Removes an empty one. */
    void removeDirectory(int directory);

    /** Makes an empty file in a directory that {@link #makeDirectory} made, by any task's hands, and closes it. */
    void create(int directory, int file);

    /** Lists a directory with the attributes of each file: how many there are. */
    long walk(int directory);

    /** Removes a file. */
    void unlink(int directory, int file);

    /** Makes and opens a file of this task's own, which {@link #chown} works on. */
    void openOwn();

    /** Gives the own file to another owner: fchown(2). */
    void chown(int owner);

    /** Closes the own file and removes it. */
    void removeOwn();

    @Override
    void close();
}
