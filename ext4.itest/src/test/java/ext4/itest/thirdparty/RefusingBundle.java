// SPDX-License-Identifier: Apache-2.0
package ext4.itest.thirdparty;

import ext4.api.orphan.OrphanStrategy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A bundle as somebody else would make it: one strategy, as a component, that ranks above all others. */
public final class RefusingBundle {
    /** The strategy's name. */
    public static final String NAME = "refusing";

    private static final String COMPONENT = """
            <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="%1$s">
              <implementation class="%1$s"/>
              <service><provide interface="%2$s"/></service>
              <property name="%3$s" value="%4$s"/>
              <property name="service.ranking" type="Integer" value="100"/>
            </scr:component>
            """;

    private RefusingBundle() {}

    /** The bundle's file. */
    public static InputStream jar() throws IOException {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        Map.of(
                        "Manifest-Version", "1.0",
                        "Bundle-ManifestVersion", "2",
                        "Bundle-SymbolicName", "thirdparty.refusing",
                        "Import-Package", "ext4.api.orphan;version=\"[1.1,1.2)\"",
                        "Service-Component", "OSGI-INF/refusing.xml")
                .forEach((name, value) -> headers.put(new Attributes.Name(name), value));
        String type = RefusingStrategy.class.getName();
        String file = type.replace('.', '/') + ".class";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest);
                InputStream code = RefusingStrategy.class.getClassLoader().getResourceAsStream(file)) {
            jar.putNextEntry(new ZipEntry(file));
            code.transferTo(jar);
            jar.putNextEntry(new ZipEntry("OSGI-INF/refusing.xml"));
            jar.write(COMPONENT
                    .formatted(type, OrphanStrategy.class.getName(), OrphanStrategy.NAME, NAME)
                    .getBytes(StandardCharsets.UTF_8));
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
