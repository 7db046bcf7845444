// SPDX-License-Identifier: Apache-2.0
package ext4.control.socket;

import ext4.api.mount.MountException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on a control socket; a thread accepts, each request has one of its own. */
public final class ControlServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    private static final int LONGEST_REQUEST = 4096;
    /** How long requests may take to finish when the server closes. */
    private static final long FINISH_SECONDS = 10;

    /** Answers requests. */
    @FunctionalInterface
    public interface Requests {
        /** Does what {@code words} ask for and hands the reply's lines to {@code reply}. */
        void answer(String[] words, Reply reply) throws MountException, IOException;
    }

    /** Takes the reply's lines. */
    @FunctionalInterface
    public interface Reply {
        /** One line of the reply. */
        void line(String text) throws IOException;
    }

    private final Path path;
    private final Requests requests;
    private final ServerSocketChannel server;
    private final Object key;
    private final ExecutorService threads;
    private final AtomicBoolean stopped = new AtomicBoolean();
    /** Connections whose request has not come yet: nobody waits for them at the end. */
    private final Set<SocketChannel> silent = ConcurrentHashMap.newKeySet();

    /** Binds to {@code path}; a socket that a process left behind there is replaced. */
    public ControlServer(Path path, Requests requests) throws IOException {
        this(path, requests, false);
    }

    /** @param takesOver whether the socket of a process that still answers there is replaced, too */
    public ControlServer(Path path, Requests requests, boolean takesOver) throws IOException {
        this.path = path;
        this.requests = requests;
        if (!takesOver && new ControlClient(path).answers()) {
            throw new IOException("another process serves " + path);
        }
        Files.deleteIfExists(path);
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(path));
            key = key(path);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        threads = Executors.newCachedThreadPool(Thread.ofPlatform()
                .name("ext4 control ", 1)
                .inheritInheritableThreadLocals(false)
                .factory());
        threads.execute(this::accept);
    }

    /** Tells this socket from one of another process at the same place. */
    private static Object key(Path path) throws IOException {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                ? Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .fileKey()
                : "none";
    }

    /** Where it listens. */
    public Path path() {
        return path;
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel connection = server.accept();
                silent.add(connection);
                threads.execute(() -> serve(connection));
            }
        } catch (ClosedChannelException e) {
            // the end
        } catch (IOException e) {
            LOG.error("the control socket {} failed", path, e);
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            BufferedReader reader =
                    new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8), LONGEST_REQUEST);
            String request = readLine(reader);
            if (silent.remove(connection) && request != null) {
                answer(request, connection);
            }
        } catch (IOException e) {
            LOG.debug("a control connection ended early", e); // the other side went away
        } finally {
            silent.remove(connection);
        }
    }

    private static String readLine(BufferedReader reader) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = reader.read(); c != '\n'; c = reader.read()) {
            if (c < 0 || line.length() == LONGEST_REQUEST) {
                return null;
            }
            line.append((char) c);
        }
        return line.toString();
    }

    private void answer(String request, SocketChannel connection) throws IOException {
        try {
            requests.answer(request.strip().split(" +"), text -> write(connection, "=" + oneLine(text)));
        } catch (MountException e) {
            write(connection, "!" + oneLine(e.getMessage()));
            return;
        } catch (RuntimeException e) {
            LOG.error("control request '{}' failed", request, e);
            write(connection, "!" + oneLine(e.toString()));
            return;
        }
        write(connection, ".");
    }

    private static String oneLine(String text) {
        return String.valueOf(text).replaceAll("\\R", " ");
    }

    private static void write(SocketChannel connection, String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            connection.write(bytes);
        }
    }

    /** Takes no more requests: the socket is gone when this returns, those at work go on. */
    public void stop() {
        if (!stopped.compareAndSet(false, true)) {
            return; // by now the path may be another server's
        }
        try {
            server.close();
            if (key.equals(key(path))) {
                Files.deleteIfExists(path);
            }
            for (SocketChannel connection : silent) {
                if (silent.remove(connection)) {
                    connection.close();
                }
            }
        } catch (IOException e) {
            LOG.warn("can't close the control socket {}: {}", path, e.getMessage());
        }
        threads.shutdown();
    }

    /** Takes no more requests, lets the ones at work finish, and joins the threads. */
    @Override
    public void close() {
        stop();
        try {
            if (!threads.awaitTermination(FINISH_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
