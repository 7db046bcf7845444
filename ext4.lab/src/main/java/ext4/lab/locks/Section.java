// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

/**
 * What is held like a lock without being one: a thread is in it from the end of one method to the end of another.
 *
 * @param name what it is called here and in ARCHITECTURE.md
 * @param owner internal name of the class with both methods
 * @param method the one that enters, and may wait first
 * @param exit the one that leaves; null if it is only waited for and never held
 */
record Section(String name, String owner, String method, String exit) {
    /** Those of the journal and of the mount's gate. */
    static final Section[] ALL = {
        new Section("request", "ext4/mount/gate/Gate", "enter", "leave"),
        new Section("wait for a handle", "ext4/journal/engine/Engine", "join", null),
        new Section("handle", "ext4/journal/engine/Engine", "join", "leave"),
        new Section("barrier", "ext4/journal/engine/HandleGate", "raiseBarrier", "lowerBarrier"),
        new Section("handles locked", "ext4/journal/engine/HandleGate", "lockHandles", "unlockHandles"),
        new Section("wait for a commit", "ext4/journal/engine/Committer", "await", null),
    };
}
