// SPDX-License-Identifier: Apache-2.0
package ext4.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ext4.api.fs.Attributes;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanPlace;
import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Dictionary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

@Timeout(60)
class MountCommandsTest {
    private final List<String> log = new ArrayList<>();
    private final CommandSession session =
            fake(CommandSession.class, Map.of("currentDir", args -> Path.of("/mnt"), "get", args -> this.changed));
    private final MountCommands commands = new MountCommands(configurations());

    /** Folder of the shell's cd, or null. */
    private File changed;

    /** What the next mount of the command comes to. */
    private Mount.State state = Mount.State.MOUNTED;

    private interface Answer {
        Object to(Object[] args) throws Throwable;
    }

    private static <T> T fake(Class<T> type, Map<String, Answer> answers) {
        return type.cast(Proxy.newProxyInstance(
                MountCommandsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    Answer answer = answers.get(method.getName());
                    if (answer != null) {
                        return answer.to(args);
                    }
                    return switch (method.getName()) {
                        case "equals" -> proxy == args[0];
                        case "hashCode" -> System.identityHashCode(proxy);
                        default -> throw new AssertionError("not expected: " + method);
                    };
                }));
    }

    private Mount mount(String image, String mountpoint, Mount.State at, String failure, String refusal) {
        Map<String, Answer> answers = new LinkedHashMap<>();
        answers.put("image", args -> image);
        answers.put("mountpoint", args -> mountpoint);
        answers.put("state", args -> at);
        answers.put("failure", args -> failure);
        answers.put("refusal", args -> refusal);
        answers.put("settled", args -> CompletableFuture.completedFuture(at));
        answers.put("strategies", args -> new Mount.Strategies("global", null, List.of("global", "sharded")));
        answers.put("strategy", args -> new SwapReport("global", (String) args[0], 7, 210, 5));
        answers.put(
                "replace",
                args -> new SwapReport((SwapReport.Part) args[0], "a", String.valueOf(args[1]), 7, 210, 0, 4096));
        answers.put("status", args -> new LinkedHashMap<>(Map.of("state", "mounted")));
        answers.put("orphans", args -> List.of(OrphanPlace.slot(12, 0, 3), OrphanPlace.chain(13)));
        answers.put("fileSystem", args -> fileSystem());
        answers.put("mount", args -> log.add("mount " + image));
        answers.put("unmount", args -> log.add("unmount " + image));
        answers.put("remount", args -> log.add("remount " + image + " " + args[0]));
        return fake(Mount.class, answers);
    }

    private FileSystem fileSystem() {
        return fake(FileSystem.class, Map.of("syncfs", args -> log.add("syncfs"), "getattr", args -> {
            if ((int) args[0] == 13) {
                throw ErrnoException.of(Errno.ESTALE);
            }
            ((Attributes) args[1]).size = 4096;
            return null;
        }));
    }

    private ConfigurationAdmin configurations() {
        Answer update = args -> {
            Dictionary<?, ?> properties = (Dictionary<?, ?>) args[0];
            String image = properties.get(Mount.IMAGE).toString();
            String mountpoint = properties.get(Mount.MOUNTPOINT).toString();
            log.add("configured " + image + " " + mountpoint + " '" + properties.get(Mount.OPTIONS) + "'");
            String failure = state == Mount.State.MOUNTED ? null : image + ": no such file";
            commands().bindMount(mount(image, mountpoint, state, failure, null), Map.of("service.pid", "ext4.mount.1"));
            return null;
        };
        Configuration configuration = fake(
                Configuration.class,
                Map.of("update", update, "getPid", args -> "ext4.mount.1", "delete", args -> log.add("deleted")));
        return fake(ConfigurationAdmin.class, Map.of("createFactoryConfiguration", args -> configuration));
    }

    private MountCommands commands() {
        return commands;
    }

    private void bind(String name, Mount mount) {
        commands.bindMount(
                mount, Map.of("service.pid", "ext4.mount~" + name, "felix.fileinstall.filename", "file:/conf/" + name));
    }

    @Test
    void mountsNamesEachConfigurationAndWhyItIsNotAtWork() {
        assertThat(commands.mounts()).isEqualTo("no mount is configured");
        bind("b.cfg", mount("/b.img", "/mnt/b", Mount.State.FAILED, "/b.img: no such file", null));
        bind("a.cfg", mount("/a.img", "/mnt/a", Mount.State.MOUNTED, null, "image can't be changed"));
        assertThat(commands.mounts()).isEqualTo("""
                        CONFIGURATION  IMAGE   MOUNTPOINT  STATE    STRATEGY  REASON
                        a.cfg          /a.img  /mnt/a      mounted  global    change refused: image can't be changed
                        b.cfg          /b.img  /mnt/b      failed   -         /b.img: no such file""");
        assertThat(commands.mount()).isEqualTo(commands.mounts());
    }

    @Test
    void aDirectoryIsTakenFromTheSessionsFolder() throws MountException {
        bind("a.cfg", mount("/a.img", "/mnt/a", Mount.State.MOUNTED, null, null));
        commands.umount(session, "a");
        commands.umount(session, "/mnt/./a/");
        commands.mount(session, "../mnt/a");
        commands.remount(session, "a", "ro");
        changed = new File("/mnt/a");
        commands.umount(session, ".");
        changed = null;
        assertThat(log)
                .containsExactly(
                        "unmount /a.img", "unmount /a.img", "mount /a.img", "remount /a.img ro", "unmount /a.img");
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> commands.umount(session, "b"))
                .withMessage("b: no mount of this container; ext4:mounts lists them");
    }

    @Test
    void ofTwoConfigurationsOfADirectoryTheOneThatIsUpIsMeant() throws MountException {
        Mount up = mount("/up.img", "/mnt/a", Mount.State.MOUNTED, null, null);
        bind("x", mount("/x.img", "/mnt/a", Mount.State.FAILED, "busy", null));
        bind("y", up);
        bind("z", mount("/z.img", "/mnt/a", Mount.State.FAILED, "busy", null));
        commands.umount(session, "a");
        commands.unbindMount(up);
        commands.umount(session, "a");
        assertThat(log).containsExactly("unmount /up.img", "unmount /x.img");
    }

    @Test
    void mountConfiguresAndWaits() throws Exception {
        commands.mount(session, "ro", "img", "/data");
        assertThat(log).containsExactly("configured /mnt/img /data 'ro'");
    }

    @Test
    void aMountThatFailsLeavesNoConfiguration() {
        state = Mount.State.FAILED;
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> commands.mount(session, "", "img", "/data"))
                .withMessage("/mnt/img: no such file");
        assertThat(log).containsExactly("configured /mnt/img /data ''", "deleted");
    }

    @Test
    void whatIsAskedOfAMount() throws MountException {
        bind("a.cfg", mount("/a.img", "/mnt/a", Mount.State.MOUNTED, null, null));
        assertThat(commands.strategy(session, "a"))
                .isEqualTo("current: global\nnamed: none, ranking decides\navailable: global, sharded");
        assertThat(commands.strategy(session, "a", "sharded"))
                .isEqualTo("global -> sharded: 7 orphans carried, pause 210 us, 5 orphan records flushed");
        assertThat(commands.replace(session, "a", "journal", "plain"))
                .isEqualTo("journal a -> plain: 7 orphans carried, pause 210 us, 4096 bytes flushed");
        assertThat(commands.replace(session, "a", "core"))
                .isEqualTo("core a -> null: 7 orphans carried, pause 210 us, 4096 bytes flushed");
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> commands.replace(session, "a", "wheel"))
                .withMessage("no part is called 'wheel'; the parts are strategy, journal, core, transport");
        assertThat(commands.orphans(session, "a")).isEqualTo("""
                        INODE  LINKS  SIZE  ON DISK
                        12     0      4096  orphan file, block 0 slot 3
                        13     gone   -     chain""");
        assertThat(commands.stats(session, "a")).isEqualTo("state: mounted");
        commands.sync(session, "a");
        assertThat(log).containsExactly("syncfs");
    }

    @Test
    void eachCommandSaysWhatItDoes() {
        assertThat(Arrays.stream(MountCommands.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers())))
                .isNotEmpty()
                .allSatisfy(method ->
                        assertThat(described(method)).as(method.getName()).isTrue());
    }

    private static boolean described(Method method) {
        return method.isAnnotationPresent(Descriptor.class)
                && Arrays.stream(method.getParameters())
                        .filter(parameter -> parameter.getType() == String.class)
                        .allMatch(parameter -> parameter.isAnnotationPresent(Descriptor.class));
    }
}
