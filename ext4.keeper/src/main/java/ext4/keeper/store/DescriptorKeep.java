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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What both keepers have in common: a mount is a set of named descriptors. */
public abstract class DescriptorKeep implements Keep {
    /** The connection's descriptors are this and a number. */
    public static final String CONNECTION = "fuse.";

    /** The table of nodes. */
    public static final String NODES = "nodes";
    /** {@link KeptWords}. */
    public static final String WORDS = "words";

    /** Null before {@link #nodes}. */
    private MemoryNodeTable table;
    /** Of a table that was taken and is not mapped yet; negative for none. */
    private int takenTable = -1;
    /** What was taken, or put last. */
    private TransportState connection;

    private Map<String, String> words = Map.of();

    /** The descriptors that are kept, by name, which are this process's now; empty if this is the first. */
    protected abstract Map<String, Integer> taken(SystemCalls calls);

    /** Has a descriptor kept in the place of what has that name; the caller closes its own. */
    protected abstract void store(SystemCalls calls, String name, int descriptor);

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
            List<Integer> clones = new ArrayList<>();
            for (int i = 0; i < kept.descriptors(); i++) {
                clones.add(named(descriptors, CONNECTION + i));
            }
            takenTable = named(descriptors, NODES);
            connection = new TransportState(kept.transport(), clones, kept.numbers(), kept.texts(), !planned(kept));
            words = kept.words();
            return new Kept(connection, words);
        }
    }

    private static int named(Map<String, Integer> descriptors, String name) {
        Integer found = descriptors.get(name);
        if (found == null) {
            throw new DeviceException("what was kept is not complete: " + name + " is missing");
        }
        return found;
    }

    @Override
    public final NodeTable nodes(long inodes) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            table = takenTable >= 0
                    ? MemoryNodeTable.open(calls, takenTable, inodes)
                    : MemoryNodeTable.create(calls, inodes);
            takenTable = -1;
            return table;
        }
    }

    @Override
    public final void put(TransportState state, Map<String, String> own) {
        connection = state;
        words = Map.copyOf(own);
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            store(calls, NODES, table.descriptor());
            List<Integer> descriptors = state.descriptors();
            for (int i = 0; i < descriptors.size(); i++) {
                store(calls, CONNECTION + i, descriptors.get(i));
            }
            storeWords(calls, false);
            stored(calls);
        }
    }

    /** Last, so that what they tell of is there. */
    protected final void storeWords(SystemCalls calls, boolean planned) {
        int text = KeptWords.of(connection, words, planned).write(calls);
        try {
            store(calls, WORDS, text);
        } finally {
            calls.close(text);
        }
    }

    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            if (table != null) {
                table.close(calls);
                table = null;
            }
            if (takenTable >= 0) {
                calls.close(takenTable);
                takenTable = -1;
            }
        }
    }
}
