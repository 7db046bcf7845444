// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/**
 * Where and how a transport mounts.
 *
 * @param source what mount(8) shows as the source, normally the image's absolute path
 * @param directory absolute path of the mount point
 * @param readOnly ro
 * @param allowOther allow_other: users other than the one who mounts may use it
 */
public record MountPoint(String source, String directory, boolean readOnly, boolean allowOther) {}
