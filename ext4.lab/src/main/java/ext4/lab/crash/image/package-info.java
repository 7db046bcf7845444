// SPDX-License-Identifier: Apache-2.0
/** Small images in memory: what a device holds, block by block with hashes, and the ones that explorations begin with. */
package ext4.lab.crash.image;
