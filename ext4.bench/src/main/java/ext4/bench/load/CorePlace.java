// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.FileSystem;
import ext4.api.fs.StatFs;

/** A filesystem in this process, through its verbs. */
public final class CorePlace implements Place {
    private final FileSystem verbs;
    private final CoreFileSystem core;

    /**
     * @param verbs what is called: the core itself or the gate before it
     * @param core knows when removed inodes are free
     */
    public CorePlace(FileSystem verbs, CoreFileSystem core) {
        this.verbs = verbs;
        this.core = core;
    }

    @Override
    public Hands hands(int task) {
        return new CoreHands(verbs, task);
    }

    @Override
    public long usedInodes() {
        StatFs s = core.statfs();
        return s.files() - s.filesFree();
    }

    @Override
    public void awaitUsedInodes(long used) {
        core.awaitEvictions();
        long now = usedInodes();
        if (now > used) {
            throw new FailedCall("statfs", now + " inodes are in use, " + used + " should be");
        }
    }

    @Override
    public void settle() {
        verbs.syncfs();
    }
}
