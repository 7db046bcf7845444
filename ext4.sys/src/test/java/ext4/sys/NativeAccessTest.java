// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each in a JVM of its own, started with that option. */
class NativeAccessTest {
    /** Says how it is. */
    static final class Main {
        public static void main(String[] arguments) {
            System.out.println(NativeAccess.now());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--enable-native-access=ALL-UNNAMED, ENABLED",
        "--illegal-native-access=warn, NOT_ASKED_FOR",
        "--illegal-native-access=deny, DENIED"
    })
    void isAsTheJvmWasStarted(String option, NativeAccess expected) throws Exception {
        assertThat(say(option)).isEqualTo(expected.name());
    }

    private static String say(String option) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", option, "-cp", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD) // the JVM's own warning
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said.strip();
    }
}
