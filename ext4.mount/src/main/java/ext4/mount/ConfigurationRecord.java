// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.mount.Mount;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.function.Supplier;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** A mount's configuration in Configuration Admin. */
final class ConfigurationRecord implements MountRecord {
    /** The property in which File Install notes the file that a configuration comes from. */
    private static final String FILE = "felix.fileinstall.filename";

    private final Supplier<ConfigurationAdmin> configurations;
    private final String pid;

    ConfigurationRecord(Supplier<ConfigurationAdmin> configurations, Object pid) {
        this.configurations = configurations;
        this.pid = pid.toString();
    }

    @Override
    public void strategy(String name) throws IOException {
        Configuration configuration = configuration();
        Dictionary<String, Object> properties = configuration.getProperties();
        if (!name.equals(properties.get(Mount.STRATEGY))) {
            properties.put(Mount.STRATEGY, name);
            configuration.update(properties);
        }
    }

    @Override
    public boolean delete() throws IOException {
        Configuration configuration = configuration();
        if (configuration.getProperties() != null
                && configuration.getProperties().get(FILE) != null) {
            return false; // deleting it would delete the file
        }
        configuration.delete();
        return true;
    }

    @Override
    public boolean deleteIfAbandoned() throws IOException {
        Configuration configuration = configuration();
        Dictionary<String, Object> properties = configuration.getProperties();
        if (properties == null || !(properties.get(FILE) instanceof String file) || exists(file)) {
            return false;
        }
        configuration.delete();
        return true;
    }

    private static boolean exists(String uri) {
        try {
            return Files.exists(Path.of(URI.create(uri)));
        } catch (IllegalArgumentException | FileSystemNotFoundException notAFile) {
            return true; // not for us to say
        }
    }

    private Configuration configuration() throws IOException {
        ConfigurationAdmin present = configurations.get();
        if (present == null) {
            throw new IOException("Configuration Admin is not there");
        }
        return present.getConfiguration(pid, "?");
    }
}
