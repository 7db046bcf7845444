// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import org.junit.jupiter.api.Test;

/** Native code is reached from one room, and the parts of a mount start no processes and no frameworks. */
class SystemCallsTest {
    @Test
    void onlySysReachesNativeCode() {
        noClasses()
                .that()
                .resideOutsideOfPackage("ext4.sys..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Linker.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(SymbolLookup.class)
                .check(Modules.CLASSES);
    }

    @Test
    void nothingIsNative() {
        noMethods().should().haveModifier(JavaModifier.NATIVE).check(Modules.CLASSES);
        noClasses()
                .should()
                .callMethod(System.class, "load", String.class)
                .orShould()
                .callMethod(System.class, "loadLibrary", String.class)
                .orShould()
                .dependOnClassesThat(resideInAnyPackage("sun..", "jdk..").and(not(resideInAPackage("jdk.jfr.."))))
                .check(Modules.CLASSES);
    }

    @Test
    void thePartsOfAMountStartNoProcess() {
        noClasses()
                .that()
                .resideOutsideOfPackages("ext4.launcher..", "ext4.testkit..", "ext4.bench..", "ext4.lab..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ProcessBuilder.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Process.class)
                .check(Modules.CLASSES);
    }
}
