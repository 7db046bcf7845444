// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.SwapReport;
import ext4.api.fs.SwapReport.Part;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.api.mount.Mount;
import ext4.mount.swap.PartSwitch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code ext4 status} prints of a mount. */
final class MountStatus {
    private MountStatus() {}

    static Map<String, String> of(Mount mount, MountConfig config, MountStack stack, Switches switches) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("image", mount.image());
        lines.put("mountpoint", mount.mountpoint());
        lines.put("state", mount.state().name().toLowerCase(Locale.ROOT));
        if (mount.failure() != null) {
            lines.put("reason", mount.failure());
        }
        if (mount.refusal() != null) {
            lines.put("change refused", mount.refusal());
        }
        Mount.Strategies names = mount.strategies();
        lines.put("orphan strategy", names.current() == null ? "missing" : names.current());
        lines.put("orphan strategy named", names.named() == null ? "none, ranking decides" : names.named());
        if (config != null && config.precedence(Part.STRATEGY).fallback() != null) {
            lines.put(
                    "orphan strategy fallback", config.precedence(Part.STRATEGY).fallback());
        }
        lines.put("orphan strategies available", String.join(", ", names.available()));
        if (switches != null) {
            switches.status(lines);
        }
        switches(lines, mount.switches());
        if (stack != null) {
            lines.put("requests running", Long.toString(stack.gate.running()));
            lines.put("requests waiting for a part", Integer.toString(stack.gate.waiting()));
            core(lines, stack.core);
            transport(lines, stack);
            keeper(lines, config, stack);
        }
        return lines;
    }

    private static void core(Map<String, String> lines, CoreFileSystem core) {
        try {
            if (core != null) {
                lines.putAll(core.status());
            }
        } catch (RuntimeException | LinkageError e) {
            lines.put("core", "being replaced: " + PartSwitch.reason(e)); // nothing keeps it from going meanwhile
        }
    }

    private static void transport(Map<String, String> lines, MountStack stack) {
        TransportSession session = stack.session;
        TransportState left = stack.suspended;
        if (session == null) {
            lines.put("transport", left == null ? "none, in-process use only" : "missing, was " + left.transport());
            return;
        }
        try {
            lines.put("transport", session.transport());
            session.counters().forEach((name, count) -> lines.put("transport " + name, count.toString()));
        } catch (RuntimeException | LinkageError e) {
            lines.put("transport", "being replaced: " + PartSwitch.reason(e)); // as above
        }
    }

    private static void keeper(Map<String, String> lines, MountConfig config, MountStack stack) {
        if (config == null || config.keeper() == null) {
            return;
        }
        String trouble = stack.keep == null ? null : stack.keep.trouble();
        lines.put("keeper", trouble == null ? config.keeper() : config.keeper() + ", lost: " + trouble);
        lines.put("process", Long.toString(ProcessHandle.current().pid()));
        if (stack.followed != null) {
            lines.put("last restart", stack.followed);
        }
    }

    private static void switches(Map<String, String> lines, List<SwapReport> reports) {
        lines.put("switches", Integer.toString(reports.size()));
        if (!reports.isEmpty()) {
            SwapReport last = reports.getLast();
            lines.put("last switch", last.text());
        }
    }
}
