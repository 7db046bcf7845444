// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.block.BlockDeviceProvider;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.SwapReport.Part;
import ext4.api.fs.Transport;
import ext4.api.journal.JournalProvider;
import ext4.api.keep.Keeper;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.observe.StrategyTimes;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.Candidates;
import ext4.mount.swap.PartSwitch;
import ext4.mount.swap.SwapListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The services that a mount can be made of, as they are now. */
final class Parts {
    final Candidates<OrphanStrategy> strategies = new Candidates<>();
    final Candidates<JournalProvider> journals = new Candidates<>();
    final Candidates<CoreProvider> cores = new Candidates<>();
    final Candidates<Transport> transports = new Candidates<>();
    final Candidates<BlockDeviceProvider> devices = new Candidates<>();
    /** What the strategies cost. */
    final StrategyTimes times = new StrategyTimes();

    final Candidates<Keeper> keepers = new Candidates<>();
    /** Who hears of replacements. */
    final List<SwapListener> listeners = new CopyOnWriteArrayList<>();

    /** The services that can be that part. */
    Candidates<?> of(Part part) {
        return switch (part) {
            case STRATEGY -> strategies;
            case JOURNAL -> journals;
            case CORE -> cores;
            case TRANSPORT -> transports;
        };
    }

    /** What a mount of {@code config} can't come up without, in one sentence; null if all is there. */
    String missingFor(MountConfig config) {
        if (device(config) == null) {
            return devices.list().isEmpty()
                    ? "no block device provider is there; start ext4.device"
                    : "nothing opens '" + config.image() + "'";
        }
        if (core(config) == null) {
            return missing(config, Part.CORE, "no core is there; start ext4.core");
        }
        if (strategy(config) == null) {
            return missing(config, Part.STRATEGY, "no orphan strategy is there; start ext4.orphan.impl-sharded");
        }
        if (config.precedence(Part.JOURNAL).choose(journals, c -> true) == null) {
            return missing(config, Part.JOURNAL, "no journal is there; start ext4.journal");
        }
        if (config.wantsTransport() && transport(config) == null) {
            return missing(config, Part.TRANSPORT, "no transport is there; start ext4.fuse");
        }
        if (config.keeper() != null && keeper(config) == null) {
            return keepers.names().isEmpty()
                    ? "no keeper is there; start ext4.keeper"
                    : "unknown keeper '" + config.keeper() + "'; available: " + String.join(", ", keepers.names());
        }
        return null;
    }

    private String missing(MountConfig config, Part part, String any) {
        String named = config.precedence(part).named();
        return named == null ? any : PartSwitch.unknown(part, named, of(part).names());
    }

    BlockDeviceProvider device(MountConfig config) {
        Candidate<BlockDeviceProvider> best = devices.best(c -> c.service().handles(config.image()));
        return best == null ? null : best.service();
    }

    /** The one that is named; null if it is not there, or none is named. */
    Keeper keeper(MountConfig config) {
        Candidate<Keeper> named = keepers.best(c -> c.name() != null && c.name().equals(config.keeper()));
        return named == null ? null : named.service();
    }

    Candidate<CoreProvider> core(MountConfig config) {
        return config.precedence(Part.CORE).choose(cores, c -> true);
    }

    Candidate<OrphanStrategy> strategy(MountConfig config) {
        return config.precedence(Part.STRATEGY).choose(strategies, c -> true);
    }

    /** The provider that is named, or the best, of those that keep a log or of those that keep none; null if there is none. */
    Candidate<JournalProvider> journal(MountConfig config, boolean keepsLog) {
        return config.precedence(Part.JOURNAL).choose(journals, c -> c.service().journals() == keepsLog);
    }

    /** The one that is named, or the best that this host lets work. */
    Candidate<Transport> transport(MountConfig config) {
        boolean named = config.precedence(Part.TRANSPORT).named() != null;
        return config.precedence(Part.TRANSPORT)
                .choose(transports, c -> named || c.service().unavailable() == null);
    }
}
