// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.LoggerFactory;

/**
 * Takes the log for itself: damaged images make many lines. It keeps those with an exception that is none of the
 * filesystem's kinds: threads behind the verbs (evictors, the journal's) have nobody else to tell of it.
 */
final class LogWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final String KINDS = "ext4.api.";
    private static final int MOST = 20;

    private final Queue<String> foreign = new ConcurrentLinkedQueue<>();
    private final ConcurrentMap<Logger, Boolean> taken = new ConcurrentHashMap<>();

    /** From now on. */
    LogWatch() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        setContext(context);
        setName("fuzz");
        start();
        Logger root = context.getLogger("ext4");
        taken.put(root, root.isAdditive());
        root.setAdditive(false);
        root.setLevel(Level.WARN);
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        for (IThrowableProxy t = event.getThrowableProxy(); t != null; t = t.getCause()) {
            if (!t.getClassName().startsWith(KINDS) && foreign.size() < MOST) {
                String text = ThrowableProxyUtil.asString(event.getThrowableProxy());
                foreign.add(event.getFormattedMessage() + System.lineSeparator() + text);
                return;
            }
        }
    }

    /** The next of them, or null. */
    String next() {
        return foreign.poll();
    }

    @Override
    public void close() {
        taken.forEach((logger, additive) -> {
            logger.detachAppender(this);
            logger.setAdditive(additive);
            logger.setLevel(null);
        });
    }
}
