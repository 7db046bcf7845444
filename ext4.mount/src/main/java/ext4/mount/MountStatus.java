// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.mount.swap.StrategySwitch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code ext4 status} prints of a mount. */
final class MountStatus {
    private MountStatus() {}

    static Map<String, String> of(Mount mount, MountConfig config, MountStack stack, StrategySwitch strategies) {
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
        if (config != null && config.precedence().fallback() != null) {
            lines.put("orphan strategy fallback", config.precedence().fallback());
        }
        lines.put("orphan strategies available", String.join(", ", names.available()));
        if (strategies != null && strategies.trouble() != null) {
            lines.put("orphan strategy trouble", strategies.trouble());
        }
        switches(lines, mount.switches());
        if (stack != null) {
            lines.put("requests running", Long.toString(stack.gate.running()));
            lines.put("requests waiting for a part", Integer.toString(stack.gate.waiting()));
            lines.putAll(stack.core.status());
            if (stack.session == null) {
                lines.put("transport", "none, in-process use only");
            } else {
                lines.put("transport", stack.session.transport());
                stack.session.counters().forEach((name, count) -> lines.put("transport " + name, count.toString()));
            }
        }
        return lines;
    }

    private static void switches(Map<String, String> lines, List<SwapReport> reports) {
        lines.put("switches", Integer.toString(reports.size()));
        if (!reports.isEmpty()) {
            SwapReport last = reports.getLast();
            lines.put(
                    "last switch",
                    last.from() + " -> " + last.to() + ", " + last.orphansCarried() + " orphans carried, pause "
                            + last.pauseMicros() + " us");
        }
    }
}
