// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

/** Something that happened to a recorded device. */
public sealed interface DeviceEvent {
    /** Bytes were written at a byte offset. */
    record Write(long offset, byte[] data) implements DeviceEvent {}

    /** A flush returned. */
    record Flush() implements DeviceEvent {}
}
