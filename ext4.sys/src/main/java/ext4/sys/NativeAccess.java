// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;

/**
 * Whether this JVM lets code on the class path, and so in any bundle, call the operating system. The command's own jar
 * asks for it in its manifest; a container that another program starts needs {@link #OPTION} (java(1)).
 */
public enum NativeAccess {
    /** It was asked for, or somebody used it before without asking and the JVM has warned of that. */
    ENABLED,
    /** It was not asked for: the JVM warns at the first use, and a later release may refuse. */
    NOT_ASKED_FOR,
    /** It was not asked for, and the JVM was told to refuse it then: {@code --illegal-native-access=deny}. */
    DENIED;

    /** The option of java(1) that asks for it. */
    public static final String OPTION = "--enable-native-access=ALL-UNNAMED";

    /** The first use by anybody here makes it enabled, so it is looked at before that. */
    private static final NativeAccess AT_FIRST = look();

    /** How it was before the first system call. Where it was not asked for the JVM itself warns of that. */
    public static NativeAccess now() {
        return AT_FIRST;
    }

    private static NativeAccess look() {
        if (NativeAccess.class.getModule().isNativeAccessEnabled()) {
            return ENABLED;
        }
        try {
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid());
        } catch (IllegalCallerException refused) {
            return DENIED;
        }
        return NOT_ASKED_FOR;
    }
}
