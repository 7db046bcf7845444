// SPDX-License-Identifier: Apache-2.0
/** Commands on a filesystem that is not mounted: they run in the command's own process, without a container. */
package ext4.launcher.offline;
