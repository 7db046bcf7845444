// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.block.BlockDeviceProvider;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.Transport;
import ext4.api.journal.JournalProvider;
import ext4.api.mount.Mount;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.Candidates;
import ext4.mount.swap.StrategySwitch;

/** The services that a mount can be made of, as they are now. */
final class Parts {
    final Candidates<OrphanStrategy> strategies = new Candidates<>();
    final Candidates<JournalProvider> journals = new Candidates<>();
    final Candidates<CoreProvider> cores = new Candidates<>();
    final Candidates<Transport> transports = new Candidates<>();
    final Candidates<BlockDeviceProvider> devices = new Candidates<>();

    /** What a mount of {@code config} can't come up without, in one sentence; null if all is there. */
    String missingFor(MountConfig config) {
        if (device(config) == null) {
            return devices.list().isEmpty()
                    ? "no block device provider is there; start ext4.device"
                    : "nothing opens '" + config.image() + "'";
        }
        if (core() == null) {
            return "no core is there; start ext4.core";
        }
        if (strategy(config) == null) {
            String named = config.precedence().named();
            return named == null
                    ? "no orphan strategy is there; start ext4.orphan.impl-sharded"
                    : StrategySwitch.unknown(named, strategies.names());
        }
        if (journals.list().isEmpty()) {
            return "no journal is there; start ext4.journal";
        }
        if (wantsTransport(config) && transport(config) == null) {
            return config.transport() == null
                    ? "no transport is there; start ext4.fuse"
                    : "unknown transport '" + config.transport() + "'; available: "
                            + String.join(", ", transports.names());
        }
        return null;
    }

    BlockDeviceProvider device(MountConfig config) {
        return service(devices.best(c -> c.service().handles(config.image())));
    }

    CoreProvider core() {
        return service(cores.best(c -> true));
    }

    Candidate<OrphanStrategy> strategy(MountConfig config) {
        return config.precedence().choose(strategies, c -> true);
    }

    /** The best provider that keeps a log, or the best that keeps none; null if it is not there. */
    JournalProvider journal(boolean journals) {
        return service(this.journals.best(c -> c.service().journals() == journals));
    }

    /** The one that is named, or the best that this host lets work. */
    Transport transport(MountConfig config) {
        return service(transports.best(c -> config.transport() == null
                ? c.service().unavailable() == null
                : config.transport().equals(c.name())));
    }

    static boolean wantsTransport(MountConfig config) {
        return !Mount.NO_TRANSPORT.equals(config.transport());
    }

    private static <T> T service(Candidate<T> candidate) {
        return candidate == null ? null : candidate.service();
    }
}
