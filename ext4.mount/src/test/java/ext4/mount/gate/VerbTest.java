// SPDX-License-Identifier: Apache-2.0
package ext4.mount.gate;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.FileSystem;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerbTest {
    @Test
    void everyVerbOfTheContractHasARow() {
        List<String> rows = Arrays.stream(Verb.values()).map(Verb::text).toList();
        assertThat(Arrays.stream(FileSystem.class.getMethods()).map(Method::getName))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(rows).contains(name));
    }
}
