// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.util.List;

/**
 * Runs a program that is handed one descriptor of this process, which {@code ProcessBuilder} can't do; see posix_spawn(3).
 * Its standard input is {@code /dev/null}.
 */
public final class Spawn {
    /** Where the program finds the descriptor. */
    public static final int HANDED = 3;

    private static final int MOST_OUTPUT = 1 << 16;
    /** Room for the opaque posix_spawn_file_actions_t, 80 bytes in glibc and musl. */
    private static final int ACTIONS_BYTES = 512;

    private static final Charset TEXT = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private static final MethodHandle PIPE2 =
            Functions.plain("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SPAWN = Functions.plain(
            "posix_spawn", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle WAITPID =
            Functions.plain("waitpid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle ACTIONS_INIT =
            Functions.plain("posix_spawn_file_actions_init", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle ACTIONS_DUP2 = Functions.plain(
            "posix_spawn_file_actions_adddup2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACTIONS_OPEN = Functions.plain(
            "posix_spawn_file_actions_addopen",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACTIONS_DESTROY =
            Functions.plain("posix_spawn_file_actions_destroy", FunctionDescriptor.of(JAVA_INT, ADDRESS));

    private final SystemCalls calls;
    private final Arena arena;

    private Spawn(SystemCalls calls, Arena arena) {
        this.calls = calls;
        this.arena = arena;
    }

    /**
     * How it ended.
     *
     * @param status its exit status, 128 and the signal if one killed it, or the negative error number of the system
     *     call that could not start it
     * @param output what it said
     */
    public record Result(int status, String output) {}

    /**
     * Starts a program that goes on. Whoever starts it has to {@link #end} it, or it stays as a zombie.
     *
     * @param command absolute path, then arguments
     * @param environment all of it, as {@code NAME=VALUE}
     * @param descriptor is {@link #HANDED} in the program; negative for none
     * @param output takes what it says on standard output and error
     * @return the process's number, or a negative error number
     */
    public static int start(
            SystemCalls calls, List<String> command, List<String> environment, int descriptor, int output) {
        try (Arena arena = Arena.ofConfined()) {
            return new Spawn(calls, arena).start(command, environment, descriptor, output);
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** Waits for the end of a program that was {@link #start}ed: as {@link Result#status}. */
    public static int end(SystemCalls calls, int pid) {
        try (Arena arena = Arena.ofConfined()) {
            return new Spawn(calls, arena).await(pid);
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /**
     * Runs a short program to its end; what it says on standard output and error is kept.
     *
     * @param command absolute path, then arguments
     * @param environment all of it, as {@code NAME=VALUE}
     * @param descriptor is {@link #HANDED} in the program; negative for none
     */
    public static Result run(SystemCalls calls, List<String> command, List<String> environment, int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            return new Spawn(calls, arena).run(command, environment, descriptor);
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    private Result run(List<String> command, List<String> environment, int descriptor) throws Throwable {
        MemorySegment ends = arena.allocate(JAVA_INT, 2);
        int made = calls.checked((int) PIPE2.invokeExact(calls.state(), ends, SystemCalls.O_CLOEXEC));
        if (made < 0) {
            return new Result(made, "");
        }
        int reader = ends.getAtIndex(JAVA_INT, 0);
        int writer = ends.getAtIndex(JAVA_INT, 1);
        try {
            int pid;
            try {
                pid = start(command, environment, descriptor, writer);
            } finally {
                calls.close(writer); // or the pipe would not end with the program
            }
            if (pid < 0) {
                return new Result(pid, "");
            }
            String output = readAll(reader);
            return new Result(await(pid), output);
        } finally {
            calls.close(reader);
        }
    }

    /** The process's number, or a negative error number. The functions of spawn.h return it, they don't set errno. */
    private int start(List<String> command, List<String> environment, int descriptor, int writer) throws Throwable {
        MemorySegment actions = arena.allocate(ACTIONS_BYTES, 16);
        int error = (int) ACTIONS_INIT.invokeExact(calls.state(), actions);
        if (error != 0) {
            return -error;
        }
        try {
            // first where others lie that must not be overwritten before they are copied
            error = dup2(actions, writer, 1);
            error = error != 0 ? error : dup2(actions, writer, 2);
            error = error != 0 || descriptor < 0 ? error : dup2(actions, descriptor, HANDED);
            if (error == 0) {
                MemorySegment nothing = arena.allocateFrom("/dev/null");
                error = (int) ACTIONS_OPEN.invokeExact(calls.state(), actions, 0, nothing, SystemCalls.O_RDWR, 0);
            }
            MemorySegment pid = arena.allocate(JAVA_INT);
            if (error == 0) {
                MemorySegment path = arena.allocateFrom(command.getFirst(), TEXT);
                error = (int) SPAWN.invokeExact(
                        calls.state(), pid, path, actions, MemorySegment.NULL, strings(command), strings(environment));
            }
            return error != 0 ? -error : pid.get(JAVA_INT, 0);
        } finally {
            int ignored = (int) ACTIONS_DESTROY.invokeExact(calls.state(), actions);
        }
    }

    private int dup2(MemorySegment actions, int from, int to) throws Throwable {
        return (int) ACTIONS_DUP2.invokeExact(calls.state(), actions, from, to);
    }

    private MemorySegment strings(List<String> texts) {
        MemorySegment array = arena.allocate(ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i), TEXT));
        }
        return array;
    }

    private String readAll(int reader) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        MemorySegment buffer = arena.allocate(4096);
        while (true) {
            long count = calls.read(reader, buffer, buffer.byteSize());
            if (count == 0 || count < 0 && count != -Linux.EINTR) {
                return output.toString(TEXT);
            }
            if (count > 0 && output.size() < MOST_OUTPUT) {
                output.write(buffer.asSlice(0, count).toArray(JAVA_BYTE), 0, (int) count);
            }
        }
    }

    private int await(int pid) throws Throwable {
        MemorySegment status = arena.allocate(JAVA_INT);
        int ended;
        do {
            ended = calls.checked((int) WAITPID.invokeExact(calls.state(), pid, status, 0));
        } while (ended == -Linux.EINTR);
        if (ended < 0) {
            return ended;
        }
        int word = status.get(JAVA_INT, 0);
        int signal = word & 0x7F; // wait(2): WTERMSIG, else WEXITSTATUS
        return signal != 0 ? 128 + signal : word >>> 8 & 0xFF;
    }
}
