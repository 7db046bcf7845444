// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import org.junit.jupiter.api.Test;

/** Logic is plain Java: OSGi is seen by thin component classes only. */
class ComponentsTest {
    private static final DescribedPredicate<JavaClass> USE_OSGI = DescribedPredicate.describe(
            "use OSGi services",
            type -> type.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .anyMatch(resideInAnyPackage("org.osgi.service..", "org.osgi.framework..", "org.osgi.util..")));

    @Test
    void onlyComponentsSeeOsgi() {
        classes()
                .that()
                .resideInAnyPackage("ext4.core..", "ext4.journal..", "ext4.orphan..", "ext4.device..")
                .and(USE_OSGI)
                .should()
                .beAnnotatedWith("org.osgi.service.component.annotations.Component")
                .orShould()
                .beAnnotatedWith("org.osgi.service.metatype.annotations.ObjectClassDefinition")
                .allowEmptyShould(true)
                .check(Modules.CLASSES);
    }

    @Test
    void noPackageIsCalledUtil() {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..utils..", "..helper..", "..helpers..", "..common..", "..misc..")
                .check(Modules.CLASSES);
    }

    @Test
    void nothingWritesToTheConsoleButTheCommand() {
        noClasses()
                .that()
                .resideOutsideOfPackages("ext4.launcher..", "ext4.bench..", "ext4.lab..", "ext4.testkit..")
                .and()
                .haveNameNotMatching(
                        "ext4\\.(control\\.load\\.Load|keeper\\.process\\.)Main.*") // processes of their own
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .check(Modules.CLASSES);
    }
}
