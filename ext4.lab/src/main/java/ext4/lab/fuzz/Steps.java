// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import com.sun.management.ThreadMXBean;
import ext4.api.fs.CorruptException;
import ext4.api.fs.Ext4Exception;
import ext4.lab.fuzz.Finding.Kind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Runs operations one by one, each under a bound of time, memory and requests to the device. For one thread. */
final class Steps {
    /** Memory that one operation may take from the heap, whether it is given back or not. */
    private static final long MOST_BYTES = 256L << 20;

    private static final int STACK_CHARS = 1600;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Watchdog watchdog;
    private final List<Finding> findings = new ArrayList<>();
    private FuzzDevice device;
    private String context = "";
    private boolean corrupt;
    private long count;

    Steps(Watchdog watchdog) {
        this.watchdog = watchdog;
    }

    /** What follows works on this device. */
    void on(FuzzDevice next, String name) {
        device = next;
        context = name;
    }

    /** Runs an operation; whether it ended without any exception. */
    boolean run(String what, Runnable action) {
        String where = context + ", " + what;
        device.begin();
        count++;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        watchdog.begin(where);
        try {
            action.run();
            return true;
        } catch (CorruptException e) {
            corrupt = true;
            return false;
        } catch (Ext4Exception e) {
            return false;
        } catch (RuntimeException e) {
            found(Kind.FOREIGN, where, stack(e));
            return false;
        } catch (Error e) {
            found(Kind.CRASH, where, stack(e));
            return false;
        } finally {
            watchdog.end();
            long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
            if (bytes > MOST_BYTES) {
                found(Kind.CRASH, where, "took " + (bytes >> 20) + " MiB of heap");
            }
            for (String violation : device.violations()) {
                found(violation.contains("more than") ? Kind.HANG : Kind.CRASH, where, violation);
            }
        }
    }

    void found(Kind kind, String where, String text) {
        findings.add(new Finding(kind, where, text));
    }

    /** As {@link #found}, in what is going on. */
    void found(Kind kind, String text) {
        found(kind, context, text);
    }

    List<Finding> findings() {
        return findings;
    }

    /** Whether an operation met a contradiction. */
    boolean metCorruption() {
        return corrupt;
    }

    /** Operations so far. */
    long count() {
        return count;
    }

    static String stack(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        String all = text.toString();
        return all.length() > STACK_CHARS ? all.substring(0, STACK_CHARS) + " ..." : all;
    }
}
