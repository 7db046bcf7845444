// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ext4 lab crash}: workloads are recorded write by write; the power is cut after each of them, and with some of the
 * writes since the last flush lost or torn; each image that comes of it is recovered and judged once.
 */
package ext4.lab.crash;
