// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.MountPoint;
import ext4.api.fs.TransportState;
import ext4.fuse.channel.Descriptors;
import ext4.fuse.channel.Server;
import ext4.fuse.session.Negotiation;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a connection is apart from who serves it: the form that one transport hands to the next, described in
 * {@link ext4.fuse}.
 *
 * @param attachment where it is mounted
 * @param negotiation what INIT agreed on
 * @param asked the transport that was asked for, which is not the one it came to if the kernel did not go along
 * @param counts the counters
 */
record Connection(Attachment attachment, Negotiation negotiation, String asked, Map<String, Long> counts) {
    private static final long FORMAT = 1;

    private static final String FORMAT_NUMBER = "format";
    private static final String FLAGS = "init.flags";
    private static final String MAX_WRITE = "init.max_write";
    private static final String COUNT = "count.";
    private static final String ASKED = "transport.asked";

    /**
     * As a state.
     *
     * @param released what the transport itself has to say
     */
    TransportState state(String transport, Server.Released released) {
        Map<String, Long> numbers = new HashMap<>(released.numbers());
        numbers.put(FORMAT_NUMBER, FORMAT);
        numbers.put(FLAGS, negotiation.agreed());
        numbers.put(MAX_WRITE, (long) Descriptors.MAX_WRITE);
        counts.forEach((name, count) -> numbers.put(COUNT + name, count));
        Map<String, String> words = new HashMap<>(attachment.words());
        words.putAll(released.words());
        words.put(ASKED, asked);
        return new TransportState(transport, released.descriptors(), numbers, words, false);
    }

    /**
     * From a state.
     *
     * @throws UnsupportedOperationException if this transport can't go on with it
     */
    static Connection of(MountPoint where, TransportState state) {
        if (state.descriptors().isEmpty() || number(state, FORMAT_NUMBER) != FORMAT) {
            throw new UnsupportedOperationException("this transport goes on with connections in the form " + FORMAT
                    + ", and this one has the form " + number(state, FORMAT_NUMBER));
        }
        if (number(state, MAX_WRITE) > Descriptors.MAX_WRITE) {
            throw new UnsupportedOperationException("writes of " + number(state, MAX_WRITE)
                    + " bytes were agreed on with the kernel, and this transport takes " + Descriptors.MAX_WRITE);
        }
        Negotiation negotiation = Negotiation.agreed(number(state, FLAGS));
        if (state.resend() && !negotiation.resends()) {
            throw new UnsupportedOperationException(
                    "requests were in flight when the process died, and this kernel can't"
                            + " be asked for them again, which Linux 6.9 brought");
        }
        Map<String, Long> counts = state.numbers().entrySet().stream()
                .filter(number -> number.getKey().startsWith(COUNT))
                .collect(Collectors.toMap(number -> number.getKey().substring(COUNT.length()), Map.Entry::getValue));
        return new Connection(
                Mounts.attached(where, state.descriptors().getFirst(), state.words()),
                negotiation,
                asked(state),
                counts);
    }

    /** The transport that the mount was asked for with. */
    static String asked(TransportState state) {
        return state.words().getOrDefault(ASKED, state.transport());
    }

    private static long number(TransportState state, String name) {
        return state.numbers().getOrDefault(name, 0L);
    }
}
