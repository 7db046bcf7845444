// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.MountOptions.Errors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a mounted filesystem answers after its device went wrong, held against errors= of ext4(5) and the kernel's ext4. */
final class Answers {
    private static final byte[] PROBE = "probe".getBytes(StandardCharsets.UTF_8);

    private final CoreFileSystem fs;
    private final Errors behaviour;
    private final boolean mustCount;
    private final boolean works;
    private final List<String> complaints = new ArrayList<>();

    /**
     * @param mustCount whether something was lost that counts as an error of the filesystem
     * @param works whether the device works again
     */
    Answers(CoreFileSystem fs, Errors behaviour, boolean mustCount, boolean works) {
        this.fs = fs;
        this.behaviour = behaviour;
        this.mustCount = mustCount;
        this.works = works;
    }

    /** Why the journal aborted, or null. */
    static String aborted(CoreFileSystem fs) {
        String journal = fs.status().getOrDefault("journal", "");
        int at = journal.indexOf("aborted: ");
        return at < 0 ? null : journal.substring(at);
    }

    /** Errors that it counted. */
    static long errors(CoreFileSystem fs) {
        return Long.parseLong(fs.status().get("errors").split(",")[0]);
    }

    /** What is not as it must be. */
    List<String> check() {
        settle();
        boolean refuses = fs.readOnly();
        String aborted = aborted(fs);
        long errors = errors(fs);
        if (mustCount && errors == 0) {
            complaints.add("a bitmap or inode table could not be read, and no error was counted");
        }
        if (errors > 0 && behaviour == Errors.REMOUNT_RO && !refuses) {
            complaints.add("errors=remount-ro, " + errors + " errors, and changes are not refused");
        }
        if (refuses != (aborted != null)) {
            complaints.add("changes are " + (refuses ? "" : "not ") + "refused, the journal is " + aborted);
        }
        if (aborted != null && errors == 0) {
            complaints.add("the journal aborted and no error was counted: " + aborted);
        }
        if (refuses) {
            expect("mkdir", Errno.EROFS, () -> fs.mkdir(Credentials.ROOT, Load.ROOT, PROBE, 0755, new Attributes()));
            expect("fsync", Errno.EROFS, () -> fs.fsync(Load.ROOT, false));
            expect("syncfs", Errno.EROFS, fs::syncfs);
            if (works) {
                expect("getattr", null, () -> fs.getattr(Load.ROOT, new Attributes()));
            }
        }
        return complaints;
    }

    /** An abort takes its steps in a thread of its own. */
    private void settle() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (aborted(fs) != null && (errors(fs) == 0 || !fs.readOnly()) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    private void expect(String call, Errno wanted, Runnable verb) {
        Errno found = null;
        try {
            verb.run();
        } catch (Ext4Exception e) {
            found = e.errno();
        }
        if (found != wanted && !(found == Errno.EIO && !works)) {
            complaints.add(call + " after the journal's abort: " + found + ", expected " + wanted);
        }
    }
}
