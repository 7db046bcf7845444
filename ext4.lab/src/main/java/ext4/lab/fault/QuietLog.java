// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Takes the place of the log while devices fail by the thousand: nothing is printed, and an exception in it that is none of
 * the project's kinds goes to the trial whose thread logged it.
 */
final class QuietLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final String KINDS = "ext4.api.fs.";

    private final Logger root;
    private final List<Appender<ILoggingEvent>> others = new ArrayList<>();

    QuietLog() {
        root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Iterator<Appender<ILoggingEvent>> appenders = root.iteratorForAppenders();
        appenders.forEachRemaining(others::add);
        others.forEach(root::detachAppender);
        setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        boolean foreign = thrown != null && !thrown.getClassName().startsWith(KINDS);
        if (foreign
                && event.getLevel().isGreaterOrEqual(Level.WARN)
                && Thread.currentThread().getThreadGroup() instanceof TrialThreads trial) {
            StringBuilder text = new StringBuilder(
                    event.getFormattedMessage() + ": " + thrown.getClassName() + ": " + thrown.getMessage());
            for (int i = 0; i < Math.min(8, thrown.getStackTraceElementProxyArray().length); i++) {
                text.append("\n      ").append(thrown.getStackTraceElementProxyArray()[i]);
            }
            trial.foreign(text.toString());
        }
    }

    @Override
    public void close() {
        root.detachAppender(this);
        others.forEach(root::addAppender);
        stop();
    }
}
