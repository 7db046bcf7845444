// SPDX-License-Identifier: Apache-2.0
/**
 * The command's side inside the container: the control socket of each mount, and the mount that the command asked for.
 * Everything about mounts is asked of the services of {@link ext4.api.mount}.
 */
package ext4.control;
