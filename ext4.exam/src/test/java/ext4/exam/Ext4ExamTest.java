// SPDX-License-Identifier: Apache-2.0
package ext4.exam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What goes wrong outside the framework is told there, by name. The rest is proved by the example project. */
class Ext4ExamTest {
    @Test
    void aJarIsFoundBySymbolicName() {
        assertThat(Path.of(URI.create(Ext4Exam.url("org.apache.felix.scr")))).satisfies(Files::exists);
    }

    @Test
    void aBundleThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Ext4Exam.url("no.such.bundle"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no.such.bundle");
    }

    @Test
    void onlyWhatIsPutInCanBeLeftOut() {
        assertThatThrownBy(() -> Ext4Exam.fresh(1 << 24).without("no.such.bundle"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no.such.bundle")
                .hasMessageContaining("ext4.core");
    }
}
