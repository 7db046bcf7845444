// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One operation, and a line of a script. Names are bytes: a character each, from 0 to 255.
 *
 * @param verb what is done
 * @param arguments as {@link Verb#arguments} says
 */
record Step(Verb verb, List<String> arguments) {
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:";
    private static final int RADIX = 16;

    Step {
        arguments = List.copyOf(arguments);
        if (arguments.size() != verb.arguments().length()) {
            throw new IllegalArgumentException(
                    verb + " takes " + verb.arguments().length() + " arguments, not " + arguments.size());
        }
        for (int i = 0; i < arguments.size(); i++) {
            char kind = verb.arguments().charAt(i);
            if (kind == 'N' || kind == 'S') {
                long number = Long.parseLong(arguments.get(i));
                if (kind == 'S' && (number < 0 || number >= Calls.SLOTS)) {
                    throw new IllegalArgumentException("there is no slot " + number);
                }
            }
        }
    }

    static Step of(Verb verb, Object... arguments) {
        List<String> texts = new ArrayList<>();
        for (Object argument : arguments) {
            texts.add(argument.toString());
        }
        return new Step(verb, texts);
    }

    String text(int argument) {
        return arguments.get(argument);
    }

    long number(int argument) {
        return Long.parseLong(arguments.get(argument));
    }

    int small(int argument) {
        return Integer.parseInt(arguments.get(argument));
    }

    /** The bytes of a name. */
    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The paths among the arguments. */
    List<String> paths() {
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (verb.arguments().charAt(i) == 'P') {
                paths.add(arguments.get(i));
            }
        }
        return paths;
    }

    /** The slots among the arguments. */
    List<Integer> slots() {
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (verb.arguments().charAt(i) == 'S') {
                slots.add(small(i));
            }
        }
        return slots;
    }

    /** The line of a script. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(verb.name().toLowerCase(Locale.ROOT));
        for (String argument : arguments) {
            line.append(' ');
            if (argument.isEmpty()) {
                line.append("%");
            }
            for (char c : argument.toCharArray()) {
                if (PLAIN.indexOf(c) >= 0) {
                    line.append(c);
                } else {
                    line.append(String.format("%%%02x", (int) c));
                }
            }
        }
        return line.toString();
    }

    /** Reads a line of a script. */
    static Step parse(String line) {
        String[] words = line.strip().split("\\s+");
        Verb verb;
        try {
            verb = Verb.valueOf(words[0].toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("no operation is called '" + words[0] + "'", e);
        }
        List<String> arguments = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            arguments.add(plain(words[i]));
        }
        return new Step(verb, arguments);
    }

    private static String plain(String word) {
        if (word.equals("%")) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c == '%') {
                if (i + 2 >= word.length()) {
                    throw new IllegalArgumentException("'" + word + "' ends in the middle of a byte");
                }
                text.append((char) Integer.parseInt(word.substring(i + 1, i + 3), RADIX));
                i += 2;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
