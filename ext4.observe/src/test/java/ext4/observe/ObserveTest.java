// SPDX-License-Identifier: Apache-2.0
package ext4.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.apache.felix.inventory.Format;
import org.junit.jupiter.api.Test;

/** A mount as JMX and Felix Inventory show it. */
class ObserveTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @Test
    void aMountIsInJmxForAsLongAsItIsThere() throws Exception {
        JmxMounts jmx = new JmxMounts();
        Mount mount = mount("/a,b=\"c\"");
        ObjectName name = JmxMounts.name(mount.mountpoint());
        jmx.bindMount(mount);
        assertThat(server.getAttribute(name, "State")).isEqualTo("MOUNTED");
        assertThat(server.getAttribute(name, "Strategy")).isEqualTo("sharded");
        assertThat((String[]) server.getAttribute(name, "Replacements"))
                .containsExactly("global -> sharded: 7 orphans carried, pause 210 us, 5 orphan records flushed");
        TabularData status = (TabularData) server.getAttribute(name, "Status");
        assertThat(status.get(new Object[] {"label"}).get("value")).isEqualTo("odd\n\"label\"");
        jmx.unbindMount(mount);
        assertThat(server.isRegistered(name)).isFalse();
    }

    @Test
    void theEndLeavesNothingBehind() throws Exception {
        JmxMounts jmx = new JmxMounts();
        jmx.bindMount(mount("/one"));
        jmx.bindMount(mount("/two"));
        jmx.end();
        assertThat(server.queryNames(new ObjectName("ext4:*"), null)).isEmpty();
    }

    @Test
    void ofTwoConfigurationsOfOneMountPointTheFirstIsShown() throws Exception {
        JmxMounts jmx = new JmxMounts();
        Mount first = mount("/same");
        Mount second = mount("/same");
        jmx.bindMount(first);
        jmx.bindMount(second);
        jmx.unbindMount(second);
        assertThat(server.isRegistered(JmxMounts.name("/same"))).isTrue();
        jmx.end();
    }

    @Test
    void textHasALineForEachValue() {
        assertThat(print(Format.TEXT)).isEqualToNormalizingNewlines("""
                /m
                  state: mounted
                  label: odd?"label"

                """);
    }

    @Test
    void jsonIsQuoted() {
        assertThat(print(Format.JSON).strip())
                .isEqualTo("[{\"state\":\"mounted\",\"label\":\"odd\\u000a\\\"label\\\"\"}]");
    }

    private static String print(Format format) {
        StringWriter text = new StringWriter();
        try (PrintWriter out = new PrintWriter(text)) {
            new MountsPrinter(List.of(mount("/m"))).print(out, format, false);
        }
        return text.toString();
    }

    private static Mount mount(String mountpoint) {
        Map<String, String> status = new LinkedHashMap<>();
        status.put("state", "mounted");
        status.put("label", "odd\n\"label\"");
        return (Mount) Proxy.newProxyInstance(
                Mount.class.getClassLoader(),
                new Class<?>[] {Mount.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "mountpoint" -> mountpoint;
                    case "image" -> "/image";
                    case "state" -> Mount.State.MOUNTED;
                    case "status" -> status;
                    case "strategies" -> new Mount.Strategies("sharded", null, List.of("sharded"));
                    case "switches" -> List.of(new SwapReport("global", "sharded", 7, 210, 5));
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> throw new AssertionError(method);
                });
    }
}
