// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

/**
 * Report 2: empty files in 8 directories, made, found and removed by tasks side by side, as fs_mark, find and rm do. A
 * task works on every n-th directory, in order.
 */
public final class TreeLoad {
    /** Directories of the report. */
    public static final int DIRECTORIES = 8;

    private static final Tasks.Work NOTHING = (task, hands) -> {};

    private final Place place;
    private final int tasks;
    private final int files;
    private long usedBefore = -1;

    /** @param files in each directory */
    public TreeLoad(Place place, int tasks, int files) {
        this.place = place;
        this.tasks = tasks;
        this.files = files;
    }

    /** Makes directories, which is not measured, and files. */
    public Outcome create() throws InterruptedException {
        usedBefore = place.usedInodes();
        return measured(
                (task, hands) -> each(task, hands::makeDirectory),
                (task, hands) -> each(task, directory -> {
                    for (int file = 0; file < files; file++) {
                        hands.create(directory, file);
                    }
                }),
                NOTHING);
    }

    /** Walks over all files with their attributes. */
    public Outcome find() throws InterruptedException {
        return measured(
                NOTHING,
                (task, hands) -> each(task, directory -> {
                    long found = hands.walk(directory);
                    if (found != files) {
                        throw new FailedCall("walk", found + " files found, " + files + " were made");
                    }
                }),
                NOTHING);
    }

    /** Removes files and, which is not measured, directories. Ends when the last inode is free. */
    public Outcome remove() throws InterruptedException {
        Tasks ran = Tasks.run(
                place,
                tasks,
                NOTHING,
                (task, hands) -> each(task, directory -> {
                    for (int file = 0; file < files; file++) {
                        hands.unlink(directory, file);
                    }
                }),
                NOTHING,
                () -> {});
        place.awaitUsedInodes(usedBefore + DIRECTORIES);
        long settled = System.nanoTime() - ran.begin();
        Tasks.run(place, tasks, NOTHING, (task, hands) -> each(task, hands::removeDirectory), NOTHING, () -> {});
        place.awaitUsedInodes(usedBefore);
        return new Outcome(operations(), ran.ends(), settled);
    }

    private Outcome measured(Tasks.Work prepare, Tasks.Work work, Tasks.Work finish) throws InterruptedException {
        Tasks ran = Tasks.run(place, tasks, prepare, work, finish, () -> {});
        return new Outcome(operations(), ran.ends(), 0);
    }

    @FunctionalInterface
    private interface OnDirectory {
        void run(int directory);
    }

    private void each(int task, OnDirectory work) {
        for (int directory = task; directory < DIRECTORIES; directory += tasks) {
            work.run(directory);
        }
    }

    private long[] operations() {
        long[] operations = new long[tasks];
        for (int task = 0; task < tasks; task++) {
            int number = task;
            each(task, directory -> operations[number] += files);
        }
        return operations;
    }
}
