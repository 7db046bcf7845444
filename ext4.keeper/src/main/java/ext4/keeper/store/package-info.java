// SPDX-License-Identifier: Apache-2.0
/** What is kept of a mount as named descriptors. */
package ext4.keeper.store;
