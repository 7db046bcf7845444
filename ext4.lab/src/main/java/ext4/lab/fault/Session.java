// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

/**
 * One mount of a workload, as it went on a good device.
 *
 * @param image what it began with
 * @param begin what of it was durable
 * @param first number, in the whole workload, of its first device operation
 * @param operations device operations in it
 * @param seed of its steps
 */
record Session(Snapshot image, Model begin, long first, long operations, long seed) {}
