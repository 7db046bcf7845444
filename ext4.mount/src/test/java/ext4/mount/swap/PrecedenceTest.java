// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrecedenceTest {
    /** Services are written {@code id:name@ranking}. */
    @ParameterizedTest(name = "named {0}, fallback {1}, services {2}: {3}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // none named: ranking decides, among equals the older one
                "- | - | 1:global@0 2:sharded@0 | 1",
                "- | - | 1:global@0 2:sharded@5 | 2",
                "- | - | 2:sharded@0 1:global@0 | 1",
                "- | - | 1:global@-1 2:sharded@0 | 2",
                "- | - | 1:global@-2147483648 2:sharded@2147483647 | 2",
                "- | - | '' | -",
                // a named one wins over any ranking
                "global | - | 1:global@-9 2:sharded@100 | 1",
                "sharded | - | 1:global@9 2:sharded@0 | 2",
                // two of one name: ranking decides
                "global | - | 1:global@0 3:global@7 2:sharded@100 | 3",
                "global | - | 3:global@7 1:global@7 2:sharded@100 | 1",
                // a named one that is not there is missing
                "global | - | 2:sharded@100 | -",
                "global | - | '' | -",
                // unless a fallback is named
                "global | sharded | 2:sharded@0 3:other@100 | 2",
                "global | sharded | 1:global@-5 2:sharded@100 | 1",
                "global | sharded | 3:other@100 | -",
                // a fallback alone says nothing
                "- | global | 1:global@0 2:sharded@5 | 2",
            })
    void choice(String named, String fallback, String services, Long expected) {
        Candidates<String> candidates = new Candidates<>();
        for (String service : services.split(" ")) {
            if (!service.isEmpty()) {
                candidates.put(parse(service));
            }
        }
        Candidate<String> chosen = new Precedence(named, fallback).choose(candidates, c -> true);
        assertThat(chosen == null ? null : chosen.id()).isEqualTo(expected);
    }

    private static Candidate<String> parse(String text) {
        String[] part = text.split("[:@]");
        return new Candidate<>(part[0], part[1], Integer.parseInt(part[2]), Long.parseLong(part[0]), text);
    }
}
