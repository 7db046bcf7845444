// SPDX-License-Identifier: Apache-2.0
package ext4.keeper;

import ext4.api.fs.DeviceException;
import ext4.api.keep.Keep;
import ext4.api.keep.Keeper;
import ext4.sys.MemoryFile;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The descriptor store of systemd, or of another manager that speaks as it does. */
@Component(property = Keeper.NAME + "=" + Keeper.SYSTEMD)
public final class SystemdKeeper implements Keeper {
    /** sd_listen_fds(3): SD_LISTEN_FDS_START. */
    private static final int FIRST = 3;

    private final String socket;
    /** What the manager gave this process and no mount has taken yet. Guarded by this. */
    private final Map<String, Integer> inherited;

    @Activate
    public SystemdKeeper() {
        this(System.getenv(), ProcessHandle.current().pid(), FIRST);
    }

    /** @param first number of the first descriptor that is inherited */
    SystemdKeeper(Map<String, String> environment, long pid, int first) {
        socket = environment.get("NOTIFY_SOCKET");
        inherited = Long.toString(pid).equals(environment.get("LISTEN_PID"))
                ? named(environment.getOrDefault("LISTEN_FDNAMES", "").split(":", -1), first)
                : new LinkedHashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            inherited.values().forEach(descriptor -> MemoryFile.closeOnExec(calls, descriptor));
        }
    }

    private static Map<String, Integer> named(String[] names, int first) {
        Map<String, Integer> descriptors = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            descriptors.put(names[i], first + i);
        }
        return descriptors;
    }

    @Override
    public synchronized Keep open(String mountpoint) {
        if (socket == null || socket.isEmpty()) {
            throw new DeviceException("no service manager that keeps descriptors started this process: NOTIFY_SOCKET is"
                    + " not set (in the unit: NotifyAccess=main, FileDescriptorStoreMax=)");
        }
        String prefix = prefix(mountpoint);
        Map<String, Integer> own = new LinkedHashMap<>();
        inherited.forEach((name, descriptor) -> {
            if (name.startsWith(prefix)) {
                own.put(name.substring(prefix.length()), descriptor);
            }
        });
        inherited.keySet().removeIf(name -> name.startsWith(prefix));
        return new SystemdKeep(socket, prefix, own);
    }

    /** Short and without a colon, which names of descriptors must not have. */
    static String prefix(String mountpoint) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(mountpoint.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8) + ".";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java platform has it
        }
    }
}
