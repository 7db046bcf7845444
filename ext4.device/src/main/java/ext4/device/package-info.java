// SPDX-License-Identifier: Apache-2.0
/** Block devices: image files and block special files through positional channel I/O, and memory. Offsets in bytes. */
package ext4.device;
