// SPDX-License-Identifier: Apache-2.0
package ext4.itest.thirdparty;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A new version of a bundle that was built for something that is not there. */
public final class UnresolvedBundle {
    /** The package that it imports. */
    public static final String MISSING = "no.such.contract";

    private UnresolvedBundle() {}

    /** Its file. */
    public static InputStream jar(String symbolicName) throws IOException {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        Map.of(
                        "Manifest-Version", "1.0",
                        "Bundle-ManifestVersion", "2",
                        "Bundle-SymbolicName", symbolicName,
                        "Bundle-Version", "9.0.0",
                        "Import-Package", MISSING)
                .forEach((name, value) -> headers.put(new Attributes.Name(name), value));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new JarOutputStream(bytes, manifest).close();
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
