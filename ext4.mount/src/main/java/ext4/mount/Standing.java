// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.mount.Mount;
import ext4.api.mount.Mount.State;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Where a mount stands, as people see it. Changed on the coordinator's thread, but for its names; read by any. */
final class Standing {
    /** Written with this held. */
    private volatile String image;
    /** Written with this held. */
    private volatile String mountpoint;
    /** Whether image and mount point are those of a mount that is up or comes up. Guarded by this. */
    private boolean named;

    /** Replaced when what was unmounted is mounted again. */
    private volatile CompletableFuture<State> ended = new CompletableFuture<>();
    /** Replaced when a waiting mount tries again. */
    private volatile CompletableFuture<State> settled = new CompletableFuture<>();

    private volatile State state = State.MOUNTING;
    private volatile String failure;

    /** Image and mount point as the operator sees them: of the mount that is up, else as configured. */
    synchronized void name(Map<String, ?> properties) {
        if (!named) {
            image = MountConfig.text(properties, Mount.IMAGE);
            mountpoint = MountConfig.text(properties, Mount.MOUNTPOINT);
        }
    }

    /** Of the mount that is up or comes up; null if none is. */
    synchronized void name(MountConfig up) {
        named = up != null;
        if (named) {
            image = up.image();
            mountpoint = up.mountpoint();
        }
    }

    /** It tries to come up. */
    void tries() {
        if (state != State.MOUNTING) {
            settled = new CompletableFuture<>();
            state = State.MOUNTING;
        }
    }

    /** It is to be mounted, possibly again. */
    void begins() {
        if (ended.isDone()) {
            ended = new CompletableFuture<>();
        }
    }

    /** It stands where it stands, and why. */
    void settle(State now, String why) {
        failure = why;
        state = now;
        settled.complete(now);
    }

    /** It is over. */
    void ends() {
        ended.complete(state);
    }

    boolean isOver() {
        return ended.isDone();
    }

    /** A reason, with the image if it does not say of what it speaks. */
    String line(String why) {
        return why.contains(image) || why.contains(mountpoint) ? why : image + ": " + why;
    }

    String image() {
        return image;
    }

    String mountpoint() {
        return mountpoint;
    }

    State state() {
        return state;
    }

    String failure() {
        return failure;
    }

    CompletableFuture<State> settled() {
        return settled.copy();
    }

    CompletableFuture<State> ended() {
        return ended.copy();
    }
}
