// SPDX-License-Identifier: Apache-2.0
package ext4.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MountRequestsTest {
    private Mount.State state = Mount.State.MOUNTED;
    private boolean unmounted;

    private final Mount mount = (Mount) Proxy.newProxyInstance(
            Mount.class.getClassLoader(), new Class<?>[] {Mount.class}, (p, method, args) -> switch (method.getName()) {
                case "settled" -> CompletableFuture.completedFuture(state);
                case "failure" -> "/img: broken";
                case "status" -> Map.of("state", "mounted");
                case "strategies" -> new Mount.Strategies("global", null, List.of("global", "sharded"));
                case "strategy" -> new SwapReport("global", (String) args[0], 7, 210, 5);
                case "replace" ->
                    new SwapReport((SwapReport.Part) args[0], "a", String.valueOf(args[1]), 7, 210, 0, 4096);
                case "switches" -> List.of(new SwapReport("a", "b", 1, 2, 3));
                case "unmount" -> unmounted = true;
                default -> throw new AssertionError("not expected: " + method);
            });

    private List<String> ask(String... words) throws MountException, IOException {
        List<String> lines = new ArrayList<>();
        new MountRequests(mount, true).answer(words, lines::add);
        return lines;
    }

    @Test
    void strategyShowsAndSwitches() throws MountException, IOException {
        assertThat(ask("strategy"))
                .containsExactly("current: global", "named: none, ranking decides", "available: global, sharded");
        assertThat(ask("strategy", "sharded"))
                .containsExactly("global -> sharded: 7 orphans carried, pause 210 us, 5 orphan records flushed");
        assertThat(ask("switches")).containsExactly("a -> b: 1 orphans carried, pause 2 us, 3 orphan records flushed");
    }

    @Test
    void replaceTakesAPartAndPerhapsAName() throws MountException, IOException {
        assertThat(ask("replace", "journal", "plain"))
                .containsExactly("journal a -> plain: 7 orphans carried, pause 210 us, 4096 bytes flushed");
        assertThat(ask("replace", "core"))
                .containsExactly("core a -> null: 7 orphans carried, pause 210 us, 4096 bytes flushed");
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> ask("replace", "wheel"))
                .withMessage(
                        "replace takes a part and perhaps a name; the parts are strategy, journal, core, transport");
        assertThatExceptionOfType(MountException.class).isThrownBy(() -> ask("replace"));
    }

    @Test
    void waitTellsTheProcessOrTheReason() throws MountException, IOException {
        assertThat(ask("wait"))
                .containsExactly(Long.toString(ProcessHandle.current().pid()));
        state = Mount.State.WAITING;
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> ask("wait"))
                .withMessage("/img: broken");
    }

    @Test
    void statusAndUmount() throws MountException, IOException {
        assertThat(ask("status")).containsExactly("state: mounted");
        assertThat(ask("umount")).hasSize(1);
        assertThat(unmounted).isTrue();
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> ask("dance"))
                .withMessage("unknown request 'dance'");
        assertThatExceptionOfType(MountException.class).isThrownBy(() -> ask("load", "x", "-1", "2"));
    }
}
