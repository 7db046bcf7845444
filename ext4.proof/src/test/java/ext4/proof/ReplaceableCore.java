// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.api.journal.JournalProvider;
import ext4.core.mount.Ext4CoreProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.NoLogProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A mounted filesystem whose core can be replaced, for one thread. */
final class ReplaceableCore {
    private final BlockDevice device;
    private final MountOptions options;
    private CoreFileSystem core;

    ReplaceableCore(BlockDevice device, MountOptions options, CoreFileSystem first) {
        this.device = device;
        this.options = options;
        core = first;
    }

    /** The filesystem, whichever core is at work. */
    CoreFileSystem fs() {
        return (CoreFileSystem) Proxy.newProxyInstance(
                CoreFileSystem.class.getClassLoader(), new Class<?>[] {CoreFileSystem.class}, (proxy, verb, with) -> {
                    try {
                        return verb.invoke(core, with);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Hands the filesystem to another core, with another strategy. */
    void replace() {
        String next = core.strategyName().equals("global") ? "sharded" : "global";
        CoreProvider provider = new Ext4CoreProvider();
        JournalProvider journal = provider.needsJournal(device) ? new Jbd2Provider() : new NoLogProvider();
        core.prepareFreeze();
        PinnedInodes pins = core.freeze();
        CoreFileSystem adopted = provider.adopt(device, options, journal, next, Stack.strategy(next), pins);
        core.close();
        core = adopted;
    }
}
