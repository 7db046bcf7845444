// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.keeper.process.KeeperProcess.FakeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The keeper process with servers that die, refuse and hand over at every point. */
@Timeout(120)
class SupervisorTest {
    @TempDir
    Path temp;

    private KeeperProcess keeper;

    @BeforeEach
    void start() throws IOException {
        keeper = new KeeperProcess(temp);
    }

    @AfterEach
    void stop() throws IOException {
        keeper.close();
    }

    private FakeProcess serving() throws IOException {
        FakeProcess server = keeper.next();
        assertThat(server.ask("take")).isEqualTo("none");
        assertThat(server.ask("put one")).isEqualTo("done");
        assertThat(server.ask("raise 12")).isEqualTo("done");
        return server;
    }

    private int status() throws InterruptedException {
        assertThat(keeper.process.waitFor(30, TimeUnit.SECONDS))
                .as("the keeper ends")
                .isTrue();
        return keeper.process.exitValue();
    }

    @Test
    void endsWithTheServerAndItsStatusWhenNothingIsKept() throws Exception {
        FakeProcess server = keeper.next();
        assertThat(server.ask("take")).isEqualTo("none");
        server.send("exit 7");
        assertThat(status()).isEqualTo(7);
    }

    @Test
    void endsWithTheServerAfterDrop() throws Exception {
        FakeProcess server = serving();
        assertThat(server.ask("drop")).isEqualTo("done");
        server.send("exit 0");
        assertThat(status()).isZero();
    }

    @Test
    void aKilledServerIsReplacedAndItsSuccessorToo() throws Exception {
        serving().kill();
        FakeProcess second = keeper.next();
        assertThat(second.ask("take")).isEqualTo("crashed {word=one} [11, 22] 1");
        assertThat(second.ask("serves")).isEqualTo("done");
        assertThat(second.ask("raise 13")).isEqualTo("done");
        assertThat(second.ask("put two")).isEqualTo("done");
        second.kill();
        assertThat(keeper.next().ask("take")).isEqualTo("crashed {word=two} [11, 22] 2");
        System.out.printf(
                "the keeper process: %d kB, %d kB of them its own%n",
                keeper.memory("Rss"), keeper.memory("Private_Dirty"));
        assertThat(keeper.memory("Private_Dirty")).isLessThan(40_000);
    }

    @Test
    void handsOverWhenTheSuccessorServes() throws Exception {
        FakeProcess first = serving();
        first.send("prepare");
        FakeProcess second = keeper.next();
        second.send("take");
        assertThat(first.answer()).isEqualTo("done");
        first.send("hand");
        assertThat(second.answer()).isEqualTo("planned {word=one} [11, 22] 1");
        assertThat(second.ask("serves")).isEqualTo("done");
        assertThat(first.answer()).isEqualTo("handed over: null");
        first.send("exit 75");
        assertThat(first.ended()).isTrue();
        assertThat(second.ask("drop")).as("it is the one that serves now").isEqualTo("done");
        second.send("exit 0");
        assertThat(status()).isZero();
    }

    @Test
    void theFirstGoesOnWhenTheSuccessorRefusesOrDies() throws Exception {
        FakeProcess first = serving();
        first.send("prepare");
        keeper.next().kill();
        assertThat(first.answer()).isEqualTo("error the new process ended with status 137");

        first.send("prepare");
        FakeProcess third = keeper.next();
        third.send("take");
        assertThat(first.answer()).isEqualTo("done");
        first.send("hand");
        assertThat(third.answer()).startsWith("planned");
        assertThat(third.ask("refuse it does not like it")).isEqualTo("done");
        third.send("exit 1");
        assertThat(first.answer()).isEqualTo("handed over: the new process did not take over: it does not like it");

        first.send("prepare");
        FakeProcess fourth = keeper.next();
        fourth.send("take");
        assertThat(first.answer()).isEqualTo("done");
        fourth.kill();
        assertThat(fourth.ended()).isTrue();
        assertThat(first.ask("hand")).startsWith("handed over: the new process");
        first.kill();
        assertThat(keeper.next().ask("take")).isEqualTo("crashed {word=one} [11, 22] 1");
    }

    @Test
    void aSuccessorStandsInForOneThatDiesMeanwhile() throws Exception {
        FakeProcess first = serving();
        first.send("prepare");
        FakeProcess second = keeper.next();
        second.send("take");
        assertThat(first.answer()).isEqualTo("done");
        first.kill(); // it did not suspend
        assertThat(second.answer()).isEqualTo("crashed {word=one} [11, 22] 1");
        assertThat(second.ask("serves")).isEqualTo("done");
        second.send("prepare");
        FakeProcess third = keeper.next();
        third.send("take");
        assertThat(second.answer()).isEqualTo("done");
        second.send("hand");
        assertThat(third.answer()).isEqualTo("planned {word=one} [11, 22] 1");
        second.kill();
        assertThat(second.ended()).isTrue();
        assertThat(third.ask("serves")).isEqualTo("done");
        assertThat(third.ask("drop")).isEqualTo("done");
        third.send("exit 0");
        assertThat(status()).isZero();
    }

    @Test
    void givesUpWhenNoneCanServe() throws Exception {
        serving().kill();
        for (int i = 0; i < 5; i++) {
            FakeProcess server = keeper.next();
            assertThat(server.ask("take")).startsWith("crashed");
            assertThat(server.ask("refuse the image is bad")).isEqualTo("done");
            server.send("exit 1");
        }
        assertThat(status()).isOne();
        assertThat(keeper.log()).contains("gives up").contains("the image is bad");
    }

    @Test
    void toldToEndItEndsTheServerFirst() throws Exception {
        FakeProcess server = serving();
        keeper.process.destroy();
        assertThat(status()).isEqualTo(128 + 15);
        assertThat(server.ended()).isTrue();
    }
}
