// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.core.alloc.BlockAllocator;
import ext4.core.extent.FileMap;
import ext4.core.inode.Evictor;
import ext4.core.inode.InodeAllocator;
import ext4.core.inode.InodeCache;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Pins;
import ext4.core.volume.Volume;

/** The parts of a mounted filesystem that the verbs are made of. */
public record Engine(
        Volume volume,
        BlockAllocator blocks,
        InodeCache inodes,
        InodeStore records,
        InodeAllocator inodeAllocator,
        FileMap map,
        Pins pins,
        Evictor evictor) {}
