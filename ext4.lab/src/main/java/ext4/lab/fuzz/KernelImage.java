// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.MountOptions;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.lab.stack.Stack;
import ext4.testkit.device.ArrayDevice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** An image that the kernel was shown, and what is made of it here. */
final class KernelImage {
    private static final String MOUNTED = "mounted";
    private static final String REFUSED = "refused";

    /** A device that can't be written. */
    private static final class ReadOnlyDevice extends ArrayDevice {
        ReadOnlyDevice(byte[] bytes) {
            super(bytes);
        }

        @Override
        public boolean readOnly() {
            return true;
        }
    }

    private final List<String> differences = new ArrayList<>();
    private String unsupported;
    private String tree = "";

    KernelImage(Path file, Map<String, String> row) throws IOException {
        byte[] bytes;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            bytes = in.readAllBytes();
        }
        MountOptions readOnly = MountOptions.DEFAULTS.withReadOnly(true);
        String found = mount(new ArrayDevice(bytes.clone()), readOnly, true);
        differ("mount -o ro", row.get("kernel_ro"), found);
        if (MOUNTED.equals(row.get("kernel_ro")) && found.equals(MOUNTED)) {
            String expected = row.get("kernel_tree");
            if (!expected.equals(tree) && !(expected.endsWith("(cut)") && tree.endsWith("(cut)"))) {
                differences.add("the kernel's tree has " + expected + ", here " + tree);
            }
        }
        differ(
                "on a read-only device",
                row.get("kernel_ro_on_ro_device"),
                mount(new ReadOnlyDevice(bytes.clone()), readOnly, false));
        MountOptions noload = new MountOptions(true, true, false, readOnly.atime(), 0, true, null, false);
        differ("with noload", row.get("kernel_ro_noload"), mount(new ArrayDevice(bytes.clone()), noload, false));
    }

    private void differ(String how, String expected, String found) {
        String plain = found.startsWith(REFUSED) ? REFUSED : found;
        if (!expected.equals(plain)) {
            differences.add(how + ": " + expected + " by the kernel, here " + found);
        }
    }

    private String mount(ArrayDevice device, MountOptions options, boolean walk) {
        try (CoreFileSystem fs = Stack.mount(device, options, "sharded")) {
            if (walk) {
                tree = new TreeCount(fs).run();
            }
            return MOUNTED;
        } catch (UnsupportedFeatureException e) {
            unsupported = e.getMessage();
            return REFUSED + " (" + e.getMessage() + ")";
        } catch (Ext4Exception e) {
            return REFUSED + " (" + e.getMessage() + ")";
        }
    }

    /** What differs from the kernel, or null. */
    String difference() {
        return differences.isEmpty() ? null : String.join("; ", differences);
    }

    /** The feature for which it was refused, or null. */
    String unsupported() {
        return unsupported;
    }

    String summary() {
        return tree.isEmpty() ? REFUSED : tree;
    }
}
