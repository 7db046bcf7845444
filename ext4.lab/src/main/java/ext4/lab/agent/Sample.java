// SPDX-License-Identifier: Apache-2.0
package ext4.lab.agent;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process takes, after garbage was collected.
 *
 * @param residentKilobytes of memory, VmRSS of proc(5)
 * @param heapKilobytes in use
 * @param descriptors open
 * @param threads of Java
 * @param classes loaded
 */
record Sample(long residentKilobytes, long heapKilobytes, int descriptors, int threads, int classes) {
    private static final String RESIDENT = "VmRSS:";
    private static final int COLLECTIONS = 3;

    static Sample now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc(); // what weak and phantom references hold goes in the next one
        }
        String[] descriptors = new File("/proc/self/fd").list();
        return new Sample(
                resident(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10,
                descriptors == null ? 0 : descriptors.length,
                ManagementFactory.getThreadMXBean().getThreadCount(),
                ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
    }

    private static long resident() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(RESIDENT))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String[] words() {
        return new String[] {
            "sample",
            Long.toString(residentKilobytes),
            Long.toString(heapKilobytes),
            Integer.toString(descriptors),
            Integer.toString(threads),
            Integer.toString(classes)
        };
    }
}
