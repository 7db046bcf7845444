// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import ext4.arch.fixture.RawBytes;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * No offset into a structure on disk outside ext4.format. Who has no way to read a number at a place in a byte array
 * needs none; FUSE messages and system calls have their own layouts and are not meant.
 */
class RawBytesTest {
    private static final String[] ON_DISK = {
        "ext4.core..", "ext4.journal..", "ext4.orphan..", "ext4.device..", "ext4.mount..", "ext4.shell.."
    };

    /** Numbers of more than one byte taken from or put into bytes. */
    private static final DescribedPredicate<JavaAccess<?>> RAW_ACCESS = calls(
                    "java.lang.invoke.MethodHandles", "byte(Array|Buffer)ViewVarHandle")
            .or(calls("java.nio.ByteBuffer", "(get|put)(Short|Char|Int|Long|Float|Double)"))
            .or(calls("java.nio.ByteBuffer", "order|as(Short|Char|Int|Long)Buffer"))
            .or(calls("java.lang.foreign.MemorySegment", "get|set|getAtIndex|setAtIndex"))
            .or(calls("java.io.Data(Input|Output)Stream", ".*"))
            .or(calls("ext4.format.Le", ".*"))
            .as("numbers at an offset in raw bytes");

    private static ArchRule rule(String... packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should(readRawBytes())
                .allowEmptyShould(true);
    }

    @Test
    void onlyTheFormatReadsNumbersFromRawBytes() {
        rule(ON_DISK).check(Modules.CLASSES);
    }

    @Test
    void onlyTheFormatPutsBytesTogether() {
        List<Path> sources = Modules.sources("src/main/java").stream()
                .filter(file -> !file.toString().matches(".*/ext4\\.(format|fuse|sys|launcher|testkit|bench)/.*"))
                .toList();
        assertThat(SourceTree.parse(sources))
                .flatMap(SourceTree::assembledBytes)
                .isEmpty();
    }

    @Test
    void theRuleNoticesEachWayToCheat() {
        var report = rule("ext4.arch.fixture..")
                .evaluate(new ClassFileImporter().importClasses(RawBytes.class))
                .getFailureReport()
                .toString();
        assertThat(report).contains("RawBytes.view", "RawBytes.absolute", "RawBytes.store", "RawBytes.order");
        assertThat(report).contains("RawBytes.number");
    }

    @Test
    void theSourceRuleNoticesBytesPutTogether() {
        Path fixture = Modules.ROOT.resolve("ext4.arch/src/test/java/ext4/arch/fixture/RawBytes.java");
        assertThat(SourceTree.parse(List.of(fixture)))
                .flatMap(SourceTree::assembledBytes)
                .hasSize(1);
    }

    private static ArchCondition<JavaClass> readRawBytes() {
        return ArchConditions.accessTargetWhere(RAW_ACCESS);
    }

    private static DescribedPredicate<JavaAccess<?>> calls(String type, String method) {
        return DescribedPredicate.describe(
                type + "." + method,
                access -> access.getTargetOwner().getFullName().matches(type)
                        && access.getTarget().getName().matches(method));
    }
}
