// SPDX-License-Identifier: Apache-2.0
package ext4.keeper;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import ext4.sys.DescriptorSocket;
import ext4.sys.DescriptorSocket.Message;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A service manager's descriptor store, as far as a mount uses it. */
final class FakeManager {
    /** Where the next process finds what was stored. */
    static final int FIRST = 700;

    final List<String> said = new ArrayList<>();
    /** By full name, in the order in which they came. */
    final Map<String, Integer> stored = new LinkedHashMap<>();

    private final DescriptorSocket socket;

    FakeManager(Path path) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
            MemorySegment address = arena.allocate(2 + name.length + 1, 2);
            address.set(JAVA_SHORT, 0, (short) 1); // AF_UNIX
            MemorySegment.copy(name, 0, address, JAVA_BYTE, 2, name.length);
            int fd = (int) function("socket", JAVA_INT, JAVA_INT, JAVA_INT).invoke(1, 2, 0); // SOCK_DGRAM
            int bound =
                    (int) function("bind", JAVA_INT, ADDRESS, JAVA_INT).invoke(fd, address, (int) address.byteSize());
            if (fd < 0 || bound != 0) {
                throw new IllegalStateException("no datagram socket at " + path);
            }
            socket = new DescriptorSocket(fd);
        }
    }

    private static MethodHandle function(String name, java.lang.foreign.MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** Takes so many messages. */
    void take(SystemCalls calls, int count) {
        for (int i = 0; i < count; i++) {
            Message message = socket.receive(calls);
            String name = message.text().replaceFirst("(?s).*FDNAME=", "");
            if (message.text().startsWith("FDSTORE=1\n")) {
                stored.put(name, message.descriptor());
            } else if (message.text().startsWith("FDSTOREREMOVE=1\n")) {
                calls.close(stored.remove(name));
            } else {
                said.add(message.text());
            }
        }
    }

    /** The environment of the next process, whose number is {@code pid}; its descriptors are put in place. */
    Map<String, String> environment(String socketPath, long pid) throws Throwable {
        int at = FIRST;
        for (int descriptor : stored.values()) {
            int there = (int) function("dup2", JAVA_INT, JAVA_INT).invoke(descriptor, at++);
            if (there < 0) {
                throw new IllegalStateException("dup2");
            }
        }
        return Map.of(
                "NOTIFY_SOCKET", socketPath,
                "LISTEN_PID", Long.toString(pid),
                "LISTEN_FDS", Integer.toString(stored.size()),
                "LISTEN_FDNAMES", String.join(":", stored.keySet()));
    }
}
