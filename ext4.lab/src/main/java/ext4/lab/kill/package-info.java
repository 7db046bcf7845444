// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ext4 lab kill}: a mount made by the {@code ext4} command, under a load that notes what was made durable, whose process
 * is killed or starved.
 */
package ext4.lab.kill;
