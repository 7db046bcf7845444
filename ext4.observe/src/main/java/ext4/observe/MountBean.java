// SPDX-License-Identifier: Apache-2.0
package ext4.observe;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import java.util.List;
import java.util.Map;

/** Shows one mount. */
record MountBean(Mount mount) implements MountMXBean {
    @Override
    public String getImage() {
        return mount.image();
    }

    @Override
    public String getMountpoint() {
        return mount.mountpoint();
    }

    @Override
    public String getState() {
        return mount.state().name();
    }

    @Override
    public String getStrategy() {
        String current = mount.strategies().current();
        return current == null ? "" : current;
    }

    @Override
    public List<String> getReplacements() {
        return mount.switches().stream().map(SwapReport::text).toList();
    }

    @Override
    public Map<String, String> getStatus() {
        return mount.status();
    }
}
