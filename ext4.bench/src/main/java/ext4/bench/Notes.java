// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a reader of the tables has to know. */
final class Notes {
    static final String HOW_TO_READ = """
            How to read it
              pair        two fchown(2) of a task's own open file, to another owner and back
              before      setattr always takes the inode off the orphan list; after: only if it was put on
              in-process  the verbs are called in the same process, through the gate that a mount has (--direct: without):
                          no system call is in the figure; that of the kernel's ext4 and xfs includes one a call
              mount       another process makes system calls; the server is the container that ext4 mount starts
              null        the null filesystem on the same transport: stores nothing, the limit of any FUSE filesystem
              files       as many in each directory for all that go through FUSE, more for those that do not
              all free    seconds until the last removed inode is free, which is when unlink has ended
              fairness    Jain's index of the tasks' speeds: 1 all alike, 1/n one of n does everything
              processor   of load and server; of the kernel's own the load's with its system time, without kernel threads
            The report of 2010, pairs per ms before / after: 1 task 142 / 185, 4 tasks 109 / 642.
            The report of 2013, create, find, unlink: ext4 24m21s 8m17s 37m51s (first rm 30m26s, last 37m51s);
            xfs 9m52s 6m53s 13m59s (first rm 13m52s, last 13m59s).
            """;

    private Notes() {}

    static String machine(Path folder, Settings settings) throws IOException {
        return Runtime.getRuntime().availableProcessors() + " processors, Linux "
                + System.getProperty("os.version") + ", Java " + Runtime.version() + ", images in " + folder.getParent()
                + " (" + Files.getFileStore(folder).type() + "), commit=" + settings.commitSeconds() + ", rounds "
                + settings.rounds() + (settings.quick() ? ", quick: shows that it works, not how fast" : "") + "\n";
    }
}
