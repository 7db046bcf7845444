// SPDX-License-Identifier: Apache-2.0
package ext4.keeper;

import ext4.api.fs.DeviceException;
import ext4.keeper.store.DescriptorKeep;
import ext4.keeper.store.KeptWords;
import ext4.sys.DescriptorSocket;
import ext4.sys.DescriptorSocket.Message;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.LinkedHashMap;
import java.util.Map;

/** Speaks with the keeper process, in requests and answers: see the package. */
final class ProcessKeep extends DescriptorKeep {
    private final DescriptorSocket socket;
    private final Runnable released;
    private boolean planned;

    /** @param released is run when it is closed */
    ProcessKeep(DescriptorSocket socket, Runnable released) {
        this.socket = socket;
        this.released = released;
    }

    @Override
    protected Map<String, Integer> taken(SystemCalls calls) {
        send(calls, "TAKE", -1);
        Map<String, Integer> descriptors = new LinkedHashMap<>();
        while (true) {
            Message message = receive(calls);
            String[] words = message.text().split(" ", 2);
            switch (words[0]) {
                case "NONE" -> {
                    return descriptors;
                }
                case "GIVE" -> descriptors.put(words[1], message.descriptor());
                case "GIVEN" -> {
                    planned = words[1].equals("planned");
                    return descriptors;
                }
                default -> throw unexpected(message);
            }
        }
    }

    @Override
    protected boolean planned(KeptWords kept) {
        return planned;
    }

    @Override
    protected void store(SystemCalls calls, String name, int descriptor) {
        send(calls, "PUT " + name, descriptor);
    }

    @Override
    protected void remove(SystemCalls calls, String name) {
        send(calls, "REMOVE " + name, -1);
    }

    @Override
    public void serves() {
        ask("SERVES", "OK");
    }

    @Override
    public void refuses(String why) {
        try (Arena arena = Arena.ofConfined()) {
            send(new SystemCalls(arena), "REFUSES " + why, -1);
        }
    }

    @Override
    public void prepare() {
        String failure = ask("PREPARE", "READY");
        if (failure != null) {
            throw new DeviceException(failure);
        }
    }

    @Override
    public String handOver() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            try {
                send(calls, "HAND", -1);
            } catch (DeviceException e) {
                return e.getMessage(); // it was asked for nothing
            }
            return answered(receive(calls), "DONE");
        }
    }

    @Override
    public void drop() {
        ask("DROP", "OK");
    }

    /** Null if the answer was {@code wanted}, the reason if it was FAILED. */
    private String ask(String request, String wanted) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            send(calls, request, -1);
            return answered(receive(calls), wanted);
        }
    }

    private static String answered(Message answer, String wanted) {
        if (answer.text().equals(wanted)) {
            return null;
        }
        String[] words = answer.text().split(" ", 2);
        if (words[0].equals("FAILED") && words.length == 2) {
            return words[1];
        }
        throw unexpected(answer);
    }

    private void send(SystemCalls calls, String text, int descriptor) {
        String line = text.length() > DescriptorSocket.MOST / 4 ? text.substring(0, DescriptorSocket.MOST / 4) : text;
        int result = socket.send(calls, line, descriptor);
        if (result < 0) {
            throw result == -Linux.EPIPE
                    ? gone()
                    : new DeviceException("the keeper process: " + Linux.errorText(-result));
        }
    }

    private Message receive(SystemCalls calls) {
        Message message = socket.receive(calls);
        if (message == null) {
            throw gone();
        }
        return message;
    }

    private static DeviceException gone() {
        return new DeviceException("the keeper process is gone");
    }

    private static DeviceException unexpected(Message message) {
        return new DeviceException("the keeper process said '" + message.text() + "'");
    }

    /** The socket stays open: its end is what the keeper takes for the end of this process. */
    @Override
    public synchronized void close() {
        super.close();
        released.run();
    }
}
