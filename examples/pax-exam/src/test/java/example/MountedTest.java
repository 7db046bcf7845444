// SPDX-License-Identifier: Apache-2.0
package example;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.junitBundles;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.exam.Ext4Exam;
import ext4.exam.MountedImage;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;

/** Files on a real mount, while its orphan strategy changes. */
@RunWith(PaxExam.class)
public class MountedTest {
    @Configuration
    public Option[] parts() {
        return options(junitBundles(), Ext4Exam.fresh(64 << 20).option());
    }

    @Inject
    private MountedImage ext4;

    @Test
    public void aFileIsWhatWasWritten() throws IOException {
        Path file = ext4.root().resolve("hello");
        Files.writeString(file, "world");
        assertEquals("world", Files.readString(file));
    }

    @Test
    public void theStrategyChangesUnderAnOpenFile() throws Exception {
        Path file = ext4.root().resolve("gone");
        try (var open = FileChannel.open(file, CREATE_NEW, WRITE)) {
            Files.delete(file);
            assertEquals("global", ext4.mount().strategy("global").to());
            assertEquals(1, ext4.mount().orphans().size());
            assertTrue(open.isOpen());
        }
    }
}
