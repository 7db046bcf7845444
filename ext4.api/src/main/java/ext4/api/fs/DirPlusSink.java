// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/** Takes the entries of a directory with their attributes. */
@FunctionalInterface
public interface DirPlusSink {
    /**
     * One entry. If it is taken (true) the inode is pinned once, as by {@link FileSystem#lookup}, except for
     * {@code .} and {@code ..}, which come with only ino and type in {@code attributes} and are never pinned, and for
     * an entry whose inode cannot be read: it comes with nlink 0 and is not pinned either.
     */
    boolean entry(long cookie, Attributes attributes, byte[] name, int offset, int length);
}
