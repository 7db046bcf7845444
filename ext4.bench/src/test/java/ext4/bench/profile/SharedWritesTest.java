// SPDX-License-Identifier: Apache-2.0
package ext4.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.core.mount.Ext4CoreProvider;
import ext4.journal.Jbd2Provider;
import ext4.mount.gate.Gate;
import ext4.orphan.global.GlobalOrphanStrategy;
import ext4.orphan.sharded.ShardedOrphanStrategy;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of shared writes is what the classes say. */
class SharedWritesTest {
    private static final List<Class<?>> PARTS = List.of(
            Ext4CoreProvider.class,
            Jbd2Provider.class,
            Gate.class,
            GlobalOrphanStrategy.class,
            ShardedOrphanStrategy.class);

    private static final Set<String> KINDS = Set.of("striped", "object", "batch", "all", "read");

    @Test
    void everyAtomicAndVolatileFieldIsListedAndNoOther() throws Exception {
        Set<String> found = new TreeSet<>();
        for (Class<?> part : PARTS) {
            for (String type : types(part)) {
                if (SharedWrites.PATH.contains(type.substring(0, type.lastIndexOf('.')))) {
                    for (Field field :
                            Class.forName(type, false, part.getClassLoader()).getDeclaredFields()) {
                        if (isShared(field)) {
                            found.add(type.replace('$', '.') + "#" + field.getName());
                        }
                    }
                }
            }
        }
        assertThat(found).hasSizeGreaterThan(30);
        assertThat(SharedWrites.rows())
                .as("shared-writes.txt: add a row that says who writes a new field, remove that of one that is gone")
                .extracting(row -> row.type() + "#" + row.field())
                .containsExactlyInAnyOrderElementsOf(found);
    }

    @Test
    void onlyGlobalHasSomethingThatAllTasksWrite() throws IOException {
        assertThat(SharedWrites.rows())
                .allMatch(row -> KINDS.contains(row.sharing()) && !row.text().isBlank());
        assertThat(SharedWrites.rows())
                .filteredOn(row -> row.sharing().equals("all"))
                .allMatch(row -> row.type().startsWith("ext4.orphan.global."));
    }

    private static boolean isShared(Field field) {
        return Modifier.isVolatile(field.getModifiers())
                || field.getType() == VarHandle.class
                || field.getType().getPackageName().equals("java.util.concurrent.atomic");
    }

    /** Names of all classes beside {@code part}, in its folder or jar. */
    private static List<String> types(Class<?> part) throws IOException, URISyntaxException {
        Path place =
                Path.of(part.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
            return types(place);
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return types(jar.getPath("/"));
        }
    }

    private static List<String> types(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.startsWith("ext4") && name.endsWith(".class"))
                    .filter(name -> !name.endsWith("package-info.class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .toList();
        }
    }
}
