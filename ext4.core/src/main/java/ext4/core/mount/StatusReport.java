// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.journal.Journal;
import ext4.core.orphan.OrphanKeeper;
import ext4.core.volume.Volume;
import ext4.format.superblock.Superblock;
import java.util.LinkedHashMap;
import java.util.Map;

/** The state of a mounted filesystem for people. */
final class StatusReport {
    private final Assembly parts;
    private final OrphanKeeper keeper;
    private final String strategy;

    /** @param keeper null on a read-only mount */
    StatusReport(Assembly parts, OrphanKeeper keeper, String strategy) {
        this.parts = parts;
        this.keeper = keeper;
        this.strategy = strategy;
    }

    Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        Volume volume = parts.volume;
        Superblock sb = volume.superblock();
        lines.put("device", volume.device().name());
        lines.put("uuid", sb.uuid().toString());
        lines.put("label", sb.volumeName());
        lines.put("features", String.join(" ", sb.features().names()));
        lines.put("block size", sb.blockSize() + " bytes");
        lines.put("groups", Integer.toString(sb.groupCount()));
        lines.put("mode", volume.readOnly() ? "read-only" : "read-write");
        lines.put("errors", volume.errors().count() + ", " + volume.errors().behaviour());
        lines.put("free blocks", Long.toString(parts.groups.freeBlocks()));
        lines.put("blocks freed, not durable", Long.toString(parts.pending.blocks()));
        lines.put("free inodes", Long.toString(parts.groups.freeInodes()));
        lines.put("orphan strategy", strategy);
        if (keeper != null) {
            lines.put("orphans", Long.toString(keeper.list().size()));
            lines.put("orphan changes on disk", Long.toString(keeper.list().diskChanges()));
        }
        lines.put("inodes pinned", Long.toString(parts.engine.pins().size()));
        lines.put("inodes in memory", Integer.toString(parts.engine.inodes().count()));
        lines.put("metadata in memory", volume.cache().bytes() + " bytes");
        lines.put("metadata hits", Long.toString(volume.cache().hits()));
        lines.put("metadata misses", Long.toString(volume.cache().misses()));
        journal(lines);
        return lines;
    }

    private void journal(Map<String, String> lines) {
        Journal journal = parts.volume.journal();
        if (journal == null) {
            lines.put("journal", "not open");
            return;
        }
        if (parts.volume.journalDetached() && journal.abortCause() == null) {
            lines.put("journal", "none at work");
            return;
        }
        String state = journal.abortCause() == null ? "running" : "aborted: " + journal.abortCause();
        lines.put("journal", journal.journals() ? state : "none, " + state);
        journal.counters().forEach((name, value) -> lines.put("journal " + name, Long.toString(value)));
    }
}
