// SPDX-License-Identifier: Apache-2.0
package ext4.exam;

import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import ext4.api.mount.Mount;
import ext4.image.Ext4Image;
import ext4.image.FormatOptions;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ops4j.pax.exam.Option;

/**
 * Options of Pax Exam with which a test has a mounted filesystem, see {@link MountedImage}. Immutable; made outside the
 * framework, in a test's method with {@code @Configuration}.
 *
 * <p>The bundles are the jars on the test's class path, so this artifact as a dependency is enough, and nothing is
 * resolved or downloaded when a test runs. Logging inside the framework is Logback's, with the configuration that the system
 * property {@code logback.configurationFile} names, else with warnings and what mounts do. Whoever has Declarative Services, Configuration Admin or logging in his
 * options already leaves ours out by {@link #without}.
 */
public final class Ext4Exam {
    /** Framework properties with this in front are the configuration of the mount. */
    public static final String PROPERTY = "ext4.exam.";

    private static final String LOGBACK = "logback.configurationFile";
    private static final int LOGGING = 1;
    private static final int SERVICES = 2;
    private static final int PARTS = 4;
    /** Behind the parts, so that the mount does not begin with some of them missing. */
    private static final int LAST = 5;

    private static final Map<String, Integer> BUNDLES = new TreeMap<>(Map.ofEntries(
            Map.entry("org.objectweb.asm", LOGGING),
            Map.entry("org.objectweb.asm.tree", LOGGING),
            Map.entry("org.objectweb.asm.tree.analysis", LOGGING),
            Map.entry("org.objectweb.asm.commons", LOGGING),
            Map.entry("org.objectweb.asm.util", LOGGING),
            Map.entry("org.apache.aries.spifly.dynamic.bundle", LOGGING),
            Map.entry("ch.qos.logback.core", LOGGING),
            Map.entry("ch.qos.logback.classic", LOGGING),
            Map.entry("slf4j.api", LOGGING),
            Map.entry("org.osgi.util.function", SERVICES),
            Map.entry("org.osgi.util.promise", SERVICES),
            Map.entry("org.osgi.service.component", SERVICES),
            Map.entry("org.apache.felix.configadmin", SERVICES),
            Map.entry("org.apache.felix.scr", SERVICES),
            Map.entry("ext4.api", PARTS),
            Map.entry("ext4.sys", PARTS),
            Map.entry("ext4.device", PARTS),
            Map.entry("ext4.journal", PARTS),
            Map.entry("ext4.orphan.impl-global", PARTS),
            Map.entry("ext4.orphan.impl-sharded", PARTS),
            Map.entry("ext4.core", PARTS),
            Map.entry("ext4.fuse", PARTS),
            Map.entry("ext4.mount", PARTS),
            Map.entry("ext4.exam", LAST)));

    /** The mount's configuration. */
    private final Map<String, String> configuration;
    /** Symbolic names left out. */
    private final List<String> without;
    /** Bytes of a new image, made when the options are; 0 for one that is there. */
    private final long bytes;

    private Ext4Exam(Map<String, String> configuration, List<String> without, long bytes) {
        this.configuration = Map.copyOf(configuration);
        this.without = List.copyOf(without);
        this.bytes = bytes;
    }

    /** A new, empty filesystem of that many bytes, in a file that is deleted when this Java ends. */
    public static Ext4Exam fresh(long bytes) {
        return new Ext4Exam(Map.of(), List.of(), bytes);
    }

    /** The filesystem in an image file that is there. */
    public static Ext4Exam of(Path image) {
        return new Ext4Exam(Map.of(Mount.IMAGE, image.toAbsolutePath().toString()), List.of(), 0);
    }

    /** Mounted there; else in a new folder that is deleted when this Java ends. */
    public Ext4Exam at(Path mountpoint) {
        return with(Mount.MOUNTPOINT, mountpoint.toAbsolutePath().toString());
    }

    /** Without a mount point: {@link MountedImage#fileSystem} only. Needs no /dev/fuse and no rights. */
    public Ext4Exam inProcess() {
        return with(Mount.TRANSPORT, Mount.NO_TRANSPORT);
    }

    /** With that orphan strategy; without this ranking decides. */
    public Ext4Exam strategy(String name) {
        return with(Mount.STRATEGY, name);
    }

    /** With those options of mount(8), for example {@code ro,noatime}. */
    public Ext4Exam options(String words) {
        return with(Mount.OPTIONS, words);
    }

    /** With that property of the mount's configuration. */
    public Ext4Exam with(String property, String value) {
        Map<String, String> more = new TreeMap<>(configuration);
        more.put(property, value);
        return new Ext4Exam(more, without, bytes);
    }

    /** Without the bundle of that symbolic name: the test brings its own, or wants it to be missing. */
    public Ext4Exam without(String symbolicName) {
        if (!BUNDLES.containsKey(symbolicName)) {
            throw new IllegalArgumentException(symbolicName + " is none of " + BUNDLES.keySet());
        }
        List<String> more = new ArrayList<>(without);
        more.add(symbolicName);
        return new Ext4Exam(configuration, more, bytes);
    }

    /**
     * The option for the test's configuration: bundles, and a mount.
     *
     * @throws IllegalStateException naming a bundle that is not on the class path
     * @throws UncheckedIOException if a new image or folder can't be made
     */
    public Option option() {
        List<Option> options = new ArrayList<>();
        BUNDLES.forEach((name, level) -> {
            if (!without.contains(name)) {
                options.add(bundle(url(name)).startLevel(level));
            }
        });
        if (!without.contains("ch.qos.logback.classic") && System.getProperty(LOGBACK) == null) {
            options.add(systemProperty(LOGBACK).value(logback().toString()));
        }
        Map<String, String> complete = new TreeMap<>(configuration);
        complete.computeIfAbsent(Mount.IMAGE, key -> newImage().toString());
        complete.computeIfAbsent(Mount.MOUNTPOINT, key -> newFolder().toString());
        complete.forEach(
                (key, value) -> options.add(frameworkProperty(PROPERTY + key).value(value)));
        return composite(options.toArray(Option[]::new));
    }

    /**
     * The URL of a jar of the class path by its symbolic name, for example to update a bundle in the middle of a test.
     *
     * @throws IllegalStateException if it is not there
     */
    public static String url(String symbolicName) {
        String found = ClassPath.bundle(symbolicName);
        if (found == null) {
            throw new IllegalStateException(
                    "no jar of the class path is the bundle " + symbolicName + ", which ext4.exam depends on");
        }
        return found;
    }

    /** Inside the framework it must be a file: no bundle sees the class path. */
    private static Path logback() {
        try (InputStream in = Ext4Exam.class.getResourceAsStream("logback.xml")) {
            Path file = Files.createTempFile("ext4-exam", ".xml");
            deletedAtTheEnd(file.toFile());
            Files.write(file, in.readAllBytes());
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path newImage() {
        try {
            Path image = Files.createTempFile("ext4-exam", ".img");
            Files.delete(image); // the name is ours, and the file is made by who formats it
            Ext4Image.create(image, bytes, FormatOptions.DEFAULTS).close();
            deletedAtTheEnd(image.toFile());
            return image;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path newFolder() {
        try {
            Path folder = Files.createTempDirectory("ext4-exam");
            deletedAtTheEnd(folder.toFile());
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deletedAtTheEnd(File file) {
        file.deleteOnExit();
    }
}
