// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Set;

/** Puts calls of {@link LockOrder} into a class. */
final class Weaver {
    private static final ClassDesc ORDER = ClassDesc.of("ext4.lab.locks.LockOrder");
    private static final ClassDesc LOCK = ClassDesc.of("java.util.concurrent.locks.Lock");
    private static final ClassDesc CONDITION = ClassDesc.of("java.util.concurrent.locks.Condition");
    private static final ClassDesc REENTRANT = ClassDesc.of("java.util.concurrent.locks.ReentrantLock");
    private static final MethodTypeDesc OBJECT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
    private static final MethodTypeDesc STRING = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);
    private static final MethodTypeDesc FIELD = MethodTypeDesc.of(
            ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_Object, ConstantDescs.CD_String);

    private static final String LOCKS = "java/util/concurrent/locks/";
    /** Classes whose methods are those of a lock. */
    private static final Set<String> LOCK_CLASSES = Set.of(
            LOCKS + "Lock",
            LOCKS + "ReentrantLock",
            LOCKS + "ReentrantReadWriteLock$ReadLock",
            LOCKS + "ReentrantReadWriteLock$WriteLock",
            "ext4/orphan/sharded/Stripe");

    private static final Set<String> LOCK_METHODS = Set.of("lock", "lockInterruptibly", "tryLock", "unlock");
    private static final Set<String> LOCK_FIELDS =
            Set.of("L" + LOCKS + "ReentrantLock;", "L" + LOCKS + "ReentrantReadWriteLock;", "Ljava/lang/Object;");

    private final ClassFile classFile;

    Weaver(ClassLoader types) {
        classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(types).orElse(ClassHierarchyResolver.defaultResolver())));
    }

    /** The class with the calls in it. */
    byte[] weave(byte[] bytes) {
        ClassModel model = classFile.parse(bytes);
        String name = model.thisClass().asInternalName();
        ClassTransform methods = (builder, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()) {
                builder.transformMethod(method, MethodTransform.transformingCode(new Body(name, method)));
            } else {
                builder.with(element);
            }
        };
        return classFile.transformClass(model, methods);
    }

    private static void call(CodeBuilder code, String method, MethodTypeDesc type) {
        code.invokestatic(ORDER, method, type);
    }

    /** The code of one method. */
    private static final class Body implements CodeTransform {
        private final String owner;
        private final String method;
        private final boolean monitor;
        private Label start;

        Body(String owner, MethodModel model) {
            this.owner = owner;
            this.method = model.methodName().stringValue();
            this.monitor =
                    model.flags().has(AccessFlag.SYNCHRONIZED) && !model.flags().has(AccessFlag.STATIC);
        }

        @Override
        public void atStart(CodeBuilder code) {
            for (Section section : Section.ALL) {
                if (owner.equals(section.owner()) && method.equals(section.method()) && section.exit() == null) {
                    section(code, "approaches", section);
                }
            }
            for (Section section : Section.ALL) {
                if (owner.equals(section.owner()) && method.equals(section.method()) && section.exit() != null) {
                    section(code, "approaches", section);
                }
            }
            if (monitor) {
                code.aload(0);
                call(code, "enters", OBJECT);
                start = code.newBoundLabel();
            }
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            switch (element) {
                case MonitorInstruction at -> monitor(code, at);
                case FieldInstruction at when at.opcode() == Opcode.PUTFIELD && isLock(at) -> field(code, at);
                case InvokeInstruction at -> invoke(code, at);
                case ReturnInstruction _ -> {
                    leave(code);
                    code.with(element);
                }
                default -> code.with(element);
            }
        }

        @Override
        public void atEnd(CodeBuilder code) {
            if (monitor) {
                Label end = code.newBoundLabel();
                Label handler = code.newBoundLabel();
                code.aload(0);
                call(code, "exited", OBJECT);
                code.athrow();
                code.exceptionCatchAll(start, end, handler);
            }
        }

        private void leave(CodeBuilder code) {
            for (Section section : Section.ALL) {
                if (owner.equals(section.owner())) {
                    if (method.equals(section.method()) && section.exit() != null) {
                        section(code, "inside", section);
                    } else if (method.equals(section.exit())) {
                        section(code, "left", section);
                    }
                }
            }
            if (monitor) {
                code.aload(0);
                call(code, "exited", OBJECT);
            }
        }

        private static void section(CodeBuilder code, String what, Section section) {
            code.ldc(section.name());
            call(code, what, STRING);
        }

        private static void monitor(CodeBuilder code, MonitorInstruction at) {
            code.dup();
            if (at.opcode() == Opcode.MONITORENTER) {
                call(code, "enters", OBJECT);
                code.with(at);
            } else {
                code.with(at);
                call(code, "exited", OBJECT);
            }
        }

        private static boolean isLock(FieldInstruction at) {
            return LOCK_FIELDS.contains(at.type().stringValue());
        }

        private void field(CodeBuilder code, FieldInstruction at) {
            code.dup2();
            code.ldc(simple(owner) + "." + at.name().stringValue());
            call(code, "field", FIELD);
            code.with(at);
        }

        private static void invoke(CodeBuilder code, InvokeInstruction at) {
            String on = at.owner().asInternalName();
            String name = at.name().stringValue();
            MethodTypeDesc type = at.typeSymbol();
            if (LOCK_CLASSES.contains(on) && LOCK_METHODS.contains(name)) {
                call(code, name, type.insertParameterTypes(0, LOCK));
            } else if (on.equals(LOCKS + "ReentrantLock") && name.equals("newCondition")) {
                call(code, name, type.insertParameterTypes(0, REENTRANT));
            } else if (on.equals(LOCKS + "Condition") && name.equals("await") && type.parameterCount() == 2) {
                code.with(at); // its arguments hide the condition; waits without one are many
            } else if (on.equals(LOCKS + "Condition") && name.startsWith("await") && type.parameterCount() == 0) {
                code.dup();
                call(code, "awaits", MethodTypeDesc.of(ConstantDescs.CD_void, CONDITION));
                code.with(at);
            } else if (on.equals("java/lang/Object") && name.equals("wait") && type.parameterCount() == 0) {
                code.dup();
                call(code, "waits", OBJECT);
                code.with(at);
            } else {
                code.with(at);
            }
        }

        private static String simple(String internal) {
            return internal.substring(internal.lastIndexOf('/') + 1).replace('$', '.');
        }
    }
}
