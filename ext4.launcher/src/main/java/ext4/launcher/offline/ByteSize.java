// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes: digits, and K, M, G or T for powers of 1024. */
public final class ByteSize implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,15})([KMGT]?)");
    private static final String UNITS = "KMGT";

    @Override
    public Long convert(String text) {
        Matcher form = FORM.matcher(text.toUpperCase(Locale.ROOT));
        if (!form.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size such as 64M, 1G or 1048576");
        }
        int shift = form.group(2).isEmpty() ? 0 : 10 * (UNITS.indexOf(form.group(2)) + 1);
        long number = Long.parseLong(form.group(1));
        if (number == 0 || number > Long.MAX_VALUE >> shift) {
            throw new TypeConversionException("'" + text + "' is not a size that can be");
        }
        return number << shift;
    }
}
