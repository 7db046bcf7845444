// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.sys.FileRanges.Extent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How the files of an image are mapped, as the kernel tells. */
final class Maps {
    private final Map<String, List<Extent>> extents = new HashMap<>();

    /** Of all files and directories of a tree that the kernel has mounted. */
    Maps(MountedCalls kernel, Snapshot snapshot) {
        snapshot.items().forEach((path, item) -> {
            if ((item.status().isRegular() || item.status().isDirectory())
                    && item.status().blocks() > 0) {
                extents.put(path, kernel.extents(path));
            }
        });
    }

    /** Which ranges have blocks, and whether they are written: wherever the blocks lie. */
    String logical(String path) {
        StringBuilder text = new StringBuilder();
        Extent last = null;
        for (Extent next : of(path)) {
            if (last == null) {
                last = next;
            } else if (last.unwritten() == next.unwritten() && last.offset() + last.length() == next.offset()) {
                last = new Extent(last.offset(), last.physical(), last.length() + next.length(), last.unwritten());
            } else {
                add(text, last);
                last = next;
            }
        }
        if (last != null) {
            add(text, last);
        }
        return text.toString();
    }

    private static void add(StringBuilder text, Extent extent) {
        text.append(' ').append(extent.offset()).append('+').append(extent.length());
        if (extent.unwritten()) {
            text.append('u');
        }
    }

    private List<Extent> of(String path) {
        return extents.getOrDefault(path, List.of());
    }
}
