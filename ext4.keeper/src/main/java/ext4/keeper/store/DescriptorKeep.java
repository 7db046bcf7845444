// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.store;

import ext4.api.fs.DeviceException;
import ext4.api.fs.TransportState;
import ext4.api.keep.Keep;
import ext4.api.keep.Kept;
import ext4.api.keep.NodeTable;
import ext4.keeper.nodes.MemoryNodeTable;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What both keepers have in common: a mount is a set of named descriptors. Its monitor guards what is put and is held while
 * that is sent; no answer is waited for with it held.
 */
public abstract class DescriptorKeep implements Keep {
    /** The connection's descriptors are this and a number. */
    public static final String CONNECTION = "fuse.";

    /** The table of nodes. */
    public static final String NODES = "nodes";
    /** {@link KeptWords}. */
    public static final String WORDS = "words";

    /** Null before {@link #nodes} and {@link #take}. Guarded by this, as all below. */
    private MemoryNodeTable table;
    /** What was taken, or put last. */
    private TransportState connection;
    /** The names under which the connection's descriptors are kept. */
    private Map<Integer, String> names = new LinkedHashMap<>();

    private int unused;

    private Map<String, String> words = Map.of();

    /** The descriptors that are kept, by name, which are this process's now; empty if this is the first. */
    protected abstract Map<String, Integer> taken(SystemCalls calls);

    /** Has a descriptor kept in the place of what has that name; the caller closes its own. */
    protected abstract void store(SystemCalls calls, String name, int descriptor);

    /** Has what has that name not kept any more. */
    protected abstract void remove(SystemCalls calls, String name);

    /** All was stored. */
    protected void stored(SystemCalls calls) {}

    /** Whether what was {@link #taken} was given up by a living process; without it the words say it. */
    protected abstract boolean planned(KeptWords kept);

    @Override
    public final Kept take() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            Map<String, Integer> descriptors = taken(calls);
            if (descriptors.isEmpty()) {
                return null;
            }
            int text = named(descriptors, WORDS);
            KeptWords kept = KeptWords.read(calls, text);
            calls.close(text);
            Map<Integer, String> clones = new LinkedHashMap<>();
            for (String name : kept.descriptors()) {
                clones.put(named(descriptors, name), name);
            }
            TransportState left = new TransportState(
                    kept.transport(), List.copyOf(clones.keySet()), kept.numbers(), kept.texts(), !planned(kept));
            MemoryNodeTable nodes = MemoryNodeTable.open(calls, named(descriptors, NODES));
            taken(left, clones, kept.words(), nodes);
            return new Kept(left, nodes, kept.words());
        }
    }

    private synchronized void taken(
            TransportState state, Map<Integer, String> clones, Map<String, String> own, MemoryNodeTable nodes) {
        connection = state;
        names = clones;
        unused = clones.values().stream()
                        .mapToInt(name -> Integer.parseInt(name.substring(CONNECTION.length())))
                        .max()
                        .orElse(-1)
                + 1;
        words = own;
        table = nodes;
    }

    private static int named(Map<String, Integer> descriptors, String name) {
        Integer found = descriptors.get(name);
        if (found == null) {
            throw new DeviceException("what was kept is not complete: " + name + " is missing");
        }
        return found;
    }

    @Override
    public final synchronized NodeTable nodes(long inodes) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            table = MemoryNodeTable.create(calls, inodes);
            return table;
        }
    }

    @Override
    public final synchronized void put(TransportState state, Map<String, String> own) {
        connection = state;
        words = Map.copyOf(own);
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            store(calls, NODES, table.descriptor());
            Map<Integer, String> before = names;
            names = new LinkedHashMap<>();
            for (int descriptor : state.descriptors()) {
                String name = before.remove(descriptor);
                names.put(descriptor, name == null ? CONNECTION + unused++ : name);
                store(calls, names.get(descriptor), descriptor);
            }
            storeWords(calls, false);
            before.values().forEach(name -> remove(calls, name));
            stored(calls);
        }
    }

    /** Last, so that what they tell of is there. */
    protected final synchronized void storeWords(SystemCalls calls, boolean planned) {
        int text = KeptWords.of(connection, List.copyOf(names.values()), words, planned)
                .write(calls);
        try {
            store(calls, WORDS, text);
        } finally {
            calls.close(text);
        }
    }

    @Override
    public synchronized void close() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            if (table != null) {
                table.close(calls);
                table = null;
            }
        }
    }
}
