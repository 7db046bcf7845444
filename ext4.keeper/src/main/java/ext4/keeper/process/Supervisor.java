// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.process;

import ext4.sys.DescriptorSocket.Message;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Decides who serves: one server at a time, a successor beside it while a restart is under way, another in the place of one
 * that died. A thread a server calls it; its monitor is the only lock, and nothing waits with it held but a send to a
 * server that reads.
 */
final class Supervisor {
    /** How long a successor may take to start, on a loaded machine. */
    private static final long PREPARE_MILLIS = TimeUnit.SECONDS.toMillis(90);
    /** How long a successor may take to adopt an image; callers wait meanwhile. */
    private static final long HAND_MILLIS = TimeUnit.SECONDS.toMillis(25);
    /** So many servers in a row that die before they served, or soon after, are enough. */
    private static final int FAILURES = 5;

    private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<String> command;
    private final Consumer<String> log;
    private final Timer timer = new Timer("limits", true);
    private final CompletableFuture<Integer> done = new CompletableFuture<>();
    /** Guarded by this, as all below. */
    private final Held held = new Held();

    private Server current;
    private Server successor;
    private boolean handing;
    private boolean ending;
    private int failures;

    /**
     * @param command that starts a server
     * @param log takes a line about what went wrong
     */
    Supervisor(List<String> command, Consumer<String> log) {
        this.command = command;
        this.log = log;
    }

    /** Starts the first server; returns at the end of all, with the exit status of the last. */
    int run() {
        synchronized (this) {
            current = launch();
        }
        return done.join();
    }

    /** Has the server unmount, and returns when it has ended. */
    void end() {
        synchronized (this) {
            ending = true;
            for (Server server : new Server[] {successor, current}) {
                if (server != null) {
                    server.terminate();
                }
            }
        }
        done.join();
    }

    private Server launch() {
        try (Arena arena = Arena.ofConfined()) {
            Server server = Server.start(new SystemCalls(arena), command);
            Thread.ofPlatform().name("server " + server.pid()).start(() -> server.listen(this));
            return server;
        }
    }

    synchronized void message(SystemCalls calls, Server from, Message message) {
        String[] words = message.text().split(" ", 2);
        String rest = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "TAKE" -> take(calls, from);
            case "PUT" -> put(calls, from, rest, message.descriptor());
            case "REMOVE" -> remove(calls, from, rest);
            case "SERVES" -> serves(calls, from);
            case "REFUSES" -> from.refusal = rest;
            case "PREPARE" -> prepare(calls, from);
            case "HAND" -> hand(calls, from);
            case "DROP" -> drop(calls, from);
            default -> log.accept("unknown message '" + message.text() + "' of process " + from.pid());
        }
    }

    private void take(SystemCalls calls, Server from) {
        from.ready = true;
        if (from == current) {
            give(calls, from, "crashed");
        } else if (from == successor && current.waits) {
            answer(calls, "READY");
        }
    }

    private void give(SystemCalls calls, Server to, String how) {
        if (held.isEmpty()) {
            to.tell(calls, "NONE", -1);
            return;
        }
        held.give(calls, to);
        to.tell(calls, "GIVEN " + how, -1);
    }

    private void put(SystemCalls calls, Server from, String name, int descriptor) {
        if (from == current && descriptor >= 0) {
            if (held.isEmpty()) {
                from.servesSince = System.nanoTime() - SOON_NANOS; // the first, which took over from nobody
            }
            held.put(calls, name, descriptor);
        } else if (descriptor >= 0) {
            calls.close(descriptor);
        }
    }

    private void remove(SystemCalls calls, Server from, String name) {
        if (from == current) {
            held.remove(calls, name);
        }
    }

    private void serves(SystemCalls calls, Server from) {
        from.servesSince = System.nanoTime();
        if (from == successor && handing) {
            handing = false;
            from.tell(calls, "OK", -1); // it first: should this process die now, nobody reads, and nobody goes on
            answer(calls, "DONE");
            current.released = true;
            current = from;
            successor = null;
        } else if (from == current) {
            from.tell(calls, "OK", -1);
        }
    }

    private void prepare(SystemCalls calls, Server from) {
        if (from != current) {
            return;
        }
        from.waits = true;
        if (ending) {
            answer(calls, "FAILED the keeper process was told to end");
        } else if (successor == null) {
            try {
                successor = launch();
                limit(successor, PREPARE_MILLIS, false);
            } catch (IllegalStateException e) {
                answer(calls, "FAILED the new process does not start: " + e.getMessage());
            }
        } else if (successor.ready) {
            answer(calls, "READY");
        }
    }

    private void hand(SystemCalls calls, Server from) {
        if (from != current) {
            return;
        }
        from.waits = true;
        if (successor == null || !successor.ready) {
            answer(calls, "FAILED the new process has ended");
            return;
        }
        handing = true;
        give(calls, successor, "planned");
        limit(successor, HAND_MILLIS, true);
    }

    /** Kills a server that takes too long; the rest follows from its end. */
    private void limit(Server server, long millis, boolean hands) {
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        tooLate(server, hands, millis);
                    }
                },
                millis);
    }

    private synchronized void tooLate(Server server, boolean hands, long millis) {
        if (server == successor && (hands ? handing : !server.ready)) {
            server.refusal = "it took more than " + TimeUnit.MILLISECONDS.toSeconds(millis) + " s";
            server.kill();
        }
    }

    private void drop(SystemCalls calls, Server from) {
        if (from == current) {
            held.clear(calls);
        }
        from.tell(calls, "OK", -1);
    }

    private void answer(SystemCalls calls, String text) {
        if (current.waits) {
            current.waits = false;
            current.tell(calls, text, -1);
        }
    }

    /** The socket is closed: it ends, or it must. */
    synchronized void silent(Server server) {
        if (!server.released && !(server == current && held.isEmpty())) {
            server.kill();
        }
    }

    /** It has ended, and whatever it had locked is free. */
    synchronized void ended(SystemCalls calls, Server server, int status) {
        if (server == successor) {
            successor = null;
            handing = false;
            answer(
                    calls,
                    "FAILED the new process "
                            + (server.refusal == null
                                    ? "ended with status " + status
                                    : "did not take over: " + server.refusal));
        } else if (server == current) {
            currentEnded(calls, status);
        }
    }

    private void currentEnded(SystemCalls calls, int status) {
        if (held.isEmpty() || ending) {
            finish(calls, status);
            return;
        }
        boolean served = current.servesSince != 0 && System.nanoTime() - current.servesSince >= SOON_NANOS;
        failures = served ? 0 : failures + 1;
        if (failures >= FAILURES) {
            log.accept("gives up: " + failures + " processes in a row could not serve the mount, the last "
                    + (current.refusal == null ? "ended with status " + status : "said: " + current.refusal)
                    + "; calls on it fail from now on");
            finish(calls, 1);
            return;
        }
        log.accept("process " + current.pid() + " ended with status " + status + "; another takes over");
        try {
            replace(calls);
        } catch (IllegalStateException e) {
            log.accept("gives up: no other process: " + e.getMessage());
            finish(calls, 1);
        }
    }

    private void replace(SystemCalls calls) {
        current = successor != null ? successor : launch();
        successor = null;
        if (current.ready && !handing) {
            give(calls, current, "crashed");
        }
        handing = false;
    }

    /** Without a descriptor left anywhere the kernel answers every caller. */
    private void finish(SystemCalls calls, int status) {
        held.clear(calls);
        if (successor != null) {
            successor.kill();
        }
        done.complete(status);
    }
}
