// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ext4.api.fs.SwapReport;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.api.orphan.OrphanStrategy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrategySwitchTest {
    private final Candidates<OrphanStrategy> services = new Candidates<>();
    private final Target target = new Target();
    private StrategySwitch strategies;

    /** A filesystem that only notes what it is told. */
    private static final class Target implements StrategyTarget {
        final List<String> log = new ArrayList<>();
        String refuses = "";

        @Override
        public SwapReport swap(String name, OrphanStrategy strategy) {
            if (name.equals(refuses)) {
                throw new IllegalStateException("no memory");
            }
            log.add("swap " + name);
            return new SwapReport("?", name, 3, 40, 1);
        }

        @Override
        public SwapReport detach() {
            log.add("detach");
            return new SwapReport("?", "none", 3, 40, 1);
        }

        @Override
        public void attached() {
            log.add("open");
        }

        @Override
        public void missing(String remedy) {
            log.add("close");
        }
    }

    private static final class Unused implements OrphanStrategy {
        @Override
        public OrphanList attach(OrphanStore store, List<OrphanPlace> present) {
            throw new AssertionError("the target attaches");
        }
    }

    private void mountedWith(String first, String named, String fallback, String... present) {
        for (int i = 0; i < present.length; i++) {
            services.put(service(present[i], 0, i));
        }
        strategies = new StrategySwitch(
                "/mnt", services, new Precedence(named, fallback), services.best(c -> first.equals(c.name())), target);
    }

    private static Candidate<OrphanStrategy> service(String name, int ranking, long id) {
        return new Candidate<>(name + id, name, ranking, id, new Unused());
    }

    private void comes(String name, int ranking, long id) {
        services.put(service(name, ranking, id));
        strategies.changed(name + id);
    }

    private void goes(String key) {
        services.remove(key);
        strategies.changed(key);
    }

    @Test
    void byName() throws MountException {
        mountedWith("global", null, null, "global", "sharded");
        assertThat(strategies.choose("sharded").to()).isEqualTo("sharded");
        assertThat(target.log).containsExactly("swap sharded");
        assertThat(strategies.strategies().named()).isEqualTo("sharded");
        comes("other", 100, 7); // ranking no longer matters
        assertThat(target.log).containsExactly("swap sharded");
        assertThat(strategies.choose("sharded").pauseMicros()).isZero();
        assertThat(strategies.reports()).hasSize(1);
    }

    @Test
    void byAnUnknownName() {
        mountedWith("global", null, null, "global", "sharded");
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> strategies.choose("fast"))
                .withMessage("unknown orphan strategy 'fast'; available: global, sharded");
        assertThat(strategies.strategies().current()).isEqualTo("global");
    }

    @Test
    void byConfiguration() {
        mountedWith("global", "global", null, "global", "sharded");
        strategies.precedence(new Precedence("sharded", null));
        strategies.precedence(new Precedence("sharded", null));
        assertThat(target.log).containsExactly("swap sharded");
    }

    @Test
    void aConfiguredNameThatIsNotThereLeavesTheOldOneUntilItComes() {
        mountedWith("global", "global", null, "global");
        strategies.precedence(new Precedence("sharded", null));
        assertThat(target.log).isEmpty();
        assertThat(strategies.trouble()).isEqualTo("orphan strategy 'sharded' is not there");
        comes("sharded", 0, 9);
        assertThat(target.log).containsExactly("swap sharded");
        assertThat(strategies.trouble()).isNull();
    }

    @Test
    void byRanking() {
        mountedWith("global", null, null, "global");
        comes("sharded", 1, 9);
        assertThat(target.log).containsExactly("swap sharded");
        services.put(service("sharded", -1, 9));
        strategies.changed("sharded9");
        assertThat(target.log).containsExactly("swap sharded", "swap global");
    }

    @Test
    void aBetterServiceOfTheSameName() {
        mountedWith("global", "global", null, "global");
        comes("global", 5, 9);
        assertThat(target.log).containsExactly("swap global");
        goes("global9");
        assertThat(target.log).containsExactly("swap global", "swap global");
    }

    @Test
    void whenNoneIsNamedTheNextTakesOver() {
        mountedWith("global", null, null, "global", "sharded");
        goes("global0");
        assertThat(target.log).containsExactly("swap sharded");
    }

    @Test
    void aNamedOneThatVanishesIsMissingUntilItComesBack() {
        mountedWith("global", "global", null, "global", "sharded");
        goes("global0");
        assertThat(target.log).containsExactly("close", "detach");
        assertThat(strategies.strategies().current()).isNull();
        comes("other", 100, 5);
        assertThat(target.log).containsExactly("close", "detach");
        comes("global", 0, 6);
        assertThat(target.log).containsExactly("close", "detach", "swap global", "open");
    }

    @Test
    void whileMissingTheOperatorMayNameAnother() throws MountException {
        mountedWith("global", "global", null, "global", "sharded");
        goes("global0");
        strategies.choose("sharded");
        assertThat(target.log).containsExactly("close", "detach", "swap sharded", "open");
    }

    @Test
    void aFallbackTakesOverAndGivesBack() {
        mountedWith("global", "global", "sharded", "global", "sharded");
        goes("global0");
        assertThat(target.log).containsExactly("swap sharded");
        comes("global", 0, 6);
        assertThat(target.log).containsExactly("swap sharded", "swap global");
    }

    @Test
    void whatRefusesLeavesTheOldOneAtWorkWithTheReason() {
        mountedWith("global", "global", null, "global", "sharded");
        target.refuses = "sharded";
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> strategies.choose("sharded"))
                .withMessage("orphan strategy 'sharded' refused: no memory");
        assertThat(strategies.strategies().current()).isEqualTo("global");
        assertThat(strategies.strategies().named()).isEqualTo("global");
        strategies.precedence(new Precedence("sharded", null));
        assertThat(strategies.trouble()).isEqualTo("orphan strategy 'sharded' refused: no memory");
        assertThat(strategies.reports()).isEmpty();
        target.refuses = "";
        strategies.changed("sharded1");
        assertThat(target.log).containsExactly("swap sharded");
    }

    @Test
    void ifTheNextOneRefusesTooTheOneAfterIsTried() {
        mountedWith("global", null, null, "global", "sharded", "other");
        target.refuses = "sharded";
        goes("global0");
        assertThat(target.log).containsExactly("swap other");
        assertThat(strategies.trouble()).isEqualTo("orphan strategy 'sharded' refused: no memory");
    }

    @Test
    void ifAllRefuseItIsMissing() {
        mountedWith("global", null, null, "global", "sharded");
        target.refuses = "sharded";
        goes("global0");
        assertThat(target.log).containsExactly("close", "detach");
    }

    @Test
    void reportsAreKeptInBounds() throws MountException {
        mountedWith("global", null, null, "global", "sharded");
        for (int i = 0; i < 500; i++) {
            strategies.choose(i % 2 == 0 ? "sharded" : "global");
        }
        assertThat(strategies.reports()).hasSize(256);
    }
}
