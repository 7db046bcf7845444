// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Errno;
import ext4.fuse.MemoryFileSystem;
import ext4.fuse.channel.RequestHandler;
import ext4.fuse.wire.InitFlag;
import ext4.fuse.wire.Opcode;
import ext4.fuse.wire.Replies;
import ext4.fuse.wire.Requests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests byte by byte, without a kernel. */
class DispatcherTest {
    private static final int S_IFREG = 0x8000;

    private final Exchange exchange = new Exchange();
    private Dispatcher dispatcher;
    private RequestHandler.Worker worker;
    private int waits;

    @BeforeEach
    void makeWorker() {
        makeWorker(-1);
    }

    private void makeWorker(int offered) {
        Negotiation negotiation = new Negotiation(false);
        exchange.begin(Opcode.INIT, 0)
                .int32(7)
                .int32(45)
                .int32(0)
                .int32(offered)
                .int32(-1)
                .bytes(new byte[44]);
        negotiation.answer(exchange.request, exchange.length(), exchange.reply);
        dispatcher = new Dispatcher(new MemoryFileSystem(), negotiation);
        worker = dispatcher.worker(exchange.place(), new RequestHandler.Blocking() {
            @Override
            public void begin() {
                waits++;
            }

            @Override
            public void end() {
                waits += 10;
            }
        });
    }

    private long create(String name) {
        exchange.begin(Opcode.MKNOD, 1)
                .int32(S_IFREG | 0640)
                .int32(0)
                .int32(022)
                .int32(0);
        assertThat(exchange.name(name).send(worker)).isZero();
        return exchange.reply64(Replies.EntryOut.NODEID);
    }

    private int createAndOpen() {
        return exchange.begin(Opcode.CREATE, 1)
                .int32(0)
                .int32(S_IFREG | 0640)
                .int32(022)
                .int32(0)
                .name("file")
                .send(worker);
    }

    @Test
    void aFileIsMadeByMknodWhereNoOpenIsNeeded() {
        assertThat(createAndOpen()).isEqualTo(Errno.ENOSYS.number());
        assertThat(create("file")).isEqualTo(12);
        assertThat(exchange.bodyLength()).isEqualTo(Replies.EntryOut.SIZE);
        assertThat(exchange.reply32(Replies.EntryOut.ATTR + Replies.Attr.MODE)).isEqualTo(S_IFREG | 0640);
    }

    @Test
    void createAnswersEntryAndOpenWhereOneIsNeeded() {
        makeWorker((int) ~InitFlag.NO_OPEN_SUPPORT);
        assertThat(createAndOpen()).isZero();
        assertThat(exchange.reply64(Replies.EntryOut.NODEID)).isEqualTo(12);
        assertThat(exchange.bodyLength()).isEqualTo(Replies.EntryOut.SIZE + Replies.OpenOut.SIZE);
        int attr = Replies.EntryOut.ATTR;
        assertThat(exchange.reply64(Replies.EntryOut.GENERATION)).isEqualTo(7);
        assertThat(exchange.reply64(attr + Replies.Attr.INO)).isEqualTo(12);
        assertThat(exchange.reply32(attr + Replies.Attr.MODE)).isEqualTo(S_IFREG | 0640);
        assertThat(exchange.reply32(attr + Replies.Attr.UID)).isEqualTo(1000);
        assertThat(exchange.reply32(attr + Replies.Attr.GID)).isEqualTo(100);
        int open = Replies.EntryOut.SIZE;
        assertThat(exchange.reply32(open + Replies.OpenOut.OPEN_FLAGS))
                .isEqualTo(Replies.OpenOut.FOPEN_KEEP_CACHE | Replies.OpenOut.FOPEN_NOFLUSH);
    }

    @Test
    void theRootIsNodeOneAndInodeTwo() {
        exchange.begin(Opcode.GETATTR, 1).int64(0).int64(0);
        assertThat(exchange.send(worker)).isZero();
        assertThat(exchange.reply64(Replies.AttrOut.ATTR + Replies.Attr.INO)).isEqualTo(2);
        assertThat(exchange.bodyLength()).isEqualTo(Replies.AttrOut.SIZE);
    }

