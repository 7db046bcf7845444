// SPDX-License-Identifier: Apache-2.0
/** A mount that outlives its process: what it has a keeper hold, and how one process follows another. */
package ext4.mount.kept;
