// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.format.superblock.Superblock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A sound image in memory, taken apart. Immutable: many threads damage copies of it. */
final class Base {
    private final String name;
    private final byte[] image;
    private final Superblock sb;
    private final Map<String, Part> parts = new HashMap<>();
    private final Map<Part.Kind, List<Part>> byKind = new EnumMap<>(Part.Kind.class);
    private final long[] blocks;
    private final long[] inodes;

    Base(String name, byte[] image) {
        this.name = name;
        this.image = image;
        Dissection dissection = new Dissection(image);
        sb = dissection.superblock();
        for (Part part : dissection.parts()) {
            if (parts.putIfAbsent(part.name(), part) == null) {
                byKind.computeIfAbsent(part.kind(), k -> new ArrayList<>()).add(part);
            }
        }
        blocks = dissection.blocks();
        inodes = dissection.inodes();
    }

    String name() {
        return name;
    }

    byte[] image() {
        return image;
    }

    int blockSize() {
        return sb.blockSize();
    }

    Superblock superblock() {
        return sb;
    }

    Part part(String wanted) {
        Part part = parts.get(wanted);
        if (part == null) {
            throw new IllegalArgumentException("image " + name + " has no " + wanted);
        }
        return part;
    }

    boolean has(String part) {
        return parts.containsKey(part);
    }

    /** Parts of each kind that the image has. */
    Map<Part.Kind, List<Part>> byKind() {
        return byKind;
    }

    /** Numbers of blocks that matter. */
    long[] blocks() {
        return blocks;
    }

    /** Numbers of inodes that matter. */
    long[] inodes() {
        return inodes;
    }
}
