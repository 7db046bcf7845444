// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A filesystem of the kernel on a loop device. */
public final class KernelMount extends Mounted {
    private static final int DETACH_TRIES = 50;
    private static final long TRY_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String type;
    private final boolean journal;

    /** @param type {@code ext4} or {@code xfs} */
    public KernelMount(Ground ground, String type, boolean journal) {
        super(Label.peer("kernel " + type), ground);
        this.type = type;
        this.journal = journal;
    }

    @Override
    public void start() throws Unavailable, IOException, InterruptedException {
        String name = ground().name(type);
        Path image;
        String options;
        if (type.equals("xfs")) {
            String mkfs = Commands.find("mkfs.xfs");
            image = ground().emptyImage(name);
            Commands.run(mkfs, "-q", image.toString());
            options = "rw";
        } else {
            image = ground().image(name, journal);
            options = journal ? "commit=" + ground().commitSeconds() : "rw";
        }
        String device = Commands.run(Commands.find("losetup"), "-f", "--show", image.toString());
        ground().cleanup().add(() -> detach(device, image));
        Path directory = prepare(name);
        Commands.run(Commands.find("mount"), "-t", type, "-o", options, device, directory.toString());
    }

    /** A device that is in use goes when its mount does; its image must not be deleted under it. */
    private static void detach(String device, Path image) {
        try {
            Commands.run("losetup", "-d", device);
            for (int i = 0; i < DETACH_TRIES && isAttached(image); i++) {
                LockSupport.parkNanos(TRY_AGAIN_NANOS);
            }
        } catch (Unavailable | IOException e) {
            System.err.println("bench: " + device + " is left behind: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isAttached(Path image) throws Unavailable, IOException, InterruptedException {
        return !Commands.run("losetup", "-j", image.toString()).isEmpty();
    }

    @Override
    public boolean fast() {
        return true;
    }

    @Override
    Process server() {
        return null;
    }
}
