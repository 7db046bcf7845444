// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/**
 * What a hand-over inside a core did.
 *
 * @param orphans handed over
 * @param pauseMicros how long no handle could be started, in microseconds
 * @param flushedBytes what was written in that time, in bytes
 */
public record HandOver(long orphans, long pauseMicros, long flushedBytes) {}
