// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Nothing of the bundle is loaded later than its services are registered. */
class PreloadTest {
    @Test
    void namesEveryClass() throws Exception {
        Path classes = Path.of(FuseTransport.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            assertThat(files.map(file -> classes.relativize(file).toString())
                            .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
                            .map(file -> file.replace('/', '.').substring(0, file.length() - ".class".length()))
                            .filter(name -> !name.equals(Preload.class.getName())))
                    .containsExactlyInAnyOrderElementsOf(Preload.classes());
        }
    }
}
