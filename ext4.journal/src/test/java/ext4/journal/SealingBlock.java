// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A block whose first sealing tells the test and waits for it: a commit stopped between freezing and writing. */
final class SealingBlock extends FakeBlock {
    private static final long LIMIT_SECONDS = 60;
    private final CountDownLatch sealing;
    private final CountDownLatch goOn;

    SealingBlock(FakeBlock like, CountDownLatch sealing, CountDownLatch goOn) {
        super(like.pblk(), like.data());
        this.sealing = sealing;
        this.goOn = goOn;
    }

    @Override
    public void seal(byte[] version) {
        sealing.countDown();
        try {
            if (!goOn.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the test did not go on");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        super.seal(version);
    }
}
