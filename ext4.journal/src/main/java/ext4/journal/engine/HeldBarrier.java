// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.JournalClosedException;
import ext4.api.orphan.OrphanList;

/** The barrier while it is up. Its handle may be closed before the barrier, so that a commit can run behind it. */
final class HeldBarrier implements Barrier {
    private final Engine engine;
    private final HandleGate gate;
    private final Committer committer;
    private TxHandle handle;
    private boolean closed;

    HeldBarrier(Engine engine, HandleGate gate, Committer committer) {
        this.engine = engine;
        this.gate = gate;
        this.committer = committer;
    }

    @Override
    public Handle handle() {
        checkHeld();
        if (handle == null) {
            if (engine.isClosed()) {
                throw JournalClosedException.INSTANCE;
            }
            if (engine.running().nearlyFull() && !engine.isAborted()) {
                engine.commitRunning();
            }
            gate.openBarrierHandle();
            handle = committer.barrierHandle();
        }
        return handle;
    }

    @Override
    public void publish(OrphanList list) {
        checkHeld();
        gate.runBetweenClosings(() -> engine.publish(list));
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (handle != null) {
            handle.close();
        }
        gate.lowerBarrier();
    }

    private void checkHeld() {
        if (closed) {
            throw new IllegalStateException("the barrier is closed");
        }
    }
}
