// SPDX-License-Identifier: Apache-2.0
package ext4.keeper;

import ext4.api.fs.DeviceException;
import ext4.keeper.store.DescriptorKeep;
import ext4.keeper.store.KeptWords;
import ext4.sys.DescriptorSocket;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Speaks with a service manager. It keeps every descriptor that it is sent, of one name several too: so the words, which
 * change, have a number in their name; the highest counts, and the one before is taken out after it is there. Descriptors
 * of a connection that was unmounted it drops by itself, as they report an error.
 */
final class SystemdKeep extends DescriptorKeep {
    private final String socket;
    private final String prefix;
    /** By name without prefix. */
    private final Map<String, Integer> inherited;

    private final Set<String> names = new LinkedHashSet<>();
    private long version;

    /**
     * @param socket of the manager
     * @param prefix of the names of this mount's descriptors
     * @param inherited descriptors of this mount, by name without prefix
     */
    SystemdKeep(String socket, String prefix, Map<String, Integer> inherited) {
        this.socket = socket;
        this.prefix = prefix;
        this.inherited = inherited;
    }

    @Override
    protected Map<String, Integer> taken(SystemCalls calls) {
        Map<String, Integer> found = new LinkedHashMap<>();
        inherited.forEach((name, descriptor) -> {
            names.add(name);
            if (!name.startsWith(WORDS + ".")) {
                found.put(name, descriptor);
                return;
            }
            long number = Long.parseLong(name.substring(WORDS.length() + 1));
            if (number >= version) {
                version = number;
                found.put(WORDS, descriptor);
            }
        });
        inherited.clear();
        return found;
    }

    @Override
    protected boolean planned(KeptWords kept) {
        return kept.planned();
    }

    @Override
    protected void store(SystemCalls calls, String name, int descriptor) {
        if (!name.equals(WORDS)) {
            tell(calls, "FDSTORE=1\nFDNAME=" + prefix + name, descriptor);
            names.add(name);
            return;
        }
        String before = WORDS + "." + version;
        String now = WORDS + "." + ++version;
        tell(calls, "FDSTORE=1\nFDNAME=" + prefix + now, descriptor);
        names.add(now);
        if (names.remove(before)) {
            tell(calls, "FDSTOREREMOVE=1\nFDNAME=" + prefix + before, -1);
        }
    }

    @Override
    protected void remove(SystemCalls calls, String name) {
        if (names.remove(name)) {
            tell(calls, "FDSTOREREMOVE=1\nFDNAME=" + prefix + name, -1);
        }
    }

    @Override
    protected void stored(SystemCalls calls) {
        tell(calls, "READY=1", -1);
    }

    /** The process before has ended: the manager starts one after the other. From now on requests may be in flight. */
    @Override
    public void serves() {
        try (Arena arena = Arena.ofConfined()) {
            storeWords(new SystemCalls(arena), false);
        }
    }

    @Override
    public void refuses(String why) {
        try (Arena arena = Arena.ofConfined()) {
            tell(new SystemCalls(arena), "STATUS=not taken over: " + why.replace('\n', ' '), -1);
        }
    }

    /** The manager starts the next when this process has ended. */
    @Override
    public void prepare() {}

    @Override
    public String handOver() {
        try (Arena arena = Arena.ofConfined()) {
            storeWords(new SystemCalls(arena), true);
        }
        return null;
    }

    @Override
    public void drop() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            for (String name : names) {
                tell(calls, "FDSTOREREMOVE=1\nFDNAME=" + prefix + name, -1);
            }
        }
        names.clear();
    }

    private void tell(SystemCalls calls, String text, int descriptor) {
        int result = DescriptorSocket.sendTo(calls, socket, text, descriptor);
        if (result < 0) {
            throw new DeviceException("the service manager at " + socket + ": " + Linux.errorText(-result));
        }
    }
}
