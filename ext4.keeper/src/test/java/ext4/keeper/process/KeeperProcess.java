// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A keeper process whose servers are {@link FakeServer}s. */
final class KeeperProcess implements AutoCloseable {
    private final ServerSocketChannel servers = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    private final List<FakeProcess> all = new ArrayList<>();
    private final Path log;
    final Process process;

    /** The test's end of a fake server. */
    static final class FakeProcess {
        final long pid;
        private final SocketChannel channel;
        private final BufferedReader answers;
        private final PrintWriter commands;

        private FakeProcess(SocketChannel channel) throws IOException {
            this.channel = channel;
            answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            commands = new PrintWriter(Channels.newWriter(channel, StandardCharsets.UTF_8), true);
            pid = Long.parseLong(answers.readLine());
        }

        void send(String command) {
            commands.println(command);
        }

        String answer() throws IOException {
            return answers.readLine();
        }

        String ask(String command) throws IOException {
            send(command);
            return answer();
        }

        void kill() {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }

        boolean ended() throws Exception {
            ProcessHandle handle = ProcessHandle.of(pid).orElse(null);
            if (handle != null) {
                handle.onExit().get(20, TimeUnit.SECONDS);
            }
            return true;
        }
    }

    KeeperProcess(Path directory) throws IOException {
        Path socket = directory.resolve("test.sock");
        servers.bind(UnixDomainSocketAddress.of(socket));
        log = directory.resolve("log");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = System.getProperty("java.class.path");
        List<String> line = new ArrayList<>(List.of(java));
        line.addAll(Main.OPTIONS);
        line.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", path, Main.class.getName()));
        line.addAll(List.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        line.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", path));
        line.addAll(List.of(FakeServer.class.getName(), socket.toString()));
        process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
    }

    /** The next server that the keeper has started. */
    FakeProcess next() throws IOException {
        FakeProcess server = new FakeProcess(servers.accept());
        all.add(server);
        return server;
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    /** Memory of the keeper in kB by a name of /proc/PID/smaps_rollup. */
    long memory(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/smaps_rollup")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        for (FakeProcess server : all) {
            server.kill();
            server.channel.close();
        }
        servers.close();
    }
}
