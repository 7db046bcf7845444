// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import ext4.bench.measure.Workload;
import ext4.bench.subject.Fuse2fs;
import ext4.bench.subject.Ground;
import ext4.bench.subject.InProcess;
import ext4.bench.subject.KernelMount;
import ext4.bench.subject.NullMount;
import ext4.bench.subject.OwnMount;
import ext4.bench.subject.Subject;
import java.util.ArrayList;
import java.util.List;

/** Which subjects a report is measured on. */
final class Lineup {
    private final Settings settings;
    private final Ground ground;

    Lineup(Settings settings, Ground ground) {
        this.settings = settings;
        this.ground = ground;
    }

    List<Subject> of(Workload workload, boolean journal) {
        List<Subject> subjects = new ArrayList<>();
        for (String strategy : settings.strategies()) {
            for (boolean always : removals(workload)) {
                if (settings.inProcess()) {
                    subjects.add(new InProcess(ground, strategy, always, journal, settings.direct()));
                }
            }
        }
        if (settings.mounted()) {
            for (String transport : settings.transports()) {
                for (String strategy : settings.strategies()) {
                    for (boolean always : removals(workload)) {
                        subjects.add(new OwnMount(ground, transport, strategy, always, journal));
                    }
                }
            }
        }
        settings.peers().forEach(peer -> addPeer(subjects, peer, journal));
        return subjects;
    }

    /** Only report 1 is about removing always: nothing but setattr is concerned. */
    private static List<Boolean> removals(Workload workload) {
        return workload instanceof Workload.Fchown ? List.of(true, false) : List.of(false);
    }

    private void addPeer(List<Subject> subjects, String peer, boolean journal) {
        switch (peer) {
            case "kernel-ext4" -> subjects.add(new KernelMount(ground, "ext4", journal));
            case "kernel-xfs" -> {
                if (journal) { // it always has one
                    subjects.add(new KernelMount(ground, "xfs", true));
                }
            }
            case "fuse2fs" -> subjects.add(new Fuse2fs(ground, journal));
            case "null" -> settings.transports().forEach(transport -> subjects.add(new NullMount(ground, transport)));
            default -> throw new IllegalArgumentException(peer);
        }
    }
}
