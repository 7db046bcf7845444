// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.fs.Attributes;
import ext4.api.fs.FileSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The directories above each open file, pinned: an operating system keeps them in use, removed or not. */
final class Above {
    private final FileSystem fs;
    private final int root;
    private final List<List<Integer>> pinned;
    private final Attributes out = new Attributes();

    Above(FileSystem fs, int root, int slots) {
        this.fs = fs;
        this.root = root;
        pinned = Stream.generate(() -> (List<Integer>) new ArrayList<Integer>())
                .limit(slots)
                .toList();
    }

    /** The directory of a path; empty for the root. */
    static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /** The file of that slot was opened in that directory. */
    void keep(int slot, String directory) {
        int at = root;
        for (String component : directory.isEmpty() ? new String[0] : directory.split("/")) {
            fs.lookup(at, Step.bytes(component), out);
            at = out.ino;
            pinned.get(slot).add(at);
        }
    }

    /** It is closed, or was never opened. */
    void letGo(int slot) {
        pinned.get(slot).forEach(directory -> fs.forget(directory, 1));
        pinned.get(slot).clear();
    }
}
