// SPDX-License-Identifier: Apache-2.0
package ext4.journal.log;

import ext4.journal.inplace.BlockWriter;

/** Appends blocks to the ring from a starting block on. By the commit thread alone. */
final class LogAppender {
    private final LogRing ring;
    private final LogMap map;
    private final BlockWriter writer;
    private int next;
    private int appended;

    LogAppender(LogRing ring, LogFile file, BlockWriter writer) {
        this.ring = ring;
        this.map = file.map();
        this.writer = writer;
    }

    /** The next block goes to {@code lblk}. */
    void startAt(int lblk) {
        next = lblk;
        appended = 0;
    }

    void append(byte[] block) {
        writer.write(map.pblk(next), block);
        next = ring.after(next, 1);
        appended++;
    }

    /** Writes {@code block} to where the next one goes, which overwrites it. */
    void prepareNext(byte[] block) {
        writer.write(map.pblk(next), block);
    }

    /** Hands everything appended to the device. */
    void push() {
        writer.flushBuffer();
    }

    /** Blocks since {@link #startAt}. */
    int appended() {
        return appended;
    }
}
