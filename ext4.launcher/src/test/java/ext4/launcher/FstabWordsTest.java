// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FstabWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rw,orphan=global | rw,orphan=global | false",
                "noauto,nofail,_netdev,x-systemd.automount,X-a=b,comment=c,helper=fuse.ext4j,ro | ro | false",
                "user,exec,rw | nosuid,nodev,noexec,exec,rw | false",
                "users=,auto | users= | false",
                "user=jane | nosuid,nodev,noexec | false",
                "owner,rw | nosuid,nodev,rw | false",
                "rw,user_id=0,group_id=0,default_permissions,remount,ro | rw,default_permissions,ro | true",
                "user_id=0 | user_id=0 | false",
            })
    void onlyWhatTheFilesystemHasToKnowIsLeft(String words, String left, boolean remount) {
        assertThat(FstabWords.of(words)).isEqualTo(new FstabWords(left, remount));
    }
}
