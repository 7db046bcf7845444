// SPDX-License-Identifier: Apache-2.0
package ext4.journal.recovery;

import ext4.format.FormatException;
import ext4.format.jbd2.LogFormat;
import ext4.format.jbd2.RevokeBlock;
import ext4.journal.log.LogFile;
import ext4.journal.log.LogMap;
import java.util.HashMap;
import java.util.Map;

/** Pass 2: which blocks are revoked, and up to which transaction. */
final class RevokePass implements LogWalker.Pass {
    private final LogFormat format;
    private final LogMap map;
    private final int end;

    /** Block to the newest transaction that revokes it. Bounded by what the ring can hold. */
    private final Map<Long, Integer> revoked = new HashMap<>();

    RevokePass(LogFile file, int end) {
        this.format = file.format();
        this.map = file.map();
        this.end = end;
    }

    /** Whether the copy of {@code pblk} in transaction {@code sequence} must not be replayed. */
    boolean isRevoked(long pblk, int sequence) {
        Integer newest = revoked.get(pblk);
        return newest != null && newest - sequence >= 0;
    }

    @Override
    public boolean endsBefore(int sequence) {
        return sequence == end;
    }

    @Override
    public void descriptor(int sequence, byte[] block, int lblk, int firstData, int count) {}

    @Override
    public void revoke(int sequence, byte[] block, int lblk) {
        try {
            int count = RevokeBlock.count(format, block, map.pblk(lblk));
            for (int i = 0; i < count; i++) {
                revoked.put(RevokeBlock.fsBlock(format, block, i), sequence);
            }
        } catch (FormatException e) {
            throw LogFile.corrupt(e, map.pblk(lblk));
        }
    }

    @Override
    public boolean commit(int sequence, byte[] block, int lblk) {
        return true;
    }
}
