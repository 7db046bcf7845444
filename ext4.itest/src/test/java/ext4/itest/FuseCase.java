// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.fuse;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.api.mount.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.ops4j.pax.exam.Option;

/** A test on a FUSE mount of its own, with programs that work on it. Its runner is {@link FuseRunner}. */
abstract class FuseCase extends MountCase {
    /** Files without a name that the programs hold. */
    static final int HELD = 3;

    /** Trees come and go; a file without a name is read at the end of each round. Ends with its input. */
    private static final String TREES = """
            cd "$M"; mkdir tree$N; cd tree$N
            while mkdir d; do
                for i in 0 1 2 3 4 5 6 7 8 9; do echo "line $i" > d/$i; done
                exec 4< d/9
                mv d/0 d/moved; mv d/1 d/2; chmod 600 d/3; : > d/4; ln d/5 d/link; ln -s 5 d/symlink
                ls -l d > /dev/null
                rm -r d
                read -r line <&4; [ "$line" = "line 9" ]; exec 4<&-
                echo round; read -r go || break
            done
            cd ..; rm -r tree$N
            """;

    /** Holds a file without a name for as long as its input goes on. */
    private static final String HOLDER = """
            cd "$M"; echo kept > held$N; exec 4< held$N; rm held$N
            echo ready; read -r go || :
            read -r line <&4; [ "$line" = kept ]
            """;

    Path mountpoint;

    @Override
    @org.ops4j.pax.exam.Configuration
    public Option[] parts() {
        return options(composite(super.parts()), fuse());
    }

    @Override
    Map<String, String> door() {
        return Map.of(Mount.MOUNTPOINT, mountpoint.toString());
    }

    @Before
    @Override
    public void mountIt() throws Exception {
        mountpoint = Files.createTempDirectory("mountpoint");
        super.mountIt();
    }

    @After
    @Override
    public void unmountAndJudge() throws Exception {
        super.unmountAndJudge();
        if (mountpoint != null) {
            Files.delete(mountpoint); // fails while something is mounted on it
        }
    }

    @Override
    List<String> modules() {
        return Stream.concat(super.modules().stream(), Stream.of("ext4.fuse")).toList();
    }

    /** The programs that make the load, and those that hold a file without a name. */
    static final class Children implements AutoCloseable {
        private final List<Child> all = new ArrayList<>();

        Children(Path mountpoint) throws IOException {
            for (int i = 0; i < WORKERS; i++) {
                all.add(new Child(mountpoint, i, TREES));
            }
            for (int i = 0; i < HELD; i++) {
                Child holder = new Child(mountpoint, i, HOLDER);
                all.add(holder);
                holder.line();
            }
        }

        void round(int worker) throws IOException {
            all.get(worker).line();
            all.get(worker).go();
        }

        @Override
        public void close() throws Exception {
            for (Child child : all) {
                child.endInput(); // of all first: a failure of one must not leave others on the mount
            }
            for (Child child : all) {
                child.close();
            }
        }
    }
}
