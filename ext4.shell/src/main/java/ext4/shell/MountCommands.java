// SPDX-License-Identifier: Apache-2.0
package ext4.shell;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Parameter;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** The commands; each public method is one, found by Gogo through the component's properties. */
@Component(
        service = MountCommands.class,
        property = {
            "osgi.command.scope=ext4",
            "osgi.command.function=mounts",
            "osgi.command.function=mount",
            "osgi.command.function=umount",
            "osgi.command.function=remount",
            "osgi.command.function=strategy",
            "osgi.command.function=replace",
            "osgi.command.function=orphans",
            "osgi.command.function=stats",
            "osgi.command.function=sync",
        })
public final class MountCommands {
    private static final long CONFIGURED_SECONDS = 60;

    private final Mounts mounts = new Mounts();
    private final ConfigurationAdmin configurations;

    @Activate
    public MountCommands(@Reference ConfigurationAdmin configurations) {
        this.configurations = configurations;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindMount(Mount mount, Map<String, Object> properties) {
        mounts.put(Known.of(mount, properties));
    }

    void updatedMount(Mount mount, Map<String, Object> properties) {
        mounts.put(Known.of(mount, properties));
    }

    void unbindMount(Mount mount) {
        mounts.remove(mount);
    }

    @Descriptor("lists what is configured: what is mounted, and why what isn't mounted isn't")
    public String mounts() {
        return Reports.mounts(mounts.list());
    }

    @Descriptor("lists what is configured, as ext4:mounts")
    public String mount() {
        return mounts();
    }

    @Descriptor("mounts again what is configured for a directory and isn't mounted")
    public void mount(CommandSession session, @Descriptor("mount point of a configuration") String directory)
            throws MountException {
        at(session, directory).mount();
    }

    @Descriptor("mounts an image or block device; without a file in the configuration folder it is forgotten when it is"
            + " unmounted")
    public void mount(
            CommandSession session,
            @Descriptor("mount options, comma-separated: ro, noatime, orphan=NAME ...")
                    @Parameter(
                            names = {"-o", "--options"},
                            absentValue = "")
                    String options,
            @Descriptor("image file or block device") String image,
            @Descriptor("directory to mount on") String directory)
            throws MountException, IOException, InterruptedException {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(Mount.IMAGE, path(session, image).toString());
        properties.put(Mount.MOUNTPOINT, path(session, directory).toString());
        properties.put(Mount.OPTIONS, options);
        Configuration configuration = configurations.createFactoryConfiguration(Mount.PID, "?");
        boolean up = false;
        try {
            configuration.update(properties);
            Mount mount = mounts.await(configuration.getPid(), CONFIGURED_SECONDS);
            up = mount.settled().join() == Mount.State.MOUNTED;
            if (!up) {
                throw new MountException(mount.failure());
            }
        } finally {
            if (!up) {
                configuration.delete();
            }
        }
    }

    @Descriptor("unmounts; returns when all is flushed and the image is clean. A configuration file stays, as a line of"
            + " fstab does")
    public void umount(CommandSession session, @Descriptor("mount point") String directory) throws MountException {
        at(session, directory).unmount();
    }

    @Descriptor("changes a mount between read-only and read-write, and writes it into the configuration")
    public void remount(
            CommandSession session, @Descriptor("mount point") String directory, @Descriptor("ro or rw") String options)
            throws MountException {
        at(session, directory).remount(options);
    }

    @Descriptor("shows the orphan strategy at work and those there are")
    public String strategy(CommandSession session, @Descriptor("mount point") String directory) throws MountException {
        return Reports.strategies(at(session, directory).strategies());
    }

    @Descriptor("switches the orphan strategy while it is mounted, and writes the name into the configuration")
    public String strategy(
            CommandSession session,
            @Descriptor("mount point") String directory,
            @Descriptor("name of the strategy") String name)
            throws MountException {
        return at(session, directory).strategy(name).text();
    }

    @Descriptor("replaces a part while it is mounted by the best that is there, also if it is the one at work")
    public String replace(
            CommandSession session,
            @Descriptor("mount point") String directory,
            @Descriptor("strategy, journal, core or transport") String part)
            throws MountException {
        return at(session, directory).replace(part(part), null).text();
    }

    @Descriptor("replaces a part while it is mounted, and writes the name into the configuration")
    public String replace(
            CommandSession session,
            @Descriptor("mount point") String directory,
            @Descriptor("strategy, journal, core or transport") String part,
            @Descriptor("name of what takes its place") String name)
            throws MountException {
        return at(session, directory).replace(part(part), name).text();
    }

    private static SwapReport.Part part(String word) throws MountException {
        SwapReport.Part part = SwapReport.Part.of(word);
        if (part == null) {
            throw new MountException("no part is called '" + word + "'; the parts are " + SwapReport.Part.words());
        }
        return part;
    }

    @Descriptor("lists the orphans: inodes whose deletion or truncation is not finished. Requests pause meanwhile")
    public String orphans(CommandSession session, @Descriptor("mount point") String directory) throws MountException {
        Mount mount = at(session, directory);
        return Reports.orphans(mount.orphans(), mount.fileSystem());
    }

    @Descriptor("shows state and counters of a mount")
    public String stats(CommandSession session, @Descriptor("mount point") String directory) throws MountException {
        return Reports.lines(at(session, directory).status());
    }

    @Descriptor("writes all changes of a mount to its device and waits for it, as syncfs(2)")
    public void sync(CommandSession session, @Descriptor("mount point") String directory) throws MountException {
        Mount mount = at(session, directory);
        if (mount.state() != Mount.State.MOUNTED) {
            throw new MountException(directory + ": not mounted");
        }
        mount.fileSystem().syncfs();
    }

    private Mount at(CommandSession session, String directory) throws MountException {
        return mounts.at(path(session, directory), directory);
    }

    private static Path path(CommandSession session, String given) {
        // Felix's shell keeps the folder of its cd in a variable, JLine's in the session
        Path folder = session.get("_cwd") instanceof File changed ? changed.toPath() : session.currentDir();
        return folder.resolve(given).toAbsolutePath().normalize();
    }
}
