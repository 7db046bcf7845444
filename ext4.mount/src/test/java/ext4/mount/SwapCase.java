// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import ext4.api.fs.SwapReport.Part;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.mount.swap.SwapEvent;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A mount of fakes whose parts are replaced; what is logged and told of it is kept. */
abstract class SwapCase {
    @TempDir
    Path mnt;

    final FakeParts fakes = new FakeParts();
    final Map<String, Object> properties = new HashMap<>();
    final List<SwapEvent> events = new CopyOnWriteArrayList<>();
    final List<String> records = new CopyOnWriteArrayList<>();
    final List<String> logged = new CopyOnWriteArrayList<>();
    ManagedMount mount;

    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            logged.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };

    private final MountRecord record = new MountRecord() {
        @Override
        public void name(String key, String name) {
            records.add(key + " " + name);
        }

        @Override
        public void readOnly(boolean readOnly) {
            throw new AssertionError("nothing is remounted");
        }

        @Override
        public boolean delete() {
            return true;
        }

        @Override
        public boolean deleteIfAbandoned() {
            return false;
        }
    };

    @BeforeEach
    void listen() {
        Logger logger = (Logger) LoggerFactory.getLogger("ext4.mount");
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        appender.start();
        logger.addAppender(appender);
        fakes.parts.listeners.add(events::add);
    }

    @AfterEach
    void end() {
        if (mount != null) {
            mount.end();
        }
        ((Logger) LoggerFactory.getLogger("ext4.mount")).detachAppender(appender);
    }

    void start(Limits limits) {
        properties.put(Mount.IMAGE, "/img");
        properties.put(Mount.MOUNTPOINT, mnt.toString());
        mount = new ManagedMount(properties, fakes.parts, record, limits);
        assertThat(mount.settled().join()).as(mount.failure()).isEqualTo(Mount.State.MOUNTED);
        settle(); // it looks once more for services when it is up
        fakes.log.clear();
    }

    void start() {
        start(Limits.DEFAULTS);
    }

    /** Offers a service of that name for a part, which the mount hears of; returns its key. */
    Object comes(Part part, String name, int ranking) {
        Object key = offer(part, name, ranking);
        mount.partCame(part, key);
        return key;
    }

    Object offer(Part part, String name, int ranking) {
        return switch (part) {
            case STRATEGY -> fakes.strategy(name, ranking);
            case JOURNAL -> fakes.journal(name, true, ranking);
            case CORE -> fakes.core(name, ranking);
            case TRANSPORT -> fakes.transport(name, ranking, null);
        };
    }

    /** The service ends, as its bundle does: when this returns the mount holds nothing of it. */
    void goes(Part part, Object key) {
        fakes.parts.of(part).remove(key);
        mount.partGoes(part, key);
    }

    Object keyOf(Part part, String name) {
        return fakes.parts.of(part).list().stream()
                .filter(candidate -> name.equals(candidate.name()))
                .findFirst()
                .orElseThrow()
                .key();
    }

    String current(Part part) {
        return mount.choice(part).current();
    }

    String counts(Part part) {
        String line = mount.status().get("part " + part.text());
        return line.substring(line.indexOf("), ") + 3);
    }

    FileSystem fs() {
        return mount.fileSystem();
    }

    /** One request of each class goes through. */
    void assertRequestsGoOn() {
        fakes.log.clear();
        fs().getattr(2, null);
        fs().write(Credentials.ROOT, 12, 0, ByteBuffer.allocate(1), 0);
        fs().unlink(Credentials.ROOT, 2, new byte[] {'x'});
        assertThat(fakes.log).containsExactly("getattr", "write", "unlink");
    }

    CompletableFuture<Void> later(Runnable request) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                request.run();
                done.complete(null);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    void awaitWaiting(int count) {
        String text = Integer.toString(count);
        while (!text.equals(mount.status().get("requests waiting for a part"))) {
            Thread.onSpinWait();
        }
    }

    void awaitCurrent(Part part, String name) {
        while (!name.equals(current(part))) {
            Thread.onSpinWait();
        }
    }

    /** Waits for all that was posted to the mount's thread before. */
    void settle() {
        try {
            mount.mount();
        } catch (MountException e) {
            throw new AssertionError(e);
        }
    }

    static Limits limits(long drainMillis, long takeOverMillis) {
        return new Limits(TimeUnit.MILLISECONDS.toNanos(drainMillis), TimeUnit.MILLISECONDS.toNanos(takeOverMillis));
    }
}
