// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.process;

import ext4.keeper.ProcessKeeper;
import ext4.sys.DescriptorSocket;
import ext4.sys.DescriptorSocket.Message;
import ext4.sys.Linux;
import ext4.sys.Spawn;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A process that serves, or is about to, and the socket to it. */
final class Server {
    /** Standard output: what servers say goes where this process's words go. */
    private static final int OUTPUT = 1;

    private final int pid;
    private final DescriptorSocket socket;
    /** It has come so far that it wants what is kept. Guarded by the supervisor's monitor. */
    boolean ready;
    /** It asked for a successor, or for the hand-over, and has no answer yet. Guarded by the supervisor's monitor. */
    boolean waits;
    /** It was served its last: what becomes of it is nobody's concern. Guarded by the supervisor's monitor. */
    boolean released;
    /** Why it can't serve, in its own words, or null. Guarded by the supervisor's monitor. */
    String refusal;
    /** When it said that it serves, by System.nanoTime; 0 before. Guarded by the supervisor's monitor. */
    long servesSince;

    private Server(int pid, DescriptorSocket socket) {
        this.pid = pid;
        this.socket = socket;
    }

    /**
     * Starts one.
     *
     * @throws IllegalStateException if there is no process to be had
     */
    static Server start(SystemCalls calls, List<String> command) {
        DescriptorSocket[] ends = DescriptorSocket.pair(calls);
        List<String> environment = new ArrayList<>();
        for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
            if (!variable.getKey().equals(ProcessKeeper.DESCRIPTOR)) {
                environment.add(variable.getKey() + "=" + variable.getValue());
            }
        }
        environment.add(ProcessKeeper.DESCRIPTOR + "=" + Spawn.HANDED);
        int pid = Spawn.start(calls, command, environment, ends[1].fd(), OUTPUT);
        ends[1].close(calls); // or its end would not be seen
        if (pid < 0) {
            ends[0].close(calls);
            throw new IllegalStateException(command.getFirst() + ": " + Linux.errorText(-pid));
        }
        return new Server(pid, ends[0]);
    }

    int pid() {
        return pid;
    }

    /** Sends; that it may be dead is found out by {@link #listen}. */
    void tell(SystemCalls calls, String text, int descriptor) {
        socket.send(calls, text, descriptor);
    }

    /** Hands its messages to the supervisor until it ends, and then its end. */
    void listen(Supervisor supervisor) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            for (Message message = socket.receive(calls); message != null; message = socket.receive(calls)) {
                supervisor.message(calls, this, message);
            }
            supervisor.silent(this);
            int status = Spawn.end(calls, pid);
            socket.close(calls);
            supervisor.ended(calls, this, status);
        }
    }

    void terminate() {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }

    /** kill -9. */
    void kill() {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
}
