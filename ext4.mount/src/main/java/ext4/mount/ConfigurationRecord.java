// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.mount.Mount;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mount's configuration in Configuration Admin. */
final class ConfigurationRecord implements MountRecord {
    /** The property in which File Install notes the file that a configuration comes from. */
    private static final String FILE = "felix.fileinstall.filename";

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationRecord.class);

    private static final List<String> CONFIGURED = List.of(
            Mount.IMAGE,
            Mount.MOUNTPOINT,
            Mount.OPTIONS,
            Mount.TRANSPORT,
            Mount.JOURNAL,
            Mount.CORE,
            Mount.STRATEGY,
            Mount.FALLBACK,
            Mount.PART_LIMIT);

    private final Supplier<ConfigurationAdmin> configurations;
    private final String pid;

    ConfigurationRecord(Supplier<ConfigurationAdmin> configurations, Object pid) {
        this.configurations = configurations;
        this.pid = pid.toString();
    }

    /**
     * What the configuration says now, if that is not what was delivered. Declarative Services (Felix SCR) read the
     * properties before their change count: of two changes in a row they may deliver the first under the count of the
     * second, and then drop the second as known. It was made before the first is delivered, so it is seen here.
     *
     * @param user for the plugins of Configuration Admin; null if the service is not registered yet
     */
    Map<String, Object> latest(Map<String, Object> delivered, ServiceReference<?> user) {
        ConfigurationAdmin present = configurations.get();
        if (present == null || user == null) {
            return delivered;
        }
        try {
            Configuration[] found = present.listConfigurations("(" + Constants.SERVICE_PID + "=" + pid + ")");
            if (found == null || same(found[0].getProperties(), delivered)) {
                return delivered;
            }
            return FrameworkUtil.asMap(found[0].getProcessedProperties(user)); // what plugins fill in differs too
        } catch (IOException | InvalidSyntaxException | IllegalStateException e) {
            LOG.debug("{}: read as it was delivered", pid, e); // it is being deleted, or the service goes
            return delivered;
        }
    }

    /** Whether what was delivered, which has properties of the component as well, has all of the configuration's. */
    private static boolean same(Dictionary<String, Object> now, Map<String, Object> delivered) {
        return now == null || CONFIGURED.stream().allMatch(key -> Objects.equals(now.get(key), delivered.get(key)));
    }

    @Override
    public void name(String key, String name) throws IOException {
        Configuration configuration = configuration();
        Dictionary<String, Object> properties = configuration.getProperties();
        if (!name.equals(properties.get(key))) {
            properties.put(key, name);
            configuration.update(properties);
        }
    }

    @Override
    public void readOnly(boolean readOnly) throws IOException {
        Configuration configuration = configuration();
        Dictionary<String, Object> properties = configuration.getProperties();
        Object before = properties.get(Mount.OPTIONS);
        String text = OptionString.withReadOnly(before == null ? "" : before.toString(), readOnly);
        if (!text.equals(before)) {
            properties.put(Mount.OPTIONS, text);
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
