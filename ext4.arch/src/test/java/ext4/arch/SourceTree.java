// SPDX-License-Identifier: Apache-2.0
package ext4.arch;

import com.sun.source.tree.ArrayAccessTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A source file as javac parses it, for what class files no longer show. Results are {@code file:line: what}. */
final class SourceTree {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    private SourceTree(CompilationUnitTree unit, SourcePositions positions) {
        this.unit = unit;
        this.positions = positions;
    }

    static List<SourceTree> parse(List<Path> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            return StreamSupport.stream(task.parse().spliterator(), false)
                    .map(unit -> new SourceTree(unit, positions))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Methods of more lines than that, from the signature to the closing brace. */
    List<String> methodsLongerThan(int lines) {
        List<String> found = new ArrayList<>();
        scan(new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void unused) {
                long length = line(positions.getEndPosition(unit, method)) - line(start(method)) + 1;
                if (length > lines) {
                    found.add(at(method) + method.getName() + " has " + length + " lines");
                }
                return super.visitMethod(method, unused);
            }
        });
        return found;
    }

    /** Calls of any method {@code sleep}. */
    List<String> sleeps() {
        List<String> found = new ArrayList<>();
        scan(new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
                if (call.getMethodSelect() instanceof MemberSelectTree select
                        && select.getIdentifier().contentEquals("sleep")) {
                    found.add(at(call) + call);
                }
                return super.visitMethodInvocation(call, unused);
            }
        });
        return found;
    }

    /** Numbers put together from the bytes of an array: {@code (b[i] & 0xFF) << n}. */
    List<String> assembledBytes() {
        List<String> found = new ArrayList<>();
        scan(new TreeScanner<Void, Void>() {
            @Override
            public Void visitBinary(BinaryTree binary, Void unused) {
                if (binary.getKind() == Tree.Kind.LEFT_SHIFT && isByteOfArray(binary.getLeftOperand())) {
                    found.add(at(binary) + binary);
                }
                return super.visitBinary(binary, unused);
            }
        });
        return found;
    }

    private static boolean isByteOfArray(ExpressionTree tree) {
        return bare(tree) instanceof BinaryTree mask
                && mask.getKind() == Tree.Kind.AND
                && bare(mask.getLeftOperand()) instanceof ArrayAccessTree
                && bare(mask.getRightOperand()) instanceof LiteralTree literal
                && literal.getValue() instanceof Number number
                && number.longValue() == 0xFF;
    }

    private static ExpressionTree bare(ExpressionTree tree) {
        return tree instanceof ParenthesizedTree parenthesized ? bare(parenthesized.getExpression()) : tree;
    }

    private void scan(TreeScanner<Void, Void> scanner) {
        scanner.scan(unit, null);
    }

    private String at(Tree tree) {
        Path file = Modules.ROOT.relativize(Path.of(unit.getSourceFile().toUri()));
        return file + ":" + line(start(tree)) + ": ";
    }

    private long start(Tree tree) {
        return positions.getStartPosition(unit, tree);
    }

    private long line(long position) {
        return unit.getLineMap().getLineNumber(position);
    }
}
