// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

/** What makes an operation durable. */
public enum Sync {
    FILE,
    DIRECTORY,
    ALL;

    void run(World world) {
        switch (this) {
            case FILE -> world.syncSubject(false);
            case DIRECTORY -> world.syncDirectory();
            case ALL -> world.sync();
        }
    }
}
