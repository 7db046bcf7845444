// SPDX-License-Identifier: Apache-2.0
package ext4.control.socket;

import ext4.api.mount.MountException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Asks a running mount. */
public final class ControlClient {
    private final Path socket;

    public ControlClient(Path socket) {
        this.socket = socket;
    }

    /** Whether somebody listens. */
    public boolean answers() {
        try (SocketChannel channel = connect()) {
            return channel.isConnected();
        } catch (IOException e) {
            return false; // no socket, or one that its process left behind
        }
    }

    /** Sends a request and returns the reply's lines. */
    public List<String> ask(String request) throws IOException, MountException {
        List<String> lines = new ArrayList<>();
        ask(request, lines::add);
        return lines;
    }

    /**
     * Sends a request and hands on the reply's lines as they come.
     *
     * @throws MountException with the reason if it was refused
     * @throws IOException if nobody listens, or the process ended before the reply did
     */
    public void ask(String request, Consumer<String> lines) throws IOException, MountException {
        try (SocketChannel channel = connect()) {
            ByteBuffer line = ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8));
            while (line.hasRemaining()) {
                channel.write(line);
            }
            BufferedReader reply = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            for (String text = reply.readLine(); text != null; text = reply.readLine()) {
                if (text.equals(".")) {
                    return;
                }
                if (text.startsWith("!")) {
                    throw new MountException(text.substring(1));
                }
                lines.accept(text.substring(1));
            }
            throw new IOException("the process that serves it ended before it answered");
        }
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }
}
