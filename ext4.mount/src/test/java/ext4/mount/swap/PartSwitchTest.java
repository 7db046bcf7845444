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
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PartSwitchTest {
    private final Candidates<OrphanStrategy> services = new Candidates<>();
    private final Target target = new Target();
    private final SwapLog swaps = new SwapLog("/mnt", List.of(target.heard::add));
    private PartSwitch<OrphanStrategy> strategies;

    /** A filesystem that only notes what it is told. */
    private static final class Target implements PartTarget<OrphanStrategy> {
        final List<String> log = new ArrayList<>();
        final List<SwapEvent> heard = new ArrayList<>();
        String refuses = "";
        String loses = "";
        String unfit = "";
        String told;
        boolean stays;

        @Override
        public SwapReport swap(Candidate<OrphanStrategy> from, Candidate<OrphanStrategy> to) {
            if (to.name().equals(loses)) {
                throw new PartLostException("neither");
            }
            if (to.name().equals(refuses)) {
                throw new IllegalStateException("no memory");
            }
            log.add("swap " + to.name());
            if (from == null) {
                log.add("open");
            }
            return new SwapReport("?", to.name(), 3, 40, 1);
        }

        @Override
        public SwapReport detach(Candidate<OrphanStrategy> from, Supplier<String> remedy) {
            if (stays) {
                throw new IllegalStateException("a request runs");
            }
            log.add("close");
            log.add("detach");
            told = remedy.get();
            return new SwapReport("?", "none", 3, 40, 1);
        }

        @Override
        public String unfit(Candidate<OrphanStrategy> candidate) {
            return candidate.name().equals(unfit) ? "it is of another kind" : null;
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
        strategies = new PartSwitch<>(
                SwapReport.Part.STRATEGY,
                "/mnt",
                services,
                new Precedence(named, fallback),
                services.best(c -> first.equals(c.name())),
                target,
                swaps);
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
        assertThat(strategies.choice().named()).isEqualTo("sharded");
        comes("other", 100, 7); // ranking no longer matters
        assertThat(target.log).containsExactly("swap sharded");
        assertThat(strategies.choose("sharded").pauseMicros()).isZero();
        assertThat(swaps.reports()).hasSize(1);
    }

    @Test
    void byAnUnknownName() {
        mountedWith("global", null, null, "global", "sharded");
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> strategies.choose("fast"))
                .withMessage("unknown orphan strategy 'fast'; available: global, sharded");
        assertThat(strategies.choice().current()).isEqualTo("global");
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
        assertThat(strategies.choice().current()).isNull();
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
        assertThat(strategies.choice().current()).isEqualTo("global");
        assertThat(strategies.choice().named()).isEqualTo("global");
        strategies.precedence(new Precedence("sharded", null));
        assertThat(strategies.trouble()).isEqualTo("orphan strategy 'sharded' refused: no memory");
        assertThat(swaps.reports()).isEmpty();
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
        assertThat(swaps.reports()).hasSize(256);
    }

    @Test
    void theBestIsRenewed() throws MountException {
        mountedWith("global", null, null, "global", "sharded");
        assertThat(strategies.renew().to()).isEqualTo("global");
        assertThat(target.log).containsExactly("swap global");
        assertThat(strategies.choice().named()).isNull();
        strategies.choose("sharded");
        strategies.renew();
        assertThat(target.log).containsExactly("swap global", "swap sharded", "swap sharded");
    }

    @Test
    void whatIsOfAnotherKindIsPassedOverAndRefusedByName() {
        mountedWith("global", null, null, "global");
        target.unfit = "odd";
        comes("odd", 100, 7);
        assertThat(target.log).isEmpty();
        assertThat(strategies.trouble()).isNull();
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> strategies.choose("odd"))
                .withMessage("orphan strategy 'odd' refused: it is of another kind");
        strategies.precedence(new Precedence("odd", null));
        assertThat(strategies.trouble()).isEqualTo("orphan strategy 'odd' refused: it is of another kind");
        assertThat(strategies.choice().current()).isEqualTo("global");
    }

    @Test
    void ifNeitherWorksAnyMoreItIsMissingUntilOneDoes() {
        mountedWith("global", null, null, "global", "sharded");
        target.loses = "sharded";
        target.refuses = "global";
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> strategies.choose("sharded"))
                .withMessage("orphan strategy 'sharded' refused: neither");
        assertThat(strategies.choice().current()).isNull();
        assertThat(swaps.counts(SwapReport.Part.STRATEGY)).isEqualTo("0 replaced, 2 refused, 1 missing");
        target.refuses = "";
        strategies.retry();
        assertThat(strategies.choice().current()).isEqualTo("global");
    }

    @Test
    void whatCannotBePutOutOfUseGoesOnAlthoughItsServiceIsGone() {
        mountedWith("global", "global", null, "global");
        target.stays = true;
        goes("global0");
        assertThat(strategies.choice().current()).isEqualTo("global");
        assertThat(strategies.trouble())
                .isEqualTo("orphan strategy 'global' is gone, but could not be put out of use: a request runs");
        comes("global", 0, 5);
        assertThat(target.log).containsExactly("swap global");
        assertThat(strategies.trouble()).isNull();
    }

    @Test
    void theRemedySaysWhatToStart() {
        mountedWith("global", "global", null, "global", "sharded");
        goes("global0");
        assertThat(target.told)
                .isEqualTo(
                        "start a bundle that provides orphan strategy 'global' ('global' was of its bundle), or choose"
                                + " one that is there: sharded");
    }

    @Test
    void eachOutcomeIsHeardOf() throws MountException {
        mountedWith("global", "global", null, "global", "sharded");
        strategies.choose("sharded");
        target.refuses = "global";
        assertThatExceptionOfType(MountException.class).isThrownBy(() -> strategies.choose("global"));
        goes("sharded1");
        assertThat(target.heard)
                .extracting(SwapEvent::outcome)
                .containsExactly(SwapEvent.Outcome.REPLACED, SwapEvent.Outcome.REFUSED, SwapEvent.Outcome.MISSING);
        assertThat(target.heard.get(1).reason()).isEqualTo("orphan strategy 'global' refused: no memory");
        assertThat(target.heard.get(1).report().from()).isEqualTo("sharded");
        assertThat(target.heard.get(2).reason()).isEqualTo(target.told);
    }
}
