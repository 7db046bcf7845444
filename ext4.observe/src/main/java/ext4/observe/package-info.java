// SPDX-License-Identifier: Apache-2.0
/**
 * Shows mounts to the tools of a container: by JMX, and by a printer for Felix Inventory, which the Felix web console
 * lists. What is shown is {@link ext4.api.mount.Mount#status}, as {@code ext4 status} and Gogo have it.
 */
package ext4.observe;
