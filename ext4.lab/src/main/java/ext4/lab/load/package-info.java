// SPDX-License-Identifier: Apache-2.0
/**
 * Loads on a mount point in processes of their own. Each knows what every call must return, and can tell at any time what
 * each of its files must look like.
 */
package ext4.lab.load;
