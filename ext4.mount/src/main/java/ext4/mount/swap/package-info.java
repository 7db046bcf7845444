// SPDX-License-Identifier: Apache-2.0
/**
 * Replaces parts of a running mount. One coordinator a mount, one replacement at a time; the order is coordinator, then
 * gate, then barrier. Nothing here keeps a type of a bundle that was replaced: reports and reasons are strings and
 * numbers.
 */
package ext4.mount.swap;
