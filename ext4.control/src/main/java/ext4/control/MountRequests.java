// SPDX-License-Identifier: Apache-2.0
package ext4.control;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.control.load.InodeTree;
import ext4.control.load.Load;
import ext4.control.socket.ControlServer;
import java.io.IOException;
import java.util.Map;

/** What can be asked of a mount through its socket. */
final class MountRequests implements ControlServer.Requests {
    private final Mount mount;
    private final boolean alone;

    /** @param alone whether this process is there for this mount only and ends with it */
    MountRequests(Mount mount, boolean alone) {
        this.mount = mount;
        this.alone = alone;
    }

    @Override
    public void answer(String[] words, ControlServer.Reply reply) throws MountException, IOException {
        switch (words[0]) {
            case "wait" -> settled(reply);
            case "status" -> status(reply);
            case "strategy" -> strategy(words, reply);
            case "replace" -> replace(words, reply);
            case "switches" -> {
                for (SwapReport report : mount.switches()) {
                    reply.line(report.text());
                }
            }
            case "umount" -> {
                if (alone) {
                    reply.line(Long.toString(ProcessHandle.current().pid()));
                }
                mount.unmount();
            }
            case "restart" -> {
                if (!alone) {
                    throw new MountException(mount.mountpoint()
                            + ": its process serves others too, and is not restarted" + " for one mount");
                }
                reply.line(mount.restart());
            }
            case "remount" -> mount.remount(words.length > 1 ? words[1] : "");
            case "load" -> load(words, reply);
            default -> throw new MountException("unknown request '" + words[0] + "'");
        }
    }

    /** Waits until the mount is up or has failed. */
    private void settled(ControlServer.Reply reply) throws MountException, IOException {
        Mount.State state = mount.settled().join();
        if (state != Mount.State.MOUNTED) {
            throw new MountException(mount.failure());
        }
        reply.line(Long.toString(ProcessHandle.current().pid()));
    }

    private void status(ControlServer.Reply reply) throws IOException {
        for (Map.Entry<String, String> line : mount.status().entrySet()) {
            reply.line(line.getKey() + ": " + line.getValue());
        }
    }

    private void strategy(String[] words, ControlServer.Reply reply) throws MountException, IOException {
        if (words.length > 1) {
            reply.line(mount.strategy(words[1]).text());
            return;
        }
        Mount.Strategies strategies = mount.strategies();
        reply.line("current: " + (strategies.current() == null ? "missing" : strategies.current()));
        reply.line("named: " + (strategies.named() == null ? "none, ranking decides" : strategies.named()));
        reply.line("available: " + String.join(", ", strategies.available()));
    }

    /** {@code replace PART [NAME]}. */
    private void replace(String[] words, ControlServer.Reply reply) throws MountException, IOException {
        SwapReport.Part part = words.length > 1 ? SwapReport.Part.of(words[1]) : null;
        if (part == null || words.length > 3) {
            throw new MountException(
                    "replace takes a part and perhaps a name; the parts are " + SwapReport.Part.words());
        }
        reply.line(mount.replace(part, words.length > 2 ? words[2] : null).text());
    }

    /** {@code load DIRECTORY DIRS FILES}: the workload on a mount that has no mount point. */
    private void load(String[] words, ControlServer.Reply reply) throws MountException, IOException {
        if (words.length != 4 || !words[2].matches("[0-9]{1,3}") || !words[3].matches("[0-9]{1,7}")) {
            throw new MountException("load takes a name, a number of directories and a number of files");
        }
        try {
            new Load(Integer.parseInt(words[2]), Integer.parseInt(words[3]), reply::line)
                    .run(new InodeTree(mount.fileSystem(), words[1]));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MountException("interrupted");
        }
    }
}
