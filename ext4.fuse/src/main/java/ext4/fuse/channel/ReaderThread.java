// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import ext4.api.fs.RequestThread;

/** A reader's thread, which can be told that its request waits at the gate of the mount. */
final class ReaderThread extends Thread implements RequestThread {
    private final Spares spares;
    /** Set and used by this thread only; null before it serves. */
    private RequestHandler.Worker worker;

    ReaderThread(Runnable reader, String name, Spares spares) {
        super(null, reader, name, 0, false);
        this.spares = spares;
        setDaemon(true);
        setContextClassLoader(ReaderThread.class.getClassLoader());
    }

    void serves(RequestHandler.Worker serving) {
        worker = serving;
    }

    @Override
    public void waiting() {
        spares.begin();
        worker.waiting();
    }

    @Override
    public void resumed() {
        worker.resumed();
        spares.end();
    }
}
