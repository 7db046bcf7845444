// SPDX-License-Identifier: Apache-2.0
/** The orphan list as one chain under one mutex, on disk at once: the kernel's way up to 2012, kept as the comparison. */
package ext4.orphan.global;
