// SPDX-License-Identifier: Apache-2.0
/** Shows what a filesystem says about itself, as {@code dumpe2fs -h} does: {@link ext4.core.info.Info#print}. */
package ext4.core.info;
