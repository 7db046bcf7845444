// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who implements a provider type imports one minor version of its package: a live swap stays within it. */
class ImplementerImportsTest {
    @Test
    void implementersImportOneMinorVersion() throws IOException {
        int looked = 0;
        for (String module : List.of("ext4.journal", "ext4.journal.plain", "ext4.core")) {
            Optional<Path> jar = jar(module);
            assumeTrue(jar.isPresent(), "skipped: no jar of " + module + ", run package");
            String imports = imports(jar.orElseThrow());
            List<String> packages = Modules.CLASSES.stream()
                    .filter(type -> type.getPackageName().startsWith(module))
                    .flatMap(type -> type.getAllRawInterfaces().stream())
                    .filter(type -> type.isAnnotatedWith("org.osgi.annotation.versioning.ProviderType"))
                    .map(JavaClass::getPackageName)
                    .distinct()
                    .toList();
            assertThat(packages).as("provider types implemented in %s", module).isNotEmpty();
            for (String name : packages) {
                String[] version = Signatures.of(
                                Modules.ROOT.resolve("ext4.api/target/classes/" + name.replace('.', '/')))
                        .version()
                        .split("\\.");
                int minor = Integer.parseInt(version[1]);
                assertThat(imports)
                        .as("imports of %s", module)
                        .contains(name + ";version=\"[" + version[0] + "." + minor + "," + version[0] + "."
                                + (minor + 1) + ")\"");
                looked++;
            }
        }
        assertThat(looked).isGreaterThanOrEqualTo(3);
    }

    private static Optional<Path> jar(String module) throws IOException {
        Path target = Modules.ROOT.resolve(module).resolve("target");
        if (!Files.isDirectory(target)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.toString().endsWith("-SNAPSHOT.jar"))
                    .findFirst();
        }
    }

    private static String imports(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.getManifest().getMainAttributes().getValue("Import-Package");
        }
    }
}
