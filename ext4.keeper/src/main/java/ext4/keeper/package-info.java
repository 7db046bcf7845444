// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps mounts beyond the life of the process that serves them: the two {@link ext4.api.keep.Keeper} services.
 *
 * <p>What is kept of a mount is a set of named descriptors, the same for both: {@code fuse.0}, {@code fuse.1} ... of the
 * connection, each with its name for as long as it is open, {@code nodes} and {@code words}, which are memory with a descriptor ({@link ext4.keeper.nodes},
 * {@link ext4.keeper.store}).
 *
 * <p><b>The keeper process</b> ({@link ext4.keeper.process}) starts the server, which finds its end of a SOCK_SEQPACKET
 * socket at the descriptor that {@code EXT4_KEEPER_FD} names. Messages are text, words separated by a blank, with at most
 * one descriptor:
 *
 * <pre>
 * server to keeper                     answer
 * PUT name + descriptor                none; replaces what has that name
 * REMOVE name                          none
 * TAKE                                 NONE, or GIVE name + descriptor ..., then GIVEN planned|crashed
 * SERVES                               OK; who served it before is told DONE
 * REFUSES reason                       none; the sender ends
 * PREPARE                              READY when a further server has come to its TAKE, or FAILED reason
 * HAND                                 DONE when that one SERVES, or FAILED reason when it has ended
 * DROP                                 OK; nothing is kept any more, and the keeper ends with the server
 * </pre>
 *
 * A server that ends without DROP while something is kept is replaced by another. Should a server close its socket and
 * live, it is killed first: two of them never have one image.
 *
 * <p><b>systemd</b> keeps the same descriptors under {@code HASH.name}, where HASH tells mounts apart: {@code FDSTORE=1},
 * {@code FDNAME=}, {@code FDSTOREREMOVE=1} in datagrams to {@code NOTIFY_SOCKET}; {@code LISTEN_FDS} and
 * {@code LISTEN_FDNAMES} when it starts the server again. See sd_pid_notify_with_fds(3), sd_listen_fds(3).
 */
package ext4.keeper;
