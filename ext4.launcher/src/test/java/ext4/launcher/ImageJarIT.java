// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar of ext4.image as a program gets it: the README's example compiled and run with the jars that it names. */
class ImageJarIT {
    @TempDir
    private Path directory;

    private final Path home = Path.of(System.getProperty("ext4.home"));

    @Test
    void theReadmesExampleCompilesAndRunsOnAPlainClassPath() throws Exception {
        Path source = directory.resolve("Example.java");
        Files.writeString(source, """
                import static java.nio.charset.StandardCharsets.UTF_8;
                import ext4.image.Ext4Image;
                import ext4.image.FormatOptions;
                import ext4.image.ImageEntry;
                import java.io.OutputStream;
                import java.nio.file.Path;
                import java.util.stream.Stream;
                class Example {
                    public static void main(String[] args) throws Exception {
                        Path directory = Path.of(args[0]);
                """ + example() + "}}");
        String classPath = Stream.of(
                        "boot/ext4.image.jar", "lib/4/ext4.api.jar", "lib/4/ext4.sys.jar", "lib/2/slf4j-api.jar")
                .map(jar -> home.resolve(jar).toString())
                .collect(Collectors.joining(":"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        source.toString(),
                        directory.toString())
                .redirectError(directory.resolve("err").toFile())
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor())
                .as(Files.readString(directory.resolve("err")))
                .isZero();
        assertThat(printed.lines())
                .containsExactlyInAnyOrder("name 5", "log 8", "ext4", "2 files")
                .endsWith("ext4", "2 files");
        assertThat(Files.readString(directory.resolve("err"))).doesNotContain("restricted method");
    }

    private static String example() throws IOException {
        Path project = Path.of("").toAbsolutePath();
        while (!Files.exists(project.resolve("mvnw"))) {
            project = project.getParent();
        }
        String readme = Files.readString(project.resolve("README.md"));
        String section = readme.substring(readme.indexOf("\n## From Java\n"));
        return section.substring(section.indexOf("```java") + 7, section.indexOf("```\n", 10));
    }

    @Test
    void inAFrameworkItIsABundleThatOffersItsPackageAndNoServices() throws IOException {
        try (JarFile jar = new JarFile(home.resolve("boot/ext4.image.jar").toFile())) {
            Attributes headers = jar.getManifest().getMainAttributes();
            assertThat(headers.getValue("Bundle-SymbolicName")).isEqualTo("ext4.image");
            assertThat(headers.getValue("Export-Package"))
                    .startsWith("ext4.image;")
                    .doesNotContain("ext4.core");
            assertThat(headers.getValue("Import-Package"))
                    .contains("ext4.api.block", "ext4.sys", "org.slf4j")
                    .doesNotContain("ext4.core", "ext4.journal", "ext4.device", "org.osgi");
            assertThat(headers.getValue("Service-Component")).isNull();
            assertThat(jar.stream().map(entry -> entry.getName())).noneMatch(name -> name.startsWith("OSGI-INF"));
        }
    }
}