    @Test
    void aMissingNameIsAnEntryOfNoNodeThatMayBeRemembered() {
        assertThat(exchange.begin(Opcode.LOOKUP, 1).name("none").send(worker)).isZero();
        assertThat(exchange.reply64(Replies.EntryOut.NODEID)).isZero();
        assertThat(exchange.reply64(Replies.EntryOut.ENTRY_VALID)).isPositive();
    }

    @Test
    void namesOfMoreThan255BytesAreRefused() {
        assertThat(exchange.begin(Opcode.LOOKUP, 1).name("x".repeat(255)).send(worker))
                .isZero();
        assertThat(exchange.begin(Opcode.LOOKUP, 1).name("x".repeat(256)).send(worker))
                .isEqualTo(Errno.ENAMETOOLONG.number());
        create("a");
        exchange.begin(Opcode.RENAME2, 1).int64(1).int64(0).name("a").name("y".repeat(1024));
        assertThat(exchange.send(worker)).isEqualTo(Errno.ENAMETOOLONG.number());
    }

    @Test
    void requestsThatAreTooShortOrUnterminatedAreInvalid() {
        assertThat(exchange.begin(Opcode.SETATTR, 1).int64(0).send(worker)).isEqualTo(Errno.EINVAL.number());
        exchange.begin(Opcode.LOOKUP, 1).bytes(new byte[] {'n', 'o', 'n', 'u', 'l'});
        assertThat(exchange.send(worker)).isEqualTo(Errno.EINVAL.number());
        long node = create("w");
        exchange.begin(Opcode.WRITE, node)
                .int64(0)
                .int64(0)
                .int32(500)
                .int32(0)
                .int64(0)
                .int64(0);
        assertThat(exchange.bytes(new byte[499]).send(worker)).isEqualTo(Errno.EINVAL.number());
        exchange.begin(Opcode.READ, node)
                .int64(0)
                .int64(0)
                .int32(-1)
                .int32(0)
                .int64(0)
                .int64(0);
        assertThat(exchange.send(worker)).isEqualTo(Errno.EINVAL.number());
    }

    @Test
    void forgetsAreNotAnswered() {
        long node = create("f");
        assertThat(exchange.begin(Opcode.UNLINK, 1).name("f").send(worker)).isZero();
        exchange.begin(Opcode.BATCH_FORGET, 0).int32(1).int32(0).int64(node).int64(1);
        assertThat(worker.handle(exchange.length(), 0)).isZero();
        exchange.begin(Opcode.GETATTR, node).int64(0).int64(0);
        assertThat(exchange.send(worker)).isEqualTo(Errno.ESTALE.number());
        assertThat(dispatcher.counters())
                .containsEntry("requests.batch_forget", 1L)
                .containsEntry("unexpected", 0L);
    }

    @Test
    void aBatchThatClaimsMoreThanItHoldsIsCutShort() {
        exchange.begin(Opcode.BATCH_FORGET, 0).int32(1000).int32(0);
        assertThat(worker.handle(exchange.length(), 0)).isZero();
        assertThat(dispatcher.counters()).containsEntry("errors", 0L);
    }

    @Test
    void writesAtTheEndOnlyIfTheOpenSaidSo() {
        long node = create("log");
        for (int flags : new int[] {0, Requests.Write.O_APPEND}) {
            exchange.begin(Opcode.WRITE, node)
                    .int64(0)
                    .int64(0)
                    .int32(3)
                    .int32(0)
                    .int64(0)
                    .int64(flags);
            assertThat(exchange.bytes(new byte[] {'a', 'b', 'c'}).send(worker)).isZero();
            assertThat(exchange.reply32(Replies.WriteOut.COUNT)).isEqualTo(3);
        }
        exchange.begin(Opcode.READ, node)
                .int64(0)
                .int64(0)
                .int32(100)
                .int32(0)
                .int64(0)
                .int64(0);
        assertThat(exchange.send(worker)).isZero();
        assertThat(exchange.replyText(0, exchange.bodyLength())).isEqualTo("abcabc");
    }

