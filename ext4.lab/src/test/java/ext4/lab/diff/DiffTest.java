// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Oracles;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same operations on the kernel's ext4 and here, over all kinds of filesystems in turn. */
class DiffTest {
    private static final long SEED = 20;
    private static final int PATIENCE_SECONDS = 20;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);

    @BeforeEach
    void judge() {
        Oracles.needKernelMounts();
    }

    private void assertNothingFound(DiffRun run, long operations) {
        boolean good = run.finish();
        String text = said.toString(StandardCharsets.UTF_8);
        System.out.println(text.lines().reduce((before, line) -> line).orElse("") + " (" + run.place() + ")");
        assertThat(good).as(text).isTrue();
        assertThat(run.operations()).isGreaterThanOrEqualTo(operations);
    }

    @Test
    void theKernelAndThisProcessDoTheSame() {
        try (DiffRun run = new DiffRun(false, null, PATIENCE_SECONDS, out)) {
            run.random(27_000, SEED, null);
            assertNothingFound(run, 27_000);
        }
    }

    @Test
    void theKernelAndAMountDoTheSame() {
        Oracles.needFuse();
        try (DiffRun run = new DiffRun(true, null, PATIENCE_SECONDS, out)) {
            run.random(3_000, SEED, null);
            assertNothingFound(run, 3_000);
        }
    }

    /** A side that gets one mode wrong. */
    private static final class Wrong implements Side {
        private final CoreSide right = new CoreSide();

        @Override
        public void mount(Path image) {
            right.mount(image);
        }

        @Override
        public Calls calls() {
            Calls calls = right.calls();
            return (Calls) Proxy.newProxyInstance(
                    Calls.class.getClassLoader(), new Class<?>[] {Calls.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("chmod") && (Integer) arguments[1] == 01777) {
                            arguments[1] = 0777;
                        }
                        try {
                            return method.invoke(calls, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Override
        public void unmount() {
            right.unmount();
        }
    }

    @Test
    void aMistakeIsFoundAndItsSequenceShrunk() {
        try (DiffRun run = new DiffRun(new Wrong(), null, PATIENCE_SECONDS, out)) {
            run.random(1_000, SEED, "-b 1024");
            assertThat(run.finish()).isFalse();
        }
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(text)
                .contains("difference, seed 20")
                .contains("chmod: attributes of")
                .contains("differences: ");
        assertThat(text.lines().filter(line -> line.startsWith("chmod")))
                .as("what is left of the sequence:%n%s", text)
                .singleElement()
                .asString()
                .endsWith(" 1023");
        assertThat(text.lines().dropWhile(line -> !line.startsWith("# uuid")).takeWhile(line -> !line.isBlank()))
                .as("what is left of the sequence:%n%s", text)
                .hasSizeLessThan(6);
    }
}
