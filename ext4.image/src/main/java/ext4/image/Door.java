// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.lang.invoke.VarHandle;
import java.nio.file.ClosedFileSystemException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Lets verbs in until it is closed, and waits for those inside. No counter is shared by all threads. */
final class Door {
    private static final long PAUSE_NANOS = 100_000;

    private final LongAdder entered = new LongAdder();
    private final LongAdder left = new LongAdder();
    private volatile boolean closed;

    /** @throws ClosedFileSystemException if it is closed; then there is nothing to leave */
    void enter() {
        if (!tryEnter()) {
            throw new ClosedFileSystemException();
        }
    }

    /** Whether it was open; otherwise there is nothing to leave. */
    boolean tryEnter() {
        entered.increment();
        VarHandle.fullFence();
        if (closed) {
            left.increment();
            return false;
        }
        return true;
    }

    void leave() {
        left.increment();
    }

    boolean isClosed() {
        return closed;
    }

    /** Nobody is inside when it returns. Whoever left is summed up first, so the sums meet only when all have. */
    void close() {
        closed = true;
        VarHandle.fullFence();
        while (left.sum() != entered.sum()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
