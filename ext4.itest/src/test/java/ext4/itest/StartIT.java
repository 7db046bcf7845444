// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.base;
import static ext4.itest.Options.control;
import static ext4.itest.Options.core;
import static ext4.itest.Options.device;
import static ext4.itest.Options.fuse;
import static ext4.itest.Options.journal;
import static ext4.itest.Options.mount;
import static ext4.itest.Options.strategy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
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
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.slf4j.LoggerFactory;

/** Every bundle of the project starts in Felix with the services it needs, and none of its components is broken. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class StartIT {
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
                control());
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
