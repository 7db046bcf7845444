// SPDX-License-Identifier: Apache-2.0
/**
 * The null filesystem: keeps names and numbers, stores nothing else and computes every attribute. What it reaches
 * through a transport is the limit of any filesystem on that transport.
 */
package ext4.bench.nullfs;
