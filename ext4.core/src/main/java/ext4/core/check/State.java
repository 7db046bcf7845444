// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

/** What the passes hand on to each other. */
final class State {
    final Fs fs;
    final Report report;
    /** Blocks in use by anything. */
    final ClaimMap claims;

    final InodeTally inodes;
    final DirTable dirs = new DirTable();
    final XattrRefs xattrs;
    final MapWalk walk;
    long largeFiles;

    State(Fs fs) {
        this.fs = fs;
        report = fs.report;
        claims = new ClaimMap(fs);
        inodes = new InodeTally(fs.sb.inodesCount());
        xattrs = new XattrRefs(fs);
        walk = new MapWalk(fs);
    }
}
