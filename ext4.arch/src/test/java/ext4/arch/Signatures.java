// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.module.ModuleDescriptor.Version;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What others compile against in a package: its public types, their members, and its version.
 *
 * @param lines one for each type and member, sorted
 */
record Signatures(String name, String version, List<String> lines) {
    static final String HOW = "record it with ./mvnw -pl ext4.arch -am -Dtest=BaselineTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dext4.baseline.record=true test";

    /** Of a folder of class files. */
    static Signatures of(Path folder) {
        String version = "";
        String name = "";
        Set<String> lines = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class"))
                    .sorted()
                    .toList()) {
                ClassModel model = ClassFile.of().parse(file);
                String type = model.thisClass().asInternalName();
                if (type.endsWith("/package-info")) {
                    name = type.substring(0, type.lastIndexOf('/')).replace('/', '.');
                    version = version(model);
                } else if (isOpen(model.flags().flags())) {
                    add(model, type.substring(type.lastIndexOf('/') + 1), lines);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Signatures(name, version, List.copyOf(lines));
    }

    private static String version(ClassModel model) {
        return Stream.concat(
                        model.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
                                .flatMap(all -> all.annotations().stream()),
                        model.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                                .flatMap(all -> all.annotations().stream()))
                .filter(each -> each.className().stringValue().endsWith("/Version;"))
                .map(each -> each.elements().getFirst().value().toString().replaceAll("[^0-9.]", ""))
                .findFirst()
                .orElse("");
    }

    private static boolean isOpen(Set<AccessFlag> flags) {
        return flags.contains(AccessFlag.PUBLIC) || flags.contains(AccessFlag.PROTECTED);
    }

    private static void add(ClassModel model, String type, Set<String> lines) {
        Set<AccessFlag> flags = model.flags().flags();
        String kind = flags.contains(AccessFlag.INTERFACE) ? "interface " : "class ";
        String above = Stream.concat(model.superclass().stream(), model.interfaces().stream())
                .map(ClassEntry::asInternalName)
                .filter(each -> !each.startsWith("java/lang/Object"))
                .collect(Collectors.joining(", "));
        lines.add(kind + type + (flags.contains(AccessFlag.FINAL) ? " final" : ""));
        if (!above.isEmpty()) {
            lines.add(type + " is " + above);
        }
        model.fields().stream()
                .filter(field -> isOpen(field.flags().flags()))
                .forEach(field -> lines.add(type + "." + field.fieldName().stringValue() + " "
                        + field.fieldType().stringValue()));
        model.methods().stream()
                .filter(method ->
                        isOpen(method.flags().flags()) && !method.flags().has(AccessFlag.SYNTHETIC))
                .forEach(method -> lines.add(type + "." + method.methodName().stringValue()
                        + method.methodType().stringValue()
                        + (method.flags().has(AccessFlag.ABSTRACT) && !kind.startsWith("interface") ? " abstract" : "")
                        + (kind.startsWith("interface") && !method.flags().has(AccessFlag.ABSTRACT)
                                ? " default"
                                : "")));
        model.findAttribute(Attributes.record())
                .ifPresent(components -> lines.add(type + " of "
                        + components.components().stream()
                                .map(RecordComponentInfo::name)
                                .map(each -> each.stringValue())
                                .collect(Collectors.joining(", "))));
    }

    List<String> toLines() {
        List<String> all = new ArrayList<>();
        all.add(name + " " + version);
        all.addAll(lines);
        return all;
    }

    static Signatures read(List<String> recorded) {
        String[] head = recorded.getFirst().split(" ");
        return new Signatures(head[0], head[1], recorded.subList(1, recorded.size()));
    }

    /** What is wrong, in one line, or nothing. */
    String comparedWith(Signatures recorded) {
        if (equals(recorded)) {
            return "";
        }
        if (!lines.equals(recorded.lines) && part(version, 2).equals(part(recorded.version, 2))) {
            return name + " has changed (" + difference(recorded) + ") and "
                    + (version.equals(recorded.version) ? "is still version " + version : version + " is a repair only")
                    + ": raise it in package-info.java and " + HOW;
        }
        if (Version.parse(version).compareTo(Version.parse(recorded.version)) < 0) {
            return name + " " + version + " is lower than " + recorded.version + ", which is recorded";
        }
        return name + " " + version + " is not recorded: " + HOW;
    }

    private static String part(String version, int parts) {
        return Stream.of(version.split("\\.")).limit(parts).collect(Collectors.joining("."));
    }

    private String difference(Signatures recorded) {
        Stream<String> gone =
                recorded.lines.stream().filter(line -> !lines.contains(line)).map(line -> "- " + line);
        Stream<String> come =
                lines.stream().filter(line -> !recorded.lines.contains(line)).map(line -> "+ " + line);
        return Stream.concat(gone, come).collect(Collectors.joining(", "));
    }
}
