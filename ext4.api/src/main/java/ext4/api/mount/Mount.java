// SPDX-License-Identifier: Apache-2.0
package ext4.api.mount;

import ext4.api.fs.FileSystem;
import ext4.api.fs.SwapReport;
import ext4.api.orphan.OrphanPlace;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Service: one configured mount, from the moment its configuration exists until it is deleted. Any thread may call any
 * method.
 */
@ProviderType
public interface Mount {
    /** Factory PID of the configurations. */
    String PID = "ext4.mount";
    /** Configuration and service property: what is mounted, a path or {@code scheme:rest}. */
    String IMAGE = "image";
    /** Configuration and service property: absolute path of the mount point. */
    String MOUNTPOINT = "mountpoint";
    /** Configuration property: options in mount(8)'s form, for example {@code ro,noatime}. */
    String OPTIONS = "options";
    /**
     * Configuration property: name of the transport; {@link #NO_TRANSPORT} for use within this process only. A change from
     * one transport to another replaces it on the running mount.
     */
    String TRANSPORT = "transport";
    /** Value of {@link #TRANSPORT}: no mount point, {@link #fileSystem} is the only way in. */
    String NO_TRANSPORT = "none";
    /** Configuration property: the journal provider by name. A change replaces it on the running mount. */
    String JOURNAL = "journal";
    /** Configuration property: the core by name. A change replaces it on the running mount. */
    String CORE = "core";
    /** Configuration property: the orphan strategy by name. A change switches it on the running mount. */
    String STRATEGY = "orphan.strategy";
    /** Configuration property: the strategy to use while the named one is not there. */
    String FALLBACK = "orphan.fallback";
    /** Configuration property: seconds a request waits for a missing part before it fails with EIO. */
    String PART_LIMIT = "part.limit";
    /** Configuration property: the {@link ext4.api.keep.Keeper} by name, by which it outlives its process. */
    String KEEPER = "keeper";

    /** Where a mount stands. */
    enum State {
        /** It has not come up because a part is not there; it will when the part comes. */
        WAITING,
        /** It is coming up. */
        MOUNTING,
        /** It serves requests. */
        MOUNTED,
        /** It did not come up, or did not end well: {@link Mount#failure}. */
        FAILED,
        /** It is unmounted and the image is clean. */
        UNMOUNTED,
        /** Another process serves it, see {@link Mount#restart}. */
        HANDED_OVER
    }

    /** What is mounted. */
    String image();

    /** Where it is mounted. */
    String mountpoint();

    /** Where it stands. */
    State state();

    /** Why it is {@link State#WAITING} or {@link State#FAILED}, in one line; else null. */
    String failure();

    /**
     * Why its configuration, as it reads now, is not what is at work: one line that names what was refused; null if it
     * is. The mount goes on as it was before the change.
     */
    String refusal();

    /** Completes with the state when it is no longer {@link State#MOUNTING}. */
    CompletableFuture<State> settled();

    /**
     * Completes when this process serves it no more: the mount point is gone, by {@link #unmount}, umount(8) or the end of
     * the configuration, or it is handed over.
     */
    CompletableFuture<State> ended();

    /**
     * The verbs, behind the gate.
     *
     * @throws ext4.api.fs.ErrnoException ENODEV if it is not mounted
     */
    FileSystem fileSystem();

    /** The strategy at work, the one that is named, those there are. */
    Strategies strategies();

    /**
     * Switches to the orphan strategy of that name and writes the name into the configuration.
     *
     * @return what the switch did; from and to are the same if the strategy was at work already
     * @throws MountException with the reason, if there is no such strategy or it refused: the old one stays at work
     */
    SwapReport strategy(String name) throws MountException;

    /**
     * What can be said of a part of the mount by name: which is at work, which is named, which there are. Of a mount without
     * a transport nothing is at work there.
     */
    Choice choice(SwapReport.Part part);

    /**
     * Replaces a part while it is mounted. Callers of verbs see a pause and nothing else.
     *
     * @param name the service to go on with, which from then on is the named one, as with {@link #strategy}; null for the
     *     best that is there, also if it is the one at work: that is renewed then, and the configuration stays
     * @return what it did; from and to are the same, and the pause is zero, if the named one was at work already
     * @throws MountException with the reason, if there is none or it refused: what was at work goes on, and what was missing
     *     is still missing
     */
    SwapReport replace(SwapReport.Part part, String name) throws MountException;

    /**
     * Changes between read-only and read-write while it is mounted, and writes the options into the configuration. In the
     * read-only state the image is clean. Running requests end first; those that would change something answer EROFS from
     * then on.
     *
     * @param options in mount(8)'s form; what they do not name stays as it is, and only ro and rw can be changed
     * @throws MountException with the reason: the mount point is busy, as files are open for writing or unlinked files
     *     are open; the filesystem can't be written; another option would change. Everything is as it was then
     */
    void remount(String options) throws MountException;

    /** The latest replacements of any part, the oldest first; only so many are kept. */
    List<SwapReport> switches();

    /**
     * The orphans now, and where each stands on disk. It takes the barrier, as a switch does: callers of verbs see a
     * pause.
     *
     * @throws MountException if it is not mounted
     */
    List<OrphanPlace> orphans() throws MountException;

    /** State for people, by name in a stable order. */
    Map<String, String> status();

    /**
     * Mounts again, from its configuration as it reads now, what is unmounted or did not come up; does nothing if it is
     * mounted.
     *
     * @throws MountException with the reason if it does not come up
     */
    void mount() throws MountException;

    /**
     * Unmounts and deletes the configuration; returns when everything is flushed and the image is clean. A configuration
     * that lies in a file of an operator stays, as a line of fstab does: {@link #mount}, or a change of the file, mounts
     * again.
     *
     * @throws MountException if the mount point is busy (the mount goes on), or something could not be written
     */
    void unmount() throws MountException;

    /**
     * Has another process go on with it, as a keeper can: callers wait meanwhile, and none of their calls fails. Returns
     * when that one serves; {@link #ended} completes, and this process is of no use to the mount any more.
     *
     * @return what happened, for people
     * @throws MountException with the reason, if there is no keeper or the other process could not: the mount goes on here
     */
    default String restart() throws MountException {
        throw new MountException("this mount can't be handed to another process");
    }

    /**
     * The strategies of a mount.
     *
     * @param current the one at work, null while it is missing
     * @param named the one that the configuration names, null if ranking decides
     * @param available names of all that are there, sorted
     */
    record Strategies(String current, String named, List<String> available) {}

    /**
     * The services for a part of a mount.
     *
     * @param current the one at work, null while it is missing
     * @param named the one that the configuration names, null if ranking decides
     * @param available names of all that are there, sorted
     */
    record Choice(String current, String named, List<String> available) {}
}
