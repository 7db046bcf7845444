// SPDX-License-Identifier: Apache-2.0
package ext4.lab.stack;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.PinnedInodes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Function;

/** A mounted filesystem whose core can be replaced, for one thread. */
public final class ReplaceableCore {
    private CoreFileSystem core;

    /** {@code first} is at work until {@link #replace}. */
    public ReplaceableCore(CoreFileSystem first) {
        core = first;
    }

    /** The filesystem, whichever core is at work. */
    public CoreFileSystem fs() {
        return (CoreFileSystem) Proxy.newProxyInstance(
                CoreFileSystem.class.getClassLoader(), new Class<?>[] {CoreFileSystem.class}, (proxy, verb, with) -> {
                    try {
                        return verb.invoke(core, with);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Hands the filesystem over; {@code adopt} makes the core that goes on with these pins. */
    public void replace(Function<PinnedInodes, CoreFileSystem> adopt) {
        core.prepareFreeze();
        CoreFileSystem next = adopt.apply(core.freeze());
        core.close();
        core = next;
    }
}
