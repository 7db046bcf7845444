// SPDX-License-Identifier: Apache-2.0
/**
 * What an operator sees of a mounted filesystem: each configuration of the factory PID {@code ext4.mount} is a
 * {@link ext4.api.mount.Mount} service, whether its mount came up or not. The command's control socket and the shell
 * are users of this package and know nothing else about mounts.
 */
@Export
@Version("1.2.0")
package ext4.api.mount;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
