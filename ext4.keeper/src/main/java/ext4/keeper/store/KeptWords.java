// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import ext4.api.fs.DeviceException;
import ext4.api.fs.TransportState;
import ext4.sys.Linux;
import ext4.sys.MemoryFile;
import ext4.sys.SystemCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All of what is kept that is not a descriptor, in memory that has one.
 *
 * @param transport of {@link TransportState}
 * @param descriptors names under which those of the connection are kept, in its order
 * @param numbers of {@link TransportState}
 * @param texts of {@link TransportState}
 * @param words the mount's own
 * @param planned whether its process gave it up in order, so that nothing is in flight
 */
public record KeptWords(
        String transport,
        List<String> descriptors,
        Map<String, Long> numbers,
        Map<String, String> texts,
        Map<String, String> words,
        boolean planned) {
    /** "ext4kept" and the version of what follows. */
    private static final String MAGIC = "ext4kept 1";

    /** Of a connection. */
    public static KeptWords of(
            TransportState connection, List<String> descriptors, Map<String, String> words, boolean planned) {
        return new KeptWords(
                connection.transport(),
                List.copyOf(descriptors),
                connection.numbers(),
                connection.words(),
                words,
                planned);
    }

    /** A descriptor of new memory that has it. */
    public int write(SystemCalls calls) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(MAGIC);
            out.writeUTF(transport);
            out.writeInt(descriptors.size());
            for (String descriptor : descriptors) {
                out.writeUTF(descriptor);
            }
            out.writeBoolean(planned);
            out.writeInt(numbers.size());
            for (Map.Entry<String, Long> number : numbers.entrySet()) {
                out.writeUTF(number.getKey());
                out.writeLong(number.getValue());
            }
            texts(out, texts);
            texts(out, words);
        } catch (IOException e) {
            throw new DeviceException("what is to be kept can't be written down: " + e.getMessage(), e);
        }
        int fd = MemoryFile.create(calls, "ext4 words", 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment content = arena.allocateFrom(JAVA_BYTE, bytes.toByteArray());
            long written = fd < 0 ? fd : calls.write(fd, content, content.byteSize());
            if (written != content.byteSize()) {
                throw new DeviceException("no memory for what is to be kept: " + Linux.errorText((int) -written));
            }
        }
        return fd;
    }

    /** What is in the memory behind a descriptor. */
    public static KeptWords read(SystemCalls calls, int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment content = arena.allocate(Math.max(1, MemoryFile.size(calls, fd)));
            long count = MemoryFile.read(calls, fd, 0, content);
            if (count <= 0) {
                throw new DeviceException("what was kept can't be read: " + Linux.errorText((int) -count));
            }
            return parse(content.asSlice(0, count).toArray(JAVA_BYTE));
        }
    }

    private static KeptWords parse(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String magic = in.readUTF();
            if (!magic.equals(MAGIC)) {
                throw new DeviceException("what was kept is of another version: '" + magic + "', not '" + MAGIC + "'");
            }
            String transport = in.readUTF();
            List<String> descriptors = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                descriptors.add(in.readUTF());
            }
            boolean planned = in.readBoolean();
            Map<String, Long> numbers = new LinkedHashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                numbers.put(in.readUTF(), in.readLong());
            }
            return new KeptWords(transport, descriptors, numbers, texts(in), texts(in), planned);
        } catch (IOException e) {
            throw new DeviceException("what was kept can't be read: " + e, e);
        }
    }

    private static void texts(DataOutputStream out, Map<String, String> texts) throws IOException {
        out.writeInt(texts.size());
        for (Map.Entry<String, String> text : texts.entrySet()) {
            out.writeUTF(text.getKey());
            out.writeUTF(text.getValue());
        }
    }

    private static Map<String, String> texts(DataInputStream in) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.put(in.readUTF(), in.readUTF());
        }
        return texts;
    }
}
