// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.ring;

import ext4.api.fs.CarrierThread;
import ext4.api.fs.TransportState;
import ext4.fuse.channel.Server;
import ext4.sys.IoUring;
import ext4.sys.Mapping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What a pool of rings hands to the next one: the rings as they are, the memory that the kernel puts requests into, and the
 * threads that submitted something, without which the kernel would cancel it. Of use in this process only.
 *
 * @param carriers the first has the rings and their memory with it
 */
record RingState(List<RingQueue.Left> rings, List<CarrierThread> carriers) {
    private static final String COUNT = "ring.count";
    private static final String PROCESS = "ring.process";
    private static final String HEADER_BYTES = "ring.header_bytes";
    private static final String PAYLOAD_BYTES = "ring.payload_bytes";
    private static final String THREADS = "ring.threads";

    /** As part of a {@link TransportState}. */
    Server.Released released() {
        List<Object> luggage = new ArrayList<>();
        Map<String, Long> numbers = new HashMap<>();
        Map<String, String> words = new HashMap<>();
        numbers.put(COUNT, (long) rings.size());
        numbers.put(PROCESS, ProcessHandle.current().pid());
        numbers.put(HEADER_BYTES, (long) RingPlace.HEADER_BYTES);
        numbers.put(PAYLOAD_BYTES, (long) RingPlace.PAYLOAD_BYTES);
        words.put(THREADS, text(carriers.stream().mapToLong(Thread::threadId)));
        for (int i = 0; i < rings.size(); i++) {
            RingQueue.Left ring = rings.get(i);
            luggage.add(ring.ring());
            luggage.add(ring.memory());
            numbers.put(name(i, "processor"), (long) ring.processor());
            numbers.put(name(i, "connection"), (long) ring.connection());
            numbers.put(name(i, "wake_event"), (long) ring.wakeEvent());
            numbers.put(name(i, "live"), (long) ring.live());
            words.put(name(i, "queues"), text(Arrays.stream(ring.qids()).asLongStream()));
        }
        carriers.getFirst().carry(luggage);
        return new Server.Released(
                rings.stream().map(RingQueue.Left::connection).toList(), numbers, words);
    }

    private static String name(int ring, String what) {
        return "ring." + ring + "." + what;
    }

    private static String text(LongStream numbers) {
        return numbers.mapToObj(Long::toString).collect(Collectors.joining(" "));
    }

    /**
     * Out of a state.
     *
     * @throws UnsupportedOperationException in one sentence, if it can't be gone on with
     */
    static RingState of(TransportState state) {
        if (state.resend() || number(state, PROCESS) != ProcessHandle.current().pid()) {
            throw new UnsupportedOperationException(RingSupport.PROCESS_BOUND);
        }
        if (number(state, HEADER_BYTES) != RingPlace.HEADER_BYTES
                || number(state, PAYLOAD_BYTES) != RingPlace.PAYLOAD_BYTES) {
            throw new UnsupportedOperationException(
                    "the rings of this mount have places of " + number(state, HEADER_BYTES) + " and "
                            + number(state, PAYLOAD_BYTES) + " bytes, and this transport others");
        }
        List<CarrierThread> carriers =
                list(state, THREADS).mapToObj(CarrierThread::find).toList();
        if (carriers.isEmpty() || carriers.stream().anyMatch(Objects::isNull)) {
            throw new UnsupportedOperationException("a thread that served a ring of this mount has ended");
        }
        List<Object> luggage = carriers.getFirst().carried();
        List<RingQueue.Left> rings = new ArrayList<>();
        for (int i = 0; i < number(state, COUNT); i++) {
            if (luggage.size() < 2 * i + 2
                    || !(luggage.get(2 * i) instanceof IoUring ring)
                    || !(luggage.get(2 * i + 1) instanceof Mapping memory)) {
                throw new UnsupportedOperationException("the rings of this mount are of another version of ext4.sys");
            }
            rings.add(new RingQueue.Left(
                    (int) number(state, name(i, "processor")),
                    list(state, name(i, "queues")).mapToInt(qid -> (int) qid).toArray(),
                    ring,
                    memory,
                    (int) number(state, name(i, "connection")),
                    (int) number(state, name(i, "wake_event")),
                    (int) number(state, name(i, "live"))));
        }
        return new RingState(rings, carriers);
    }

    private static long number(TransportState state, String name) {
        return state.numbers().getOrDefault(name, 0L);
    }

    private static LongStream list(TransportState state, String name) {
        String text = state.words().getOrDefault(name, "");
        return text.isEmpty()
                ? LongStream.empty()
                : Arrays.stream(text.split(" ")).mapToLong(Long::parseLong);
    }
}
