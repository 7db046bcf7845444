// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * A thread of a transport that outlives it: it works for one transport after another, and between them holds nothing of
 * either. That is for what the operating system ties to a thread, as io_uring(7) does with what a thread submitted. It is
 * found by its {@link #threadId}, which fits into a {@link TransportState}.
 *
 * <p>And a thread of any part that calls others, {@link #once}: a framework may keep a thread that loaded a class of
 * another bundle (Apache Felix 7.0.5 does, where two load one class at once and the slower one finds it loaded), so the
 * thread must hold nothing of its own bundle when it has ended. {@link Thread} itself holds its task for ever.
 */
public final class CarrierThread extends Thread implements RequestThread {
    private static final Map<Long, CarrierThread> ALIVE = new ConcurrentHashMap<>();

    private final Semaphore given = new Semaphore(0);
    /** What to do next, null to end. Read behind {@link #given}. */
    private Runnable next;
    /** Who answers requests on this thread. Set and used by this thread. */
    private RequestThread serving;
    /** What the transports hand on with this thread. */
    private volatile List<Object> luggage = List.of();

    private volatile boolean resting = true;

    /** Not started yet. */
    public CarrierThread(String name) {
        super(null, null, name, 0, false);
        setDaemon(true);
        setContextClassLoader(CarrierThread.class.getClassLoader());
    }

    /** Not started yet: does that, and ends. */
    public static CarrierThread once(String name, Runnable work) {
        CarrierThread thread = new CarrierThread(name);
        thread.give(() -> {
            thread.end();
            work.run();
        });
        return thread;
    }

    /** The one with that {@link #threadId}, or null if it has ended. */
    public static CarrierThread find(long id) {
        return ALIVE.get(id);
    }

    @Override
    public void start() {
        ALIVE.put(threadId(), this);
        boolean started = false;
        try {
            super.start();
            started = true;
        } finally {
            if (!started) {
                ALIVE.remove(threadId());
            }
        }
    }

    /** Lets it do something, when it is done with what it does. One thread at a time calls this and {@link #end}. */
    public void give(Runnable work) {
        resting = false;
        next = work;
        given.release();
    }

    /** Lets it end when it is done with what it does. */
    public void end() {
        next = null;
        given.release();
    }

    /** Whether it has nothing to do, and holds nothing of what it did. */
    public boolean resting() {
        return resting;
    }

    /** Things to hand on with it. Their classes must be of bundles that stay. */
    public void carry(List<Object> things) {
        luggage = List.copyOf(things);
    }

    /** What it was given to {@link #carry}. */
    public List<Object> carried() {
        return luggage;
    }

    /** Called by the thread itself: who is told of {@link #waiting} and {@link #resumed} until it has nothing to do. */
    public void serves(RequestThread who) {
        serving = who;
    }

    /** Who that is. Called by the thread itself. */
    public RequestThread serving() {
        return serving;
    }

    @Override
    public void run() {
        try {
            while (worked()) {
                resting = true;
            }
        } finally {
            ALIVE.remove(threadId());
        }
    }

    /** A frame of its own, so that none holds what was done. */
    private boolean worked() {
        given.acquireUninterruptibly();
        Runnable work = next;
        next = null;
        if (work == null) {
            return false;
        }
        try {
            work.run();
        } finally {
            serving = null;
        }
        return true;
    }

    @Override
    public void waiting() {
        if (serving != null) {
            serving.waiting();
        }
    }

    @Override
    public void resumed() {
        if (serving != null) {
            serving.resumed();
        }
    }
}
