// SPDX-License-Identifier: Apache-2.0
package ext4.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The feature is what Karaf's own schema allows, and names each bundle of the command's container, in its order. */
class FeatureIT {
    private static final Path TARGET =
            Path.of(System.getProperty("ext4.karaf.folder")).getParent();
    private static final Path FEATURES = TARGET.resolve("feature/features.xml");
    private static final Path LIB = Path.of(System.getProperty("ext4.project"), "ext4.launcher/target/home/lib");

    /** Added to the levels of the command's container: Karaf's level for what is not its own. */
    private static final int FIRST_LEVEL = 80;

    /** Needs a Gogo shell, which Karaf can't start on this Java. */
    private static final String SHELL = "ext4.shell";

    @Test
    void theFeatureIsValid(@TempDir Path folder) throws Exception {
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(new StreamSource(schema(folder).toFile()))
                .newValidator()
                .validate(new StreamSource(FEATURES.toFile()));
    }

    @Test
    void itNamesEachBundleOfTheCommandAtItsLevel() throws Exception {
        Map<String, Integer> expected = levels();
        expected.remove(SHELL);
        assertThat(expected).isNotEmpty();
        assertThat(bundles()).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void theArchiveHoldsTheFeatureAndItsBundles() throws Exception {
        Path archive = find(TARGET, "-system.tar.gz");
        List<String> files =
                Arrays.asList(Tool.run("tar", "tzf", archive).ok().output().split("\n"));
        String version = archive.getFileName().toString().replaceAll("^ext4.karaf-|-system.tar.gz$", "");
        assertThat(files).contains("system/ext4/ext4.karaf/%1$s/ext4.karaf-%1$s-features.xml".formatted(version));
        for (String bundle : bundles().keySet()) {
            assertThat(files).contains("system/ext4/%1$s/%2$s/%1$s-%2$s.jar".formatted(bundle, version));
        }
    }

    /** Karaf's schema, from the bundle of its distribution that reads such files. */
    private static Path schema(Path folder) throws IOException {
        Path archive = find(Path.of(System.getProperty("ext4.karaf.folder")), ".tar.gz");
        Tool.run("tar", "xzf", archive, "-C", folder, "--wildcards", "*/org.apache.karaf.features.core-*.jar")
                .ok();
        Path core;
        try (Stream<Path> files = Files.find(folder, 20, (file, is) -> is.isRegularFile())) {
            core = files.findFirst().orElseThrow();
        }
        Path schema = folder.resolve("features.xsd");
        try (var jar = new JarFile(core.toFile());
                var content = jar.getInputStream(jar.getEntry("org/apache/karaf/features/karaf-features-1.6.0.xsd"))) {
            Files.copy(content, schema);
        }
        return schema;
    }

    /** Bundle and start level, as the feature has them. */
    private static Map<String, Integer> bundles() throws Exception {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(FEATURES.toFile());
        NodeList nodes = document.getElementsByTagName("bundle");
        Map<String, Integer> bundles = new TreeMap<>();
        IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .forEach(bundle -> {
                    String[] url = bundle.getTextContent().split("/"); // mvn:ext4/ext4.api/0.1.0
                    bundles.put(url[1], Integer.parseInt(bundle.getAttribute("start-level")));
                });
        return bundles;
    }

    /** This project's bundles in the folder of the command, and the levels there. */
    private static Map<String, Integer> levels() throws IOException {
        Map<String, Integer> levels = new TreeMap<>();
        try (Stream<Path> files = Files.find(LIB, 2, (file, is) -> is.isRegularFile())) {
            files.filter(file -> file.getFileName().toString().startsWith("ext4."))
                    .forEach(file -> levels.put(
                            file.getFileName().toString().replaceAll("\\.jar$", ""),
                            FIRST_LEVEL
                                    + Integer.parseInt(
                                            file.getParent().getFileName().toString())));
        }
        return levels;
    }

    private static Path find(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(end))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
