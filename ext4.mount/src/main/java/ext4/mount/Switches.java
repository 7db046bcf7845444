// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.CoreProvider;
import ext4.api.fs.SwapReport;
import ext4.api.fs.SwapReport.Part;
import ext4.api.fs.Transport;
import ext4.api.journal.JournalProvider;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.Candidates;
import ext4.mount.swap.PartSwitch;
import ext4.mount.swap.PartTarget;
import ext4.mount.swap.SwapLog;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Keeps all parts of one mount the right ones. All but the getters run on the coordinator's thread. */
final class Switches {
    private final Parts parts;
    private final SwapLog log;
    /** Without {@link Part#TRANSPORT} for use in this process only. In the order in which they are put to work. */
    private final Map<Part, PartSwitch<?>> switches = new EnumMap<>(Part.class);

    private final PartSwitch<OrphanStrategy> strategies;
    private final PartSwitch<JournalProvider> journals;
    /** Null for use in this process only. */
    private final PartSwitch<Transport> transports;

    /** Of a mount that came up with these services. */
    Switches(MountStack stack, MountStack.Services with, Parts parts, Limits limits) {
        this.parts = parts;
        log = new SwapLog(stack.config.mountpoint(), parts.listeners);
        strategies = of(Part.STRATEGY, stack, parts.strategies, with.strategy(), new StrategyHandOver(stack, limits));
        journals = of(Part.JOURNAL, stack, parts.journals, with.journal(), new JournalHandOver(stack, limits));
        PartTarget<CoreProvider> core = new CoreHandOver(stack, limits, journals::current, strategies::current);
        of(Part.CORE, stack, parts.cores, with.core(), core);
        transports = with.transport() == null
                ? null
                : of(Part.TRANSPORT, stack, parts.transports, with.transport(), new TransportHandOver(stack));
    }

    private <T> PartSwitch<T> of(
            Part part, MountStack stack, Candidates<T> candidates, Candidate<T> first, PartTarget<T> target) {
        MountConfig config = stack.config;
        PartSwitch<T> made =
                new PartSwitch<>(part, config.mountpoint(), candidates, config.precedence(part), first, target, log);
        switches.put(part, made);
        return made;
    }

    /** A service came, went or changed. */
    void changed(Part part, Object key) {
        PartSwitch<?> changed = switches.get(part);
        if (changed != null) {
            changed.changed(key);
            retry(part);
        }
    }

    /** Services may have come and gone. */
    void changed() {
        for (PartSwitch<?> each : switches.values()) {
            each.changed(null);
        }
    }

    /** The configuration was changed. */
    void precedence(MountConfig config) {
        switches.forEach((part, each) -> each.precedence(config.precedence(part)));
    }

    /** As {@link Mount#replace}, without the configuration. */
    SwapReport replace(Part part, String name) throws MountException {
        PartSwitch<?> asked = switches.get(part);
        if (asked == null) {
            throw new MountException("it has no " + part.text() + ", for use in this process only");
        }
        try {
            return name == null ? asked.renew() : asked.choose(name);
        } finally {
            retry(part);
        }
    }

    /** A core that is missing may have refused for want of another part. */
    private void retry(Part other) {
        if (other != Part.CORE) {
            switches.get(Part.CORE).retry();
        }
    }

    /** The strategy at work, or null. */
    Candidate<OrphanStrategy> strategy() {
        return strategies.current();
    }

    /** The journal provider at work, or null. */
    Candidate<JournalProvider> journal() {
        return journals.current();
    }

    /** The transport at work, or null. */
    Candidate<Transport> transport() {
        return transports == null ? null : transports.current();
    }

    /** Why a part is not the wanted one, in one line, or null. Any thread. */
    String trouble() {
        for (Map.Entry<Part, PartSwitch<?>> each : switches.entrySet()) {
            String trouble = each.getValue().trouble();
            if (trouble != null) {
                return trouble + "; available: "
                        + String.join(", ", parts.of(each.getKey()).names());
            }
        }
        return null;
    }

    /** Names for the operator. Any thread. */
    Mount.Choice choice(Part part) {
        PartSwitch<?> asked = switches.get(part);
        return asked == null
                ? new Mount.Choice(null, Mount.NO_TRANSPORT, parts.of(part).names())
                : asked.choice();
    }

    /** The latest replacements, oldest first. Any thread. */
    List<SwapReport> reports() {
        return log.reports();
    }

    /** A line a part. Any thread. */
    void status(Map<String, String> lines) {
        switches.forEach((part, each) -> {
            Mount.Choice choice = each.choice();
            String key = "part " + part.text();
            lines.put(
                    key,
                    (choice.current() == null ? "missing" : choice.current()) + " ("
                            + (choice.named() == null ? "none named" : "named " + choice.named()) + "; available: "
                            + String.join(", ", choice.available()) + "), " + log.counts(part));
            putIfKnown(lines, key + " trouble", each.trouble());
            putIfKnown(lines, key + " remedy", each.remedy());
        });
    }

    private static void putIfKnown(Map<String, String> lines, String key, String value) {
        if (value != null) {
            lines.put(key, value);
        }
    }
}
