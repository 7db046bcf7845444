// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.Errno;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.fuse.channel.RequestHandler;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends each request to its row, and makes the error number of what it throws: here and nowhere else. */
public final class Dispatcher implements RequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final int MOST_LOGGED = 100;

    private final DispatchTable table;
    private final Interrupts interrupts;
    private final Counters counters = new Counters();
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** @param negotiation what INIT agreed on */
    public Dispatcher(FileSystem fs, Negotiation negotiation) {
        this(fs, negotiation, Map.of());
    }

    /** @param before what the {@link #counters} of the same connection were when another one served it */
    public Dispatcher(FileSystem fs, Negotiation negotiation, Map<String, Long> before) {
        if (!before.isEmpty()) {
            counters.goOn(before);
        }
        interrupts = new Interrupts(fs);
        table = new DispatchTable(fs, negotiation, interrupts);
    }

    @Override
    public Worker worker(Place place, Blocking blocking) {
        Request q = new Request(place);
        Reply r = new Reply(place);
        Counters.Table counts = counters.table();
        return new Worker() {
            @Override
            public int handle(int length, int dataAt) {
                q.parse(length, dataAt);
                return Dispatcher.this.handle(q, r, counts, blocking);
            }

            @Override
            public void waiting() {
                interrupts.waits(q.unique());
            }

            @Override
            public void resumed() {
                interrupts.resumes(q.unique());
            }
        };
    }

    /** Counters by name, for people. */
    public Map<String, Long> counters() {
        return counters.report();
    }

    private int handle(Request q, Reply r, Counters.Table counts, Blocking blocking) {
        r.begin();
        DispatchTable.Row row = table.row(q.opcode());
        if (row == null) {
            counts.error();
            return r.finish(q.unique(), Errno.ENOSYS.number());
        }
        counts.request(row.opcode());
        int errno = 0;
        try {
            errno = q.bodyLength() < row.bodySize() ? Errno.EINVAL.number() : 0;
            if (errno == 0) {
                handle(row, q, r, blocking);
            }
        } catch (Ext4Exception e) {
            errno = e.errno().number();
        } catch (RuntimeException | Error e) {
            // Whoever called must get an answer: a request without one hangs its process for good.
            errno = Errno.EIO.number();
            counts.unexpected();
            logOnce(row, e);
        }
        if (errno != 0) {
            counts.error();
        }
        return row.replies() ? r.finish(q.unique(), errno) : 0;
    }

    private static void handle(DispatchTable.Row row, Request q, Reply r, Blocking blocking) {
        if (!row.blocks()) {
            row.handler().handle(q, r);
            return;
        }
        blocking.begin();
        try {
            row.handler().handle(q, r);
        } finally {
            blocking.end();
        }
    }

    private void logOnce(DispatchTable.Row row, Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        String site = e.getClass().getName() + (trace.length > 0 ? trace[0] : "");
        if (logged.size() < MOST_LOGGED && logged.add(site)) {
            LOG.error("unexpected failure of {}, answered with EIO; the same again is not logged", row.opcode(), e);
        }
    }
}
