// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import ext4.arch.fixture.ApiLeak;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compile arrows: every implementation sees ext4.api, none sees another. */
class ArrowsTest {
    /** What a module may see, besides libraries. A new module needs a row. */
    record Row(String module, String own, String... others) {
        @Override
        public String toString() {
            return module;
        }
    }

    private static final String API = "ext4.api..";
    private static final String SYS = "ext4.sys..";
    private static final String FORMAT = "ext4.format..";

    static List<Row> rows() {
        return List.of(
                new Row("ext4.api", API),
                new Row("ext4.sys", SYS),
                new Row("ext4.format", FORMAT),
                new Row("ext4.device", "ext4.device..", API),
                new Row("ext4.journal", "ext4.journal..", API, FORMAT),
                new Row("ext4.journal.plain", "ext4.journal.plain..", API, FORMAT),
                new Row("ext4.core", "ext4.core..", API, FORMAT),
                new Row("ext4.orphan.impl-global", "ext4.orphan.global..", API),
                new Row("ext4.orphan.impl-sharded", "ext4.orphan.sharded..", API),
                new Row("ext4.orphan.template", "ext4.orphan.template..", API),
                new Row("ext4.mount", "ext4.mount..", API, SYS),
                new Row("ext4.fuse", "ext4.fuse..", API, SYS),
                new Row("ext4.keeper", "ext4.keeper..", API, SYS),
                new Row("ext4.control", "ext4.control..", API),
                new Row("ext4.shell", "ext4.shell..", API),
                new Row("ext4.observe", "ext4.observe..", API),
                new Row(
                        "ext4.image",
                        "ext4.image..",
                        API,
                        SYS,
                        "ext4.core.mount..",
                        "ext4.core.mkfs..",
                        "ext4.journal",
                        "ext4.device..",
                        "ext4.orphan.sharded.."),
                new Row("ext4.exam", "ext4.exam..", API, "ext4.image"),
                new Row("ext4.testkit", "ext4.testkit..", API, FORMAT));
    }

    /** They put the parts together, and nothing may see them. */
    private static final List<String> TOPS =
            List.of("ext4.launcher", "ext4.bench", "ext4.lab", "ext4.arch", "ext4.proof", "ext4.itest", "ext4.karaf");

    @ParameterizedTest
    @MethodSource("rows")
    void aModuleSeesOnlyWhatItsRowSays(Row row) {
        noClasses()
                .that()
                .resideInAPackage(row.own())
                .and(DescribedPredicate.not(resideInAnyPackage(inside(row))))
                .should()
                .dependOnClassesThat(ext4But(row))
                .allowEmptyShould(true)
                .check(Modules.CLASSES);
    }

    @Test
    void everyModuleHasARowAndKeepsToItsPackages() {
        Map<String, Row> rows = rows().stream().collect(Collectors.toMap(Row::module, row -> row));
        Modules.all()
                .map(Modules::name)
                .filter(name -> !TOPS.contains(name))
                .forEach(name ->
                        assertThat(rows).as("compile arrows of each module").containsKey(name));
        Modules.all().filter(module -> rows.containsKey(Modules.name(module))).forEach(module -> {
            String own = rows.get(Modules.name(module)).own().replace("..", "").replace('.', '/');
            Path sources = module.resolve("src/main/java");
            if (Files.isDirectory(sources)) {
                assertThat(Modules.javaFiles(sources))
                        .as("sources of %s, all below %s", module.getFileName(), own)
                        .isNotEmpty()
                        .allMatch(file -> file.startsWith(sources.resolve(own)));
            }
        });
    }

    @Test
    void theContractsNeedNothing() {
        needOnly(API, "java..", "org.osgi.annotation..", API).check(Modules.CLASSES);
    }

    @Test
    void theFormatNeedsOnlyTheJdk() {
        needOnly(FORMAT, "java..", FORMAT).check(Modules.CLASSES);
    }

    @Test
    void theRuleNoticesALeak() {
        ArchRule rule = needOnly("ext4.arch.fixture..", "java..", "ext4.arch.fixture..");
        assertThat(rule.evaluate(new ClassFileImporter().importClasses(ApiLeak.class))
                        .hasViolation())
                .isTrue();
    }

    private static ArchRule needOnly(String who, String... what) {
        return classes().that().resideInAPackage(who).should().onlyDependOnClassesThat(resideInAnyPackage(what));
    }

    private static DescribedPredicate<JavaClass> ext4But(Row row) {
        return resideInAPackage("ext4..")
                .and(DescribedPredicate.not(resideInAPackage(row.own())
                        .and(DescribedPredicate.not(resideInAnyPackage(inside(row))))
                        .or(resideInAnyPackage(row.others()))));
    }

    /** Packages of other modules whose names begin with those of this one. */
    private static String[] inside(Row row) {
        String own = row.own().replace("..", ".");
        return rows().stream()
                .map(Row::own)
                .filter(other -> other.startsWith(own) && !other.equals(row.own()))
                .toArray(String[]::new);
    }
}
