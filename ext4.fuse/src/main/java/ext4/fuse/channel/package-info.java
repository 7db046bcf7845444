// SPDX-License-Identifier: Apache-2.0
/** Descriptors of {@code /dev/fuse}, their clones, and the threads that read requests and write replies. */
package ext4.fuse.channel;
