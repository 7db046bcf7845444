// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** Handles of the C library's functions; each captures errno in a segment of {@link #STATE} given as first argument. */
final class Functions {
    /** Before all others: whoever is the first to call the system, what is told of it is the same. */
    static final NativeAccess ACCESS = NativeAccess.now();

    static final StructLayout STATE = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    static final MethodHandle OPEN = variadic("open", 2, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    static final MethodHandle CLOSE = plain("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    static final MethodHandle READ = plain("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle WRITE = plain("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle IOCTL =
            variadic("ioctl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    static final MethodHandle MOUNT =
            plain("mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    static final MethodHandle UMOUNT2 = plain("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    static final MethodHandle EVENTFD = plain("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    static final MethodHandle EPOLL_CREATE1 = plain("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    static final MethodHandle EPOLL_CTL =
            plain("epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    static final MethodHandle EPOLL_WAIT =
            plain("epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    static final MethodHandle GETEUID = plain("geteuid", FunctionDescriptor.of(JAVA_INT));
    static final MethodHandle GETEGID = plain("getegid", FunctionDescriptor.of(JAVA_INT));

    private Functions() {}

    static MethodHandle plain(String name, FunctionDescriptor descriptor) {
        return handle(name, descriptor, Linker.Option.captureCallState("errno"));
    }

    static MethodHandle variadic(String name, int firstVariadic, FunctionDescriptor descriptor) {
        return handle(
                name,
                descriptor,
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(firstVariadic));
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
    }
}