    @Test
    void listsWithinTheRoomThatIsGivenAndGoesOnByCookie() {
        create("first");
        create("second-name");
        StringBuilder names = new StringBuilder();
        long cookie = 0;
        int rounds = 0;
        do {
            exchange.begin(Opcode.READDIR, 1)
                    .int64(0)
                    .int64(cookie)
                    .int32(40)
                    .int32(0)
                    .int64(0)
                    .int64(0);
            assertThat(exchange.send(worker)).isZero();
            for (int at = 0; at < exchange.bodyLength(); ) {
                int length = exchange.reply32(at + Replies.Dirent.NAMELEN);
                names.append(exchange.replyText(at + Replies.Dirent.NAME, length))
                        .append(' ');
                cookie = exchange.reply64(at + Replies.Dirent.OFF);
                at += Replies.Dirent.size(length);
            }
            rounds++;
        } while (exchange.bodyLength() > 0);
        assertThat(names).hasToString(". .. first second-name ");
        assertThat(rounds).isEqualTo(5);
    }

    @Test
    void aListingWithAttributesPinsOnlyWhatItReturns() {
        long node = create("only");
        exchange.begin(Opcode.READDIRPLUS, 1)
                .int64(0)
                .int64(0)
                .int32(4096)
                .int32(0)
                .int64(0)
                .int64(0);
        assertThat(exchange.send(worker)).isZero();
        int size = Replies.EntryOut.SIZE + Replies.Dirent.size(1);
        assertThat(exchange.bodyLength()).isEqualTo(3 * size);
        assertThat(exchange.reply64(0)).as("node of .").isZero();
        assertThat(exchange.reply64(size)).as("node of ..").isZero();
        assertThat(exchange.reply64(2 * size)).as("node of the file").isEqualTo(node);
        exchange.begin(Opcode.FORGET, node).int64(2);
        worker.handle(exchange.length(), 0);
        assertThat(dispatcher.counters()).containsEntry("unexpected", 0L);
    }

    @Test
    void onlyTheSuperuserSeesTrustedAttributes() {
        exchange.begin(Opcode.SETXATTR, 1).int32(1).int32(0).name("trusted.k");
        assertThat(exchange.bytes(new byte[1]).send(worker)).isZero();
        exchange.begin(Opcode.SETXATTR, 1).int32(1).int32(0).name("user.k");
        assertThat(exchange.bytes(new byte[1]).send(worker)).isZero();
        exchange.begin(Opcode.LISTXATTR, 1).int32(100).int32(0); // as user 1000
        assertThat(exchange.send(worker)).isZero();
        assertThat(exchange.bodyLength()).isEqualTo("user.k".length() + 1);
    }

    @Test
    void askingForTheSizeOfAnAttributeGetsOnlyThat() {
        exchange.begin(Opcode.SETXATTR, 1).int32(5).int32(0).name("user.k");
        assertThat(exchange.bytes(new byte[] {'v', 'a', 'l', 'u', 'e'}).send(worker))
                .isZero();
        exchange.begin(Opcode.GETXATTR, 1).int32(0).int32(0).name("user.k");
        assertThat(exchange.send(worker)).isZero();
        assertThat(exchange.reply32(Replies.GetXattrOut.NEEDED)).isEqualTo(5);
        exchange.begin(Opcode.GETXATTR, 1).int32(4).int32(0).name("user.k");
        assertThat(exchange.send(worker)).isEqualTo(Errno.ERANGE.number());
        exchange.begin(Opcode.LISTXATTR, 1).int32(100).int32(0);
        assertThat(exchange.send(worker)).isZero();
        assertThat(exchange.replyText(0, exchange.bodyLength())).isEqualTo("user.k\0");
    }

    @Test
    void opensAreRefusedSoThatTheKernelStopsAsking() {
        for (Opcode opcode : new Opcode[] {Opcode.OPEN, Opcode.OPENDIR, Opcode.FLUSH, Opcode.ACCESS}) {
            assertThat(exchange.begin(opcode, 1).int64(0).send(worker)).isEqualTo(Errno.ENOSYS.number());
        }
    }

    @Test
    void onlyWaitingRequestsCallForAnotherReader() {
        long node = create("f");
        assertThat(waits).isZero();
        exchange.begin(Opcode.FSYNC, node).int64(0).int64(0);
        assertThat(exchange.send(worker)).isZero();
        assertThat(waits).isEqualTo(11);
    }

    @Test
    void deviceNumbersSurvive() {
        int number = AttributeEncoder.deviceNumber(300, 70_000);
        assertThat(AttributeEncoder.deviceMajor(number)).isEqualTo(300);
        assertThat(AttributeEncoder.deviceMinor(number)).isEqualTo(70_000);
    }
}
