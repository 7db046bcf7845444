// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/**
 * On whose behalf a verb runs: the owner of what it creates, and whether it may use reserved blocks. Access checks are
 * made by the kernel (mount option default_permissions) or by the program that calls in-process.
 *
 * @param uid user id
 * @param gid group id
 * @param umask bits cleared from the mode of what is created, 0 if the caller has applied it
 */
public record Credentials(int uid, int gid, int umask) {
    /** The superuser with an empty umask. */
    public static final Credentials ROOT = new Credentials(0, 0, 0);
}
