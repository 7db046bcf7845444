// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Bundles that are none of the installation. */
final class ThirdParty {
    private ThirdParty() {}

    /** The bundle of the sharded strategy under another bundle's and another strategy's name; it appears as a whole. */
    static void strategy(String name, Path jar) throws IOException {
        Path ours = Ext4.command().resolveSibling("ext4.launcher/target/home/lib/5/ext4.orphan.impl-sharded.jar");
        Path draft = jar.resolveSibling("." + jar.getFileName());
        try (JarFile from = new JarFile(ours.toFile());
                OutputStream file = Files.newOutputStream(draft)) {
            Manifest manifest = new Manifest(from.getManifest());
            manifest.getMainAttributes().putValue("Bundle-SymbolicName", "third.party." + name);
            try (JarOutputStream to = new JarOutputStream(file, manifest)) {
                for (JarEntry entry : Collections.list(from.entries())) {
                    if (!entry.getName().equals(JarFile.MANIFEST_NAME) && !entry.isDirectory()) {
                        to.putNextEntry(new JarEntry(entry.getName()));
                        to.write(content(from, entry, name));
                    }
                }
            }
        }
        Files.move(draft, jar, StandardCopyOption.ATOMIC_MOVE);
    }

    private static byte[] content(JarFile from, JarEntry entry, String name) throws IOException {
        byte[] bytes = from.getInputStream(entry).readAllBytes();
        if (!entry.getName().startsWith("OSGI-INF/")) {
            return bytes;
        }
        return new String(bytes, StandardCharsets.UTF_8)
                .replace("value=\"sharded\"", "value=\"" + name + "\"")
                .getBytes(StandardCharsets.UTF_8);
    }
}
