// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;

/** As fsx: random changes and reads of a few files, one of them without a name. */
final class DataWorker implements Worker {
    private static final int NAMED = 3;

    private final Hands hands;
    private final String directory;
    private final Random random;
    private final List<DataFile> files = new ArrayList<>();

    DataWorker(Hands hands, String directory, long seed) {
        this.hands = hands;
        this.directory = directory;
        random = new Random(seed);
    }

    @Override
    public void begin() {
        hands.must("mkdir", directory, hands.calls.mkdir(Hands.HERE, Hands.bytes(directory), 0700));
        for (int i = 0; i <= NAMED; i++) {
            DataFile file = new DataFile(hands, directory + "/data" + i, random);
            file.create();
            files.add(file);
        }
        files.getLast().unlink();
    }

    @Override
    public void step() {
        files.get(random.nextInt(files.size())).step();
    }

    @Override
    public void expectations(BiConsumer<String, String> each) {
        for (DataFile file : files) {
            if (file.named()) {
                each.accept(file.path(), file.description());
            } else {
                file.verify(true);
            }
        }
    }

    @Override
    public void end() {
        files.forEach(DataFile::close);
    }
}
