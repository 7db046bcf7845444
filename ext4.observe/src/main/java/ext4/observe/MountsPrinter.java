// SPDX-License-Identifier: Apache-2.0
package ext4.observe;

import ext4.api.mount.Mount;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.apache.felix.inventory.Format;
import org.apache.felix.inventory.InventoryPrinter;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** The mounts for Felix Inventory, as text or JSON. */
@Component(
        service = InventoryPrinter.class,
        property = {
            InventoryPrinter.NAME + "=ext4-mounts",
            InventoryPrinter.TITLE + "=ext4 mounts",
            InventoryPrinter.FORMAT + "=TEXT",
            InventoryPrinter.FORMAT + "=JSON"
        })
public final class MountsPrinter implements InventoryPrinter {
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    private volatile List<Mount> mounts;

    /** For SCR. */
    public MountsPrinter() {}

    MountsPrinter(List<Mount> mounts) {
        this.mounts = mounts;
    }

    @Override
    public void print(PrintWriter out, Format format, boolean isZip) {
        if (Format.JSON.equals(format)) {
            json(out);
        } else {
            text(out);
        }
    }

    private void text(PrintWriter out) {
        for (Mount mount : mounts) {
            out.println(mount.mountpoint());
            mount.status().forEach((name, value) -> out.println("  " + name + ": " + printable(value)));
            out.println();
        }
    }

    private void json(PrintWriter out) {
        out.print('[');
        String next = "";
        for (Mount mount : mounts) {
            out.print(next);
            object(out, mount.status());
            next = ",";
        }
        out.println(']');
    }

    private static void object(PrintWriter out, Map<String, String> status) {
        out.print('{');
        String next = "";
        for (Map.Entry<String, String> entry : status.entrySet()) {
            out.print(next);
            string(out, entry.getKey());
            out.print(':');
            string(out, entry.getValue());
            next = ",";
        }
        out.print('}');
    }

    private static void string(PrintWriter out, String text) {
        out.print('"');
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.print("\\" + (char) c);
            } else if (c < ' ') {
                out.printf("\\u%04x", c);
            } else {
                out.print((char) c);
            }
        });
        out.print('"');
    }

    /** A value on one line: a label of the filesystem can hold anything. */
    private static String printable(String value) {
        return value.replaceAll("\\p{Cntrl}", "?");
    }
}
