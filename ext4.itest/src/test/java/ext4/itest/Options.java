// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.cleanCaches;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.frameworkStartLevel;
import static org.ops4j.pax.exam.CoreOptions.junitBundles;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;
import static org.ops4j.pax.exam.CoreOptions.systemTimeout;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import org.ops4j.pax.exam.Option;

/**
 * The parts a test can ask for, so that its configuration reads as one sentence:
 * {@code options(base(), device(), journal(), core(), strategy("sharded"))}.
 *
 * <p>Bundles are files that the build copied; nothing is resolved or downloaded when a test runs.
 */
public final class Options {
    private static final int LOGGING = 1;
    private static final int SERVICES = 2;
    private static final int EXT4 = 4;

    private Options() {}

    /** The framework with logging, Declarative Services, Configuration Admin, JUnit, ext4.api and ext4.sys. */
    public static Option base() {
        return composite(
                cleanCaches(),
                frameworkStartLevel(5),
                // milliseconds to wait for a service or a start before the test fails
                systemTimeout(30_000),
                logging(),
                services(
                        "org.osgi.util.function",
                        "org.osgi.util.promise",
                        "org.osgi.service.component",
                        "org.apache.felix.configadmin",
                        "org.apache.felix.scr",
                        "byte-buddy",
                        "assertj-core"),
                junitBundles(),
                ext4("ext4.api"),
                ext4("ext4.sys"));
    }

    /** Block devices: image files, block special files and memory. */
    public static Option device() {
        return ext4("ext4.device");
    }

    /** The JBD2 journal. */
    public static Option journal() {
        return ext4("ext4.journal");
    }

    /** The filesystem itself. */
    public static Option core() {
        return ext4("ext4.core");
    }

    /** The orphan strategy of that name: {@code global} or {@code sharded}. */
    public static Option strategy(String name) {
        return ext4("ext4.orphan.impl-" + name);
    }

    /** What keeps a filesystem mounted while its parts change. */
    public static Option mount() {
        return ext4("ext4.mount");
    }

    /** FUSE. The bundle starts without /dev/fuse; only a mount needs it. */
    public static Option fuse() {
        return ext4("ext4.fuse");
    }

    /** Event Admin, which is told of replacements where it is there. */
    public static Option events() {
        return services("org.apache.felix.eventadmin");
    }

    /** What keeps a mount beyond its process. */
    public static Option keeper() {
        return ext4("ext4.keeper");
    }

    /** The command's control socket. */
    public static Option control() {
        return ext4("ext4.control");
    }

    /** File Install, which makes a configuration of each file in that folder; asks every quarter of a second. */
    public static Option configurationFolder(Path folder) {
        return composite(
                frameworkProperty("felix.fileinstall.dir").value(folder.toString()),
                frameworkProperty("felix.fileinstall.poll").value("250"),
                frameworkProperty("felix.fileinstall.noInitialDelay").value("true"),
                services("org.apache.felix.fileinstall"));
    }

    /** Memory, crashing and failing devices, and helpers for images. */
    public static Option testkit() {
        return ext4("ext4.testkit");
    }

    /** The kit with what its contracts are run by: JUnit's platform and Jupiter. */
    public static Option contracts() {
        return composite(
                services(
                        "opentest4j",
                        "apiguardian-api",
                        "jspecify",
                        "junit-platform-commons",
                        "junit-platform-engine",
                        "junit-platform-launcher",
                        "junit-jupiter-api",
                        "junit-jupiter-params",
                        "junit-jupiter-engine"),
                testkit());
    }

    /** One of this project's bundles, by its module's name. */
    public static Option ext4(String module) {
        return bundle(url(module)).startLevel(EXT4);
    }

    /**
     * The URL of a bundle file by its module's name, to install, update or reinstall it in the middle of a test.
     *
     * @throws IllegalStateException if the build copied no such file
     */
    public static String url(String artifact) {
        File jar = new File(System.getProperty("ext4.itest.bundles"), artifact + ".jar");
        if (!jar.isFile()) {
            throw new IllegalStateException("no bundle " + jar + ": is it a dependency in ext4.itest/pom.xml?");
        }
        return jar.toURI().toString();
    }

    /** SPI Fly and its ASM come before logback, and logback before the first getLogger of anybody. */
    private static Option logging() {
        File configuration = new File(System.getProperty("ext4.itest.cnf"), "logback.xml");
        return composite(
                systemProperty("logback.configurationFile").value(configuration.getPath()),
                at(
                        LOGGING,
                        "asm",
                        "asm-tree",
                        "asm-analysis",
                        "asm-commons",
                        "asm-util",
                        "org.apache.aries.spifly.dynamic.bundle",
                        "logback-core",
                        "logback-classic",
                        "slf4j-api"));
    }

    private static Option services(String... artifacts) {
        return at(SERVICES, artifacts);
    }

    private static Option at(int startLevel, String... artifacts) {
        return composite(Arrays.stream(artifacts)
                .map(artifact -> bundle(url(artifact)).startLevel(startLevel))
                .toArray(Option[]::new));
    }
}
