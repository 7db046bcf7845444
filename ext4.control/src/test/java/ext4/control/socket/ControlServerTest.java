// SPDX-License-Identifier: Apache-2.0
package ext4.control.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import ext4.api.mount.MountException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ControlServerTest {
    @TempDir
    private Path directory;

    private Path socket() {
        return SocketPath.socket(directory, "/mnt");
    }

    @Test
    void linesComeBackInOrder() throws IOException, MountException {
        try (ControlServer server = serve((words, reply) -> {
            for (String word : words) {
                reply.line(word);
            }
            reply.line("");
            reply.line("two\nlines");
        })) {
            assertThat(server).isNotNull();
            assertThat(client().ask("a  b c")).containsExactly("a", "b", "c", "", "two lines");
            assertThat(client().ask("once more")).containsExactly("once", "more", "", "two lines");
        }
    }

    @Test
    void aRefusalIsAnExceptionWithTheReason() throws IOException {
        try (ControlServer server = serve((words, reply) -> {
            reply.line("begun");
            throw new MountException("no\nway");
        })) {
            assertThat(server).isNotNull();
            assertThatExceptionOfType(MountException.class)
                    .isThrownBy(() -> client().ask("x"))
                    .withMessage("no way");
        }
    }

    @Test
    void anUnexpectedFailureIsAReasonToo() throws IOException {
        try (ControlServer server = serve((words, reply) -> {
            throw new IllegalStateException("broken");
        })) {
            assertThat(server).isNotNull();
            assertThatExceptionOfType(MountException.class)
                    .isThrownBy(() -> client().ask("x"))
                    .withMessage("java.lang.IllegalStateException: broken");
        }
    }

    @Test
    void nobodyThereIsAnIoError() {
        assertThat(client().answers()).isFalse();
        assertThatIOException().isThrownBy(() -> client().ask("x"));
    }

    @Test
    void aSocketThatIsLeftOverIsReplacedAndOneInUseIsNot() throws IOException, MountException {
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(socket()));
        }
        assertThat(socket()).exists();
        try (ControlServer server = serve((words, reply) -> reply.line("new"))) {
            assertThat(server).isNotNull();
            assertThat(client().ask("x")).containsExactly("new");
            assertThatIOException().isThrownBy(() -> serve((words, reply) -> reply.line("second")));
            assertThat(client().ask("x")).containsExactly("new");
        }
        assertThat(socket()).doesNotExist();
    }

    @Test
    void aRequestThatIsTooLongOrCutOffIsDropped() throws IOException, MountException {
        try (ControlServer server = serve((words, reply) -> reply.line("answered"))) {
            assertThat(server).isNotNull();
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
                channel.write(ByteBuffer.wrap("no end of line".getBytes(StandardCharsets.US_ASCII)));
                channel.shutdownOutput();
                assertThat(channel.read(ByteBuffer.allocate(10))).isEqualTo(-1);
            }
            assertThatIOException().isThrownBy(() -> client().ask("x".repeat(100_000)));
            assertThat(client().ask("x")).containsExactly("answered");
        }
    }

    @Test
    void closingLetsTheRequestAtWorkFinishAndDropsSilentOnes() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        ControlServer server = serve((words, reply) -> {
            begun.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            reply.line("finished");
        });
        try (SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            CompletableFuture<List<String>> answer = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return client().ask("x");
                        } catch (IOException | MountException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    ControlServerTest::onOwnThread);
            begun.await();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close, ControlServerTest::onOwnThread);
            assertThat(silent.read(ByteBuffer.allocate(10))).isEqualTo(-1);
            assertThat(closed).isNotDone();
            go.countDown();
            assertThat(answer.join()).containsExactly("finished");
            closed.join();
        }
    }

    @Test
    void theRunDirectoryIsItsOwnersAlone() throws IOException {
        Path run = directory.resolve("run");
        SocketPath.prepare(run);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(run)))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxrwxrwx"));
        SocketPath.prepare(run);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(run)))
                .isEqualTo("rwx------");
    }

    @Test
    void aLinkIsNoRunDirectory() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path run = Files.createSymbolicLink(directory.resolve("run"), elsewhere);
        assertThatIOException().isThrownBy(() -> SocketPath.prepare(run));
    }

    @Test
    void eachMountPointHasASocketOfItsOwnWithAShortName() {
        assertThat(SocketPath.socket(directory, "/a")).isNotEqualTo(SocketPath.socket(directory, "/b"));
        assertThat(SocketPath.socket(directory, "/a".repeat(2000)).getFileName().toString())
                .hasSize(21);
    }

    private static void onOwnThread(Runnable work) {
        Thread.ofPlatform().start(work);
    }

    private ControlServer serve(ControlServer.Requests requests) throws IOException {
        return new ControlServer(socket(), requests);
    }

    private ControlClient client() {
        return new ControlClient(socket());
    }
}
