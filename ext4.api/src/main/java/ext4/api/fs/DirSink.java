// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/** Takes the entries of a directory, in the order of their cookies. */
@FunctionalInterface
public interface DirSink {
    /**
     * One entry.
     *
     * @param cookie where to go on after this entry, see {@link FileSystem#readdir}
     * @param ino inode number
     * @param mode file type bits as in stat(2) (S_IFMT)
     * @param name the name's bytes; valid only during the call
     * @param offset where the name begins in {@code name}
     * @param length bytes of the name
     * @return false if there was no room: the entry is not consumed and the listing ends
     */
    boolean entry(long cookie, int ino, int mode, byte[] name, int offset, int length);
}
