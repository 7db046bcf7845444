// SPDX-License-Identifier: Apache-2.0
package ext4.exam;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.jar.Manifest;

/** Finds bundles among the jars of the class path, however it was given: by -cp, or by a manifest of Surefire's. */
final class ClassPath {
    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    private static final String JAR = "jar:";
    private static final String INSIDE = "!/" + MANIFEST;

    private ClassPath() {}

    /** The URL of the jar with that symbolic name, or null. */
    static String bundle(String symbolicName) {
        try {
            for (URL url : Collections.list(ClassPath.class.getClassLoader().getResources(MANIFEST))) {
                String text = url.toString();
                if (text.startsWith(JAR) && text.endsWith(INSIDE) && symbolicName.equals(symbolicName(url))) {
                    return text.substring(JAR.length(), text.length() - INSIDE.length());
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String symbolicName(URL manifest) throws IOException {
        try (InputStream in = manifest.openStream()) {
            String header = new Manifest(in).getMainAttributes().getValue("Bundle-SymbolicName");
            return header == null ? null : header.split(";", 2)[0].strip();
        }
    }
}
