// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ext4 lab fault}: a mounted filesystem whose device goes wrong.
 *
 * <p>A {@link ext4.lab.fault.Lineage} is a workload made once on a good device, as a row of mounts; each of them, with the
 * image and the files that it began with, is a {@link ext4.lab.fault.Session}. A {@link ext4.lab.fault.Trial} does one session
 * again on a device that goes wrong at one operation, and hands what is left to the {@link ext4.lab.fault.Judge}.
 */
package ext4.lab.fault;
