// SPDX-License-Identifier: Apache-2.0
/**
 * The two checksums of ext4: {@link ext4.format.checksum.Crc32c} of metadata_csum and JBD2, and
 * {@link ext4.format.checksum.Crc16} of uninit_bg. Both in the raw form of the format: the caller's start value is used
 * as it is and the result is not inverted, so partial sums chain. Source: Documentation/filesystems/ext4/checksums.rst.
 */
package ext4.format.checksum;
