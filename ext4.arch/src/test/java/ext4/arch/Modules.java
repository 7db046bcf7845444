// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The modules of this reactor as folders: their compiled classes and their sources. */
final class Modules {
    /** Folder of the reactor: from the build, or the parent of this module when an IDE runs the tests. */
    static final Path ROOT =
            Path.of(System.getProperty("ext4.root", "..")).toAbsolutePath().normalize();

    /** Compiled main classes of all modules. */
    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludePackageInfos())
            .importPaths(all().map(module -> module.resolve("target/classes"))
                    .filter(Files::isDirectory)
                    .toList());

    private Modules() {}

    /** Every module's folder. */
    static Stream<Path> all() {
        return list(ROOT).filter(folder -> Files.isRegularFile(folder.resolve("pom.xml")));
    }

    /** The folder's name is the module's name. */
    static String name(Path module) {
        return module.getFileName().toString();
    }

    /** All Java files under the given folders of all modules, such as {@code src/main/java}. */
    static List<Path> sources(String... folders) {
        return all().flatMap(module -> Stream.of(folders).map(module::resolve))
                .filter(Files::isDirectory)
                .flatMap(Modules::javaFiles)
                .sorted()
                .toList();
    }

    /** All Java files below a folder. */
    static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
