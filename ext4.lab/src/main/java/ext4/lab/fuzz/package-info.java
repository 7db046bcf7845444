// SPDX-License-Identifier: Apache-2.0
/**
 * Damaged images. {@link ext4.lab.fuzz.Dissection} finds every structure of a sound image ({@link ext4.lab.fuzz.Part}),
 * {@link ext4.lab.fuzz.Damages} makes a few changes to them from a seed, their checksums made anew so that the damage is
 * reached, {@link ext4.lab.fuzz.Trial} mounts, reads, writes and checks what came of it, in memory.
 */
package ext4.lab.fuzz;
