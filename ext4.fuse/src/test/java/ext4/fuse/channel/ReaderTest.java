// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.sys.Linux;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a reader may leave: a source that is played says what it reads, and what happens while it waits. */
class ReaderTest {
    private static final long REQUEST = 40;

    /** What the reader did, in order. */
    private final List<String> log = new ArrayList<>();
    /** What it reads, in order; after the last the connection is gone. */
    private final List<Long> reads = new ArrayList<>();

    private final Spares spares = new Spares(1, () -> {});
    private final CompletableFuture<Reader.End> ended = new CompletableFuture<>();
    private Runnable whileItWaits = () -> {};
    private Runnable whileItAnswers = () -> {};

    private Reader.End run(boolean spare) {
        new Reader(new PlayedPool(), "reader", 7, spare).run();
        return ended.join();
    }

    /**
     * The kernel wakes one reader for a request. If that one is a spare reader, and is one too many by then, it reads all the
     * same: else the request waits until another comes.
     */
    @Test
    void aSpareReaderThatWasWokenReadsBeforeItLeaves() {
        reads.addAll(List.of((long) -Linux.EAGAIN, REQUEST));
        spares.begin(); // lets it in
        whileItWaits = this::oneTooMany; // when the request comes that wakes it
        assertThat(run(true)).isEqualTo(Reader.End.UNMOUNTED);
        assertThat(log).containsExactly("read", "wait", "read", "handle", "reply", "close");
    }

    /** Who leaves does not park but ends, so that a reader that leaves too early fails the test and does not hang. */
    private void oneTooMany() {
        spares.end();
        spares.dismiss();
    }

    /** So it does for whatever its read ends with. */
    @Test
    void aSpareReaderThatWasWokenAndFindsNothingWaitsOn() {
        reads.addAll(List.of((long) -Linux.EAGAIN, (long) -Linux.EAGAIN, (long) -Linux.ENOENT, REQUEST));
        spares.begin();
        whileItWaits = this::oneTooMany;
        assertThat(run(true)).isEqualTo(Reader.End.UNMOUNTED);
        assertThat(log).containsExactly("read", "wait", "read", "wait", "read", "read", "handle", "reply", "close");
    }

    /** One too many that has answered parks, and reads nothing before it is let in again. */
    @Test
    void aSpareReaderThatIsOneTooManyLeavesWhenItHasAnswered() {
        reads.addAll(List.of(REQUEST, REQUEST));
        spares.begin();
        whileItAnswers = this::oneTooMany;
        assertThat(run(true)).isEqualTo(Reader.End.UNMOUNTED);
        assertThat(log).containsExactly("read", "handle", "reply", "close");
        assertThat(reads).as("left to others").hasSize(1);
    }

    @Test
    void aReaderThatIsNoSpareOneNeverLeaves() {
        reads.addAll(List.of(REQUEST, (long) -Linux.EAGAIN, REQUEST));
        whileItAnswers = () -> {
            spares.begin();
            spares.end();
        };
        assertThat(run(false)).isEqualTo(Reader.End.UNMOUNTED);
        assertThat(log)
                .containsExactly("read", "handle", "reply", "read", "wait", "read", "handle", "reply", "read", "close");
    }

    /** The word comes with a request: that is left to whoever reads next, who reads before he waits. */
    @Test
    void whoIsToldToStopLeavesWhatThereIsToRead() {
        reads.addAll(List.of((long) -Linux.EAGAIN, REQUEST));
        whileItWaits = spares::stop;
        assertThat(run(false)).isEqualTo(Reader.End.STOPPED);
        assertThat(log).containsExactly("read", "wait", "close");
    }

    private final class PlayedPool implements Reader.Pool {
        @Override
        public RequestSource source(int fd) {
            return new PlayedSource();
        }

        @Override
        public RequestHandler handler() {
            return (place, blocking) -> new RequestHandler.Worker() {
                @Override
                public int handle(int length, int dataAt) {
                    log.add("handle");
                    whileItAnswers.run();
                    return 16;
                }

                @Override
                public void waiting() {}

                @Override
                public void resumed() {}
            };
        }

        @Override
        public Spares spares() {
            return spares;
        }

        @Override
        public void done(Reader reader, Reader.End end) {
            ended.complete(end);
        }
    }

    private final class PlayedSource implements RequestSource {
        @Override
        public RequestHandler.Place place() {
            return new RequestHandler.Place(
                    MemorySegment.NULL, 40, MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL);
        }

        @Override
        public long read() {
            log.add("read");
            return reads.isEmpty() ? -Linux.ENODEV : reads.removeFirst();
        }

        @Override
        public boolean awaitRequest() {
            log.add("wait");
            Runnable event = whileItWaits;
            whileItWaits = () -> {};
            event.run();
            return spares.stopped();
        }

        @Override
        public void reply(int length) {
            log.add("reply");
        }

        @Override
        public void close() {
            log.add("close");
        }
    }
}
