// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.FileSystem;
import ext4.api.fs.SwapReport;
import ext4.bench.Stack;
import ext4.bench.load.CorePlace;
import ext4.bench.load.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** An image brought to life in this process. */
final class CoreWorkplace implements Workplace {
    /** Option: setattr always takes the inode off the orphan list. */
    static final String ALWAYS = "always-remove";
    /** Option: call the core itself, without the gate of a mount. */
    static final String DIRECT = "direct";
    /** Option: seconds between commits. */
    static final String COMMIT = "commit=";

    private final BlockDevice device;
    private final CoreFileSystem core;
    private final CorePlace place;

    private CoreWorkplace(BlockDevice device, CoreFileSystem core, FileSystem verbs) {
        this.device = device;
        this.core = core;
        this.place = new CorePlace(verbs, core);
    }

    /** Words: {@code core IMAGE STRATEGY OPTION...}. */
    static CoreWorkplace open(String[] words) {
        List<String> options = List.of(words).subList(3, words.length);
        boolean always = options.contains(ALWAYS);
        int commit = options.stream()
                .filter(option -> option.startsWith(COMMIT))
                .mapToInt(option -> Integer.parseInt(option.substring(COMMIT.length())))
                .findFirst()
                .orElse(0);
        BlockDevice device = Stack.open(Path.of(words[1]));
        CoreFileSystem core = Stack.mount(device, words[2], always, commit);
        return new CoreWorkplace(device, core, options.contains(DIRECT) ? core : Stack.gated(core, always));
    }

    @Override
    public Place place(String name) {
        return place;
    }

    @Override
    public String switchTo(String name, String strategy) {
        SwapReport report = core.swapOrphanStrategy(strategy, Stack.strategy(strategy));
        return report.from() + " -> " + report.to() + ": " + report.orphansCarried() + " orphans carried, pause "
                + report.pauseMicros() + " us, " + report.diskChanges() + " orphan records flushed";
    }

    @Override
    public boolean own(String[] words, Consumer<String> answer) throws InterruptedException {
        switch (words[0]) {
            case "status" -> core.status().forEach((name, value) -> answer.accept(name + ": " + value));
            case "profile" -> new ProfiledLoad(place).record(words, answer);
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        core.close();
        device.close();
    }
}
