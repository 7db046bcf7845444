// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/**
 * Answer of statfs(2).
 *
 * @param blockSize bytes
 * @param blocks blocks without the filesystem's own overhead
 * @param free free blocks
 * @param available free blocks for callers that may not use the reserve
 * @param files inodes
 * @param filesFree free inodes
 * @param nameMax longest name in bytes
 */
public record StatFs(int blockSize, long blocks, long free, long available, long files, long filesFree, int nameMax) {}
