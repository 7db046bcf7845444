// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example is this code, word for word, and it works. */
class ReadmeExampleTest {
    @TempDir
    private Path directory;

    private void example() throws IOException {
        // begin
        Path file = directory.resolve("disk.img");
        try (Ext4Image image = Ext4Image.create(file, 64 << 20, FormatOptions.DEFAULTS)) {
            image.mkdirs("/etc/app");
            image.writeString("/etc/app/name", "ext4\n");
            image.symlink("/etc/name", "app/name");
            image.setXattr("/etc/app/name", "user.comment", new byte[] {'x'});
            try (OutputStream out = image.newOutputStream("/etc/app/log")) {
                out.write("started\n".getBytes(UTF_8));
            }
        }
        try (Ext4Image image = Ext4Image.open(file)) {
            for (ImageEntry entry : image.list("/etc/app")) {
                System.out.println(entry.name() + " " + entry.attributes().size());
            }
            System.out.print(image.readString("/etc/name"));
            try (Stream<ImageEntry> tree = image.walk("/")) {
                System.out.println(
                        tree.filter(entry -> entry.attributes().isRegularFile()).count() + " files");
            }
        }
        // end
    }

    @Test
    void itRuns() throws IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(printed, true, UTF_8));
            example();
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(UTF_8).lines())
                .containsExactlyInAnyOrder("name 5", "log 8", "ext4", "2 files")
                .endsWith("ext4", "2 files");
    }

    @Test
    void itIsInTheReadme() throws IOException {
        Path project = Path.of("").toAbsolutePath();
        while (!Files.exists(project.resolve("mvnw"))) {
            project = project.getParent();
        }
        String readme = Files.readString(project.resolve("README.md"));
        String section = readme.substring(readme.indexOf("\n## From Java\n"));
        String shown = section.substring(section.indexOf("```java") + 7, section.indexOf("```\n", 10));
        String self = Files.readString(project.resolve("ext4.image/src/test/java/ext4/image/ReadmeExampleTest.java"));
        String run = self.substring(self.indexOf("// begin\n") + 9, self.indexOf("// end\n"));
        assertThat(words(shown)).isNotBlank().isEqualTo(words(run));
    }

    /** Without the white space, which the formatter sets. */
    private static String words(String code) {
        return code.replaceAll("\\s+", "");
    }
}
