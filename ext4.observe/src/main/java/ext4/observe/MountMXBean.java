// SPDX-License-Identifier: Apache-2.0
package ext4.observe;

import java.util.List;
import java.util.Map;
import javax.management.MXBean;

/** A mount in JMX, as {@code ext4:type=Mount,mountpoint="DIR"}. */
@MXBean
public interface MountMXBean {
    /** What is mounted. */
    String getImage();

    /** Where. */
    String getMountpoint();

    /** Where it stands, in capitals. */
    String getState();

    /** The orphan strategy at work; empty while it is missing. */
    String getStrategy();

    /** The latest replacements of its parts, a line each, the oldest first. */
    List<String> getReplacements();

    /** State and counters by name. */
    Map<String, String> getStatus();
}
