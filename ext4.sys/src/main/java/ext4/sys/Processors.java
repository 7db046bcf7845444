// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/** The machine's processors by number, and which of them a thread runs on. */
public final class Processors {
    private static final Path FOLDER = Path.of("/sys/devices/system/cpu");
    /** Bits of the kernel's cpu_set_t at most; the kernel takes a longer mask than its own. */
    private static final int MOST = 8192;

    private static final MethodHandle SCHED_SETAFFINITY =
            Functions.plain("sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    private static final MethodHandle GETTID = Functions.plain("gettid", FunctionDescriptor.of(JAVA_INT));

    private Processors() {}

    /** Those that may ever be there, plugged in or not. */
    public static BitSet possible() throws IOException {
        return parse(Files.readString(FOLDER.resolve("possible")));
    }

    /** Those that work now. */
    public static BitSet online() throws IOException {
        return parse(Files.readString(FOLDER.resolve("online")));
    }

    /** A list as in cpuset(7), for example {@code 0-3,8}. */
    static BitSet parse(String list) {
        BitSet set = new BitSet();
        for (String range : list.strip().split(",")) {
            String[] ends = range.split("-");
            int from = Integer.parseInt(ends[0]);
            int to = Integer.parseInt(ends[ends.length - 1]);
            if (from < 0 || to < from || to >= MOST) {
                throw new IllegalArgumentException("processors '" + list + "'");
            }
            set.set(from, to + 1);
        }
        return set;
    }

    /**
     * sched_setaffinity(2): the calling thread runs on that processor only.
     *
     * @return 0, or the negative error number: EINVAL if it is not there or this process may not use it
     */
    public static int pin(SystemCalls calls, int processor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MOST / Byte.SIZE, Long.BYTES);
            mask.set(JAVA_BYTE, processor / Byte.SIZE, (byte) (1 << processor % Byte.SIZE));
            return calls.checked((int) SCHED_SETAFFINITY.invokeExact(calls.state(), 0, mask.byteSize(), mask));
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** gettid(2): what the kernel calls the calling thread. */
    public static int thread(SystemCalls calls) {
        try {
            return (int) GETTID.invokeExact(calls.state());
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** Whether the kernel is done with a thread of this process, descriptors and requests of it included. */
    public static boolean gone(int thread) {
        return !Files.exists(Path.of("/proc/self/task", Integer.toString(thread)));
    }
}
