// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What the woven code calls. A lock is known by the field that holds it ({@code Inode.lock}), a monitor by the class of its
 * object ({@code CachedBlock}), a section without a lock by the name that {@link Section} gives it.
 *
 * <p>Noted is: while a thread held a lock of one kind, it waited for one of another kind. What is only tried is held
 * afterwards, but nobody waits for it.
 */
@SuppressWarnings("ReferenceEquality") // which lock it is, not what it is equal to
public final class LockOrder {
    /** One kind was waited for while the other was held. */
    public record Edge(String held, String wanted) {}

    /** Locks of one kind that have an order among themselves: the number of what they belong to. */
    @FunctionalInterface
    public interface Numbering {
        /** The number, unsigned, of the object with this lock in a field; -1 if such locks have none. */
        long of(Object owner);
    }

    private record Named(String kind, WeakReference<Object> owner) {}

    /** One hold of one thread. */
    private static final class Hold {
        final Object lock;
        final String kind;
        final long number;

        Hold(Object lock, String kind, long number) {
            this.lock = lock;
            this.kind = kind;
            this.number = number;
        }
    }

    private static final Map<Object, Named> NAMES = Collections.synchronizedMap(new WeakHashMap<>());
    private static final Map<Condition, Lock> CONDITIONS = Collections.synchronizedMap(new WeakHashMap<>());
    private static final Map<Edge, String> EDGES = new ConcurrentHashMap<>();
    private static final Map<String, Boolean> KINDS = new ConcurrentHashMap<>();
    private static final ThreadLocal<List<Hold>> HELD = ThreadLocal.withInitial(ArrayList::new);
    private static volatile Numbering numbering = owner -> -1;

    private LockOrder() {}

    /** Forgets all that was noted. */
    public static void begin(Numbering numbers) {
        EDGES.clear();
        KINDS.clear();
        numbering = numbers;
    }

    /** What was noted, each with the stack of whoever came first. */
    public static Map<Edge, String> edges() {
        return Map.copyOf(EDGES);
    }

    /** The kinds that were taken at all. */
    public static List<String> kinds() {
        return KINDS.keySet().stream().sorted().toList();
    }

    /** A lock, or an object that can only be a monitor, is put into a field. */
    public static void field(Object owner, Object lock, String kind) {
        if (lock == null
                || !(lock instanceof Lock || lock instanceof ReentrantReadWriteLock)
                        && lock.getClass() != Object.class) {
            return;
        }
        Named named = new Named(kind, new WeakReference<>(owner));
        NAMES.put(lock, named);
        if (lock instanceof ReentrantReadWriteLock both) {
            NAMES.put(both.readLock(), named);
            NAMES.put(both.writeLock(), named);
        }
    }

    /** In place of {@link Lock#lock}. */
    public static void lock(Lock lock) {
        wanted(lock);
        lock.lock();
        hold(lock);
    }

    /** In place of {@link Lock#lockInterruptibly}. */
    public static void lockInterruptibly(Lock lock) throws InterruptedException {
        wanted(lock);
        lock.lockInterruptibly();
        hold(lock);
    }

    /** In place of {@link Lock#tryLock()}. */
    public static boolean tryLock(Lock lock) {
        boolean taken = lock.tryLock();
        if (taken) {
            hold(lock);
        }
        return taken;
    }

    /** In place of {@link Lock#tryLock(long, TimeUnit)}. */
    public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
        wanted(lock);
        boolean taken = lock.tryLock(time, unit);
        if (taken) {
            hold(lock);
        }
        return taken;
    }

    /** In place of {@link Lock#unlock}. */
    public static void unlock(Lock lock) {
        lock.unlock();
        release(lock);
    }

    /** In place of {@link ReentrantLock#newCondition}. */
    public static Condition newCondition(ReentrantLock lock) {
        Condition condition = lock.newCondition();
        CONDITIONS.put(condition, lock);
        return condition;
    }

    /** Before a wait at a condition: its lock is given up and waited for anew, with all others held. */
    public static void awaits(Condition condition) {
        Lock lock = CONDITIONS.get(condition);
        if (lock != null) {
            waits(lock);
        }
    }

    /** Before {@link Object#wait()}, and with what {@link #awaits} found. */
    public static void waits(Object lock) {
        String kind = kind(lock);
        for (Hold hold : HELD.get()) {
            if (hold.lock != lock) {
                note(hold.kind, kind);
            }
        }
    }

    /** A monitor is about to be taken. */
    public static void enters(Object monitor) {
        wanted(monitor);
        hold(monitor);
    }

    /** A monitor was given up. */
    public static void exited(Object monitor) {
        release(monitor);
    }

    /** A section is about to be entered, which may mean waiting. */
    public static void approaches(String section) {
        List<Hold> held = HELD.get();
        for (Hold hold : held) {
            note(hold.kind, section);
        }
    }

    /** A section was entered. */
    public static void inside(String section) {
        KINDS.putIfAbsent(section, true);
        HELD.get().add(new Hold(section, section, -1));
    }

    /** A section was left; without effect if it was not entered. */
    public static void left(String section) {
        release(section);
    }

    private static void wanted(Object lock) {
        List<Hold> held = HELD.get();
        if (held.isEmpty()) {
            return;
        }
        String kind = kind(lock);
        for (Hold hold : held) {
            if (hold.lock == lock) {
                return; // taken again: nobody is waited for
            }
        }
        long number = number(lock);
        for (Hold hold : held) {
            if (!hold.kind.equals(kind)) {
                note(hold.kind, kind);
            } else if (hold.number < 0 || number < 0) {
                note(kind, kind);
            } else if (hold.number > number) {
                note(kind, kind + " of a lower number");
            }
        }
    }

    private static void hold(Object lock) {
        String kind = kind(lock);
        KINDS.putIfAbsent(kind, true);
        HELD.get().add(new Hold(lock, kind, number(lock)));
    }

    private static void release(Object lock) {
        List<Hold> held = HELD.get();
        for (int i = held.size() - 1; i >= 0; i--) {
            if (held.get(i).lock == lock) {
                held.remove(i);
                return;
            }
        }
    }

    private static String kind(Object lock) {
        Named named = lock instanceof Lock || lock.getClass() == Object.class ? NAMES.get(lock) : null;
        if (named != null) {
            return named.kind();
        }
        String name = lock.getClass().getName();
        return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    }

    private static long number(Object lock) {
        Named named = lock instanceof Lock ? NAMES.get(lock) : null;
        Object owner = named == null ? null : named.owner().get();
        return owner == null ? -1 : numbering.of(owner);
    }

    private static void note(String held, String wanted) {
        Edge edge = new Edge(held, wanted);
        if (!EDGES.containsKey(edge)) {
            EDGES.put(edge, stack());
        }
    }

    private static String stack() {
        StringBuilder text = new StringBuilder();
        StackWalker.getInstance().forEach(frame -> {
            if (!frame.getClassName().equals(LockOrder.class.getName())) {
                text.append("    at ").append(frame).append('\n');
            }
        });
        return text.toString();
    }
}
