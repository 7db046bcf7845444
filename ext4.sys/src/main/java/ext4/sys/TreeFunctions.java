// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** The C library's functions on files; errno is captured as in {@link Functions}. */
final class TreeFunctions {
    private static final FunctionDescriptor XATTR_OF_FD =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
    private static final FunctionDescriptor XATTR_OF_PATH =
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG);
    private static final FunctionDescriptor POSITIONED =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);

    static final MethodHandle OPENAT =
            handle("openat", 3, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    static final MethodHandle STATX =
            handle("statx", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    static final MethodHandle GETDENTS64 =
            handle("getdents64", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle MKDIRAT = handle("mkdirat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    static final MethodHandle MKNODAT =
            handle("mknodat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG));
    static final MethodHandle SYMLINKAT =
            handle("symlinkat", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
    static final MethodHandle LINKAT =
            handle("linkat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));
    static final MethodHandle UNLINKAT =
            handle("unlinkat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    static final MethodHandle RENAMEAT2 =
            handle("renameat2", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));
    static final MethodHandle READLINKAT =
            handle("readlinkat", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
    static final MethodHandle FCHOWNAT =
            handle("fchownat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
    static final MethodHandle FCHMOD = handle("fchmod", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    static final MethodHandle CHMOD = handle("chmod", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    static final MethodHandle UTIMENSAT =
            handle("utimensat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    static final MethodHandle FUTIMENS = handle("futimens", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    static final MethodHandle PREAD = handle("pread", POSITIONED);
    static final MethodHandle PWRITE = handle("pwrite", POSITIONED);
    static final MethodHandle READ = handle("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle WRITE = handle("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle LSEEK = handle("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    static final MethodHandle FTRUNCATE = handle("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    static final MethodHandle TRUNCATE = handle("truncate", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle FALLOCATE =
            handle("fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    static final MethodHandle FSYNC = handle("fsync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    static final MethodHandle ISATTY = handle("isatty", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    static final MethodHandle FLISTXATTR =
            handle("flistxattr", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle LLISTXATTR =
            handle("llistxattr", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG));
    static final MethodHandle FGETXATTR = handle("fgetxattr", XATTR_OF_FD);
    static final MethodHandle LGETXATTR = handle("lgetxattr", XATTR_OF_PATH);
    static final MethodHandle FSETXATTR =
            handle("fsetxattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
    static final MethodHandle LSETXATTR =
            handle("lsetxattr", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
    static final MethodHandle FREMOVEXATTR = handle("fremovexattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    static final MethodHandle LREMOVEXATTR = handle("lremovexattr", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

    private TreeFunctions() {}

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        return link(name, descriptor, Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle handle(String name, int firstVariadic, FunctionDescriptor descriptor) {
        return link(
                name,
                descriptor,
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(firstVariadic));
    }

    private static MethodHandle link(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
    }
}
