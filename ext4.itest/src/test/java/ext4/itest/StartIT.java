// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.base;
import static ext4.itest.Options.control;
import static ext4.itest.Options.core;
import static ext4.itest.Options.device;
import static ext4.itest.Options.fuse;
import static ext4.itest.Options.journal;
import static ext4.itest.Options.keeper;
import static ext4.itest.Options.mount;
import static ext4.itest.Options.strategy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.slf4j.LoggerFactory;

/**
 * Every bundle of the project starts with the services it needs, in the framework that this run is for, and none of its
 * components is broken.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class StartIT {
    /** What the tests themselves need. */
    private static final List<String> TOOLS = List.of("assertj-core.jar", "byte-buddy.jar");

    /** Name of the run and name of the bundle that is the framework. */
    private static final Map<String, String> FRAMEWORKS =
            Map.of("felix", "org.apache.felix.framework", "equinox", "org.eclipse.osgi");

    @Inject
    private BundleContext context;

    @Inject
    private ServiceComponentRuntime components;

    @Inject
    private ConfigurationAdmin configurations;

    @Configuration
    public Option[] configuration() {
        return options(
                base(),
                device(),
                journal(),
                core(),
                strategy("global"),
                strategy("sharded"),
                fuse(),
                mount(),
                keeper(),
                control());
    }

    /** Or a run for one framework would pass in another. */
    @Test
    public void itIsTheFrameworkThatThisRunIsFor() {
        String framework = System.getProperty("ext4.itest.framework");
        assertThat(FRAMEWORKS).containsKey(framework);
        assertThat(context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getSymbolicName())
                .isEqualTo(FRAMEWORKS.get(framework));
    }

    @Test
    public void everyBundleIsActive() {
        Map<String, Bundle> bundles = Arrays.stream(context.getBundles())
                .filter(bundle -> bundle.getHeaders().get("Fragment-Host") == null)
                .collect(Collectors.toMap(Bundle::getSymbolicName, bundle -> bundle));
        assertThat(bundles)
                .containsKeys("ext4.api", "ext4.sys", "ext4.device", "ext4.journal", "ext4.core")
                .containsKeys("ext4.orphan.impl-global", "ext4.orphan.impl-sharded", "ext4.fuse")
                .containsKeys("ext4.mount", "ext4.control");
        assertThat(bundles.values()).allSatisfy(StartIT::isActive);
    }

    /** Starts what isn't, for the reason that the framework then gives. */
    private static void isActive(Bundle bundle) throws BundleException {
        if (bundle.getState() != Bundle.ACTIVE) {
            bundle.start();
            throw new AssertionError(bundle + " was not active, but can be started");
        }
    }

    /** So what is tested here is what {@code ext4 mount} runs, and the run-time set that the build resolves is too. */
    @Test
    public void theyAreTheBundlesOfTheCommand() throws IOException {
        Path home = Path.of(System.getProperty("ext4.itest.home"));
        try (Stream<Path> files = Files.find(home.resolve("lib"), 2, (file, is) -> is.isRegularFile())) {
            List<String> installed = files.filter(StartIT::isForAMount)
                    .map(file -> file.getFileName().toString())
                    .toList();
            assertThat(Arrays.stream(context.getBundles())
                            .map(Bundle::getLocation)
                            .filter(location -> location.contains("/bundles/"))
                            .map(location -> location.substring(location.lastIndexOf('/') + 1)))
                    .filteredOn(file -> !TOOLS.contains(file))
                    .containsExactlyInAnyOrderElementsOf(installed);
        }
    }

    /** Above start level 7 is what only {@code ext4 run} starts. */
    private static boolean isForAMount(Path file) {
        return Integer.parseInt(file.getParent().getFileName().toString()) <= 7;
    }

    @Test
    public void noComponentFailedToActivate() {
        assertThat(components.getComponentDescriptionDTOs())
                .flatMap(components::getComponentConfigurationDTOs)
                .filteredOn(component -> component.state == ComponentConfigurationDTO.FAILED_ACTIVATION)
                .extracting(component -> component.description.name + ": " + component.failure)
                .isEmpty();
    }

    @Test
    public void logbackAnswersInsideTheFramework() {
        assertThat(LoggerFactory.getILoggerFactory().getClass().getName())
                .isEqualTo("ch.qos.logback.classic.LoggerContext");
        assertThat(configurations).isNotNull();
    }
}
