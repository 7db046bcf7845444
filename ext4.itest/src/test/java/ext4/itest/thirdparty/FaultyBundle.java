// SPDX-License-Identifier: Apache-2.0
package ext4.itest.thirdparty;

import ext4.api.fs.CoreProvider;
import ext4.api.fs.Transport;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A bundle as somebody else would make it, badly: for each part and each {@link Fault} a service, which ranks low. */
public final class FaultyBundle {
    private static final Map<Class<?>, String> NAMES = Map.of(
            OrphanStrategy.class, OrphanStrategy.NAME,
            JournalProvider.class, JournalProvider.NAME,
            CoreProvider.class, CoreProvider.NAME,
            Transport.class, Transport.NAME);

    private static final String COMPONENT = """
            <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="%1$s" activate="activate">
              <implementation class="%2$s"/>
              <service><provide interface="%3$s"/></service>
              <property name="%4$s" value="%5$s"/>
              <property name="%6$s" value="%7$s"/>
              <property name="service.ranking" type="Integer" value="-100"/>
            </scr:component>
            """;

    private FaultyBundle() {}

    /** The bundle's file. */
    public static InputStream jar() throws IOException {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        String version = ";version=\"[1,2)\"";
        Map.of(
                        "Manifest-Version",
                        "1.0",
                        "Bundle-ManifestVersion",
                        "2",
                        "Bundle-SymbolicName",
                        "thirdparty.faulty",
                        "Import-Package",
                        "ext4.api.block" + version + ",ext4.api.fs" + version + ",ext4.api.journal" + version
                                + ",ext4.api.orphan" + version,
                        "Service-Component",
                        "OSGI-INF/faulty.xml")
                .forEach((name, value) -> headers.put(new Attributes.Name(name), value));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (String type : List.of("FaultyPart", "FaultyPart$1", "Fault")) { // and not Absent
                String file = FaultyBundle.class.getPackageName().replace('.', '/') + "/" + type + ".class";
                try (InputStream code = FaultyBundle.class.getClassLoader().getResourceAsStream(file)) {
                    if (code != null) { // a compiler may do without the class for the switch
                        jar.putNextEntry(new ZipEntry(file));
                        code.transferTo(jar);
                    }
                }
            }
            jar.putNextEntry(new ZipEntry("OSGI-INF/faulty.xml"));
            jar.write(components().getBytes(StandardCharsets.UTF_8));
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    private static String components() {
        StringBuilder all = new StringBuilder("<components>\n");
        NAMES.forEach((service, nameProperty) -> {
            for (Fault fault : Fault.values()) {
                all.append(COMPONENT.formatted(
                        service.getSimpleName() + "." + fault,
                        FaultyPart.class.getName(),
                        service.getName(),
                        nameProperty,
                        fault.text(),
                        Fault.PROPERTY,
                        fault.name()));
            }
        });
        return all.append("</components>\n").toString();
    }
}
