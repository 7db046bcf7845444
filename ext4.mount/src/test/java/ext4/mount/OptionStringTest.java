// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ext4.api.fs.MountOptions;
import ext4.api.fs.MountOptions.Atime;
import ext4.api.fs.MountOptions.Errors;
import ext4.api.mount.MountException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionStringTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "defaults", "rw", ",rw,,relatime,", " rw , barrier "})
    void emptyMeansTheDefaultsOfTheFilesystem(String text) throws MountException {
        assertThat(OptionString.parse(text))
                .isEqualTo(new OptionString(MountOptions.DEFAULTS, null, null, null, false, List.of()));
    }

    @Test
    void everyWordSetsItsField() throws MountException {
        OptionString parsed = OptionString.parse(
                "ro,noload,sync,noatime,commit=12,nobarrier,errors=remount-ro,orphan=global,transport=fuse,allow_other");
        assertThat(parsed.options())
                .isEqualTo(new MountOptions(true, true, true, Atime.NOATIME, 12, false, Errors.REMOUNT_RO, false));
        assertThat(parsed.orphan()).isEqualTo("global");
        assertThat(parsed.transport()).isEqualTo("fuse");
        assertThat(parsed.allowOther()).isTrue();
    }

    @Test
    void theLastWordWins() throws MountException {
        OptionString parsed =
                OptionString.parse("ro,rw,noatime,strictatime,nobarrier,barrier,errors=remount-ro,errors=continue,"
                        + "commit=1,commit=0,orphan=a,orphan=b,sync,async");
        assertThat(parsed.options())
                .isEqualTo(new MountOptions(false, false, false, Atime.STRICT, 0, true, Errors.CONTINUE, false));
        assertThat(parsed.orphan()).isEqualTo("b");
    }

    @Test
    void whatTheKernelKeepsToIsHandedOn() throws MountException {
        assertThat(OptionString.parse("noexec,nosuid,nodev").flags()).containsExactly("nodev", "noexec", "nosuid");
        assertThat(OptionString.parse("nosuid,nodev,noexec,exec,dev").flags()).containsExactly("nosuid");
        assertThat(OptionString.parse("nosuid,defaults,noatime").flags()).containsExactly("noatime");
        assertThat(OptionString.parse("strictatime").flags()).containsExactly("strictatime");
    }

    @Test
    void sloppyIgnoresWhatIsUnknownAndNothingElse() throws MountException {
        OptionString parsed = OptionString.parse("nonsense,ro,sloppy,other=1");
        assertThat(parsed.options()).isEqualTo(MountOptions.DEFAULTS.withReadOnly(true));
        assertThatExceptionOfType(MountException.class).isThrownBy(() -> OptionString.parse("sloppy,commit=x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense | unknown mount option 'nonsense'",
                "ro,data=journal | unknown mount option 'data=journal'",
                "RO | unknown mount option 'RO'",
                "commit=x | bad mount option 'commit=x': commit= takes 0 to 86400 seconds",
                "commit | bad mount option 'commit': commit= takes 0 to 86400 seconds",
                "commit=-1 | bad mount option 'commit=-1': commit= takes 0 to 86400 seconds",
                "commit=86401 | bad mount option 'commit=86401': commit= takes 0 to 86400 seconds",
                "commit=99999999999 | bad mount option 'commit=99999999999': commit= takes 0 to 86400 seconds",
                "errors=panic | bad mount option 'errors=panic': errors= takes continue or remount-ro",
                "orphan= | bad mount option 'orphan=': orphan= takes the name of a strategy",
                "transport= | bad mount option 'transport=': transport= takes the name of a transport",
                "transport | bad mount option 'transport': transport= takes the name of a transport",
                "noload | mount option noload needs ro",
                "ro,noload,rw | mount option noload needs ro",
            })
    void aBadWordIsNamedInOneLine(String text, String message) {
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> OptionString.parse(text))
                .withMessage(message);
    }
}
