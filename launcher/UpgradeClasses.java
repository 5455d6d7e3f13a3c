import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Copies jars, giving classes older than Java 6 the format of Java 8.
///
/// The JVM's start-up cache cannot hold classes whose files have no stack maps (format 49 and below): they are parsed and
/// verified anew at each start, which for picocli's is 40 ms of every `rpc` call. The methods themselves are not changed.
///
/// Usage: `java UpgradeClasses.java FOLDER JAR...`
public final class UpgradeClasses {
    private static final int FIRST_WITH_STACK_MAPS = ClassFile.JAVA_6_VERSION;

    private UpgradeClasses() {}

    /// Copies each jar into the folder that the first argument names.
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        for (int i = 1; i < args.length; i++) {
            Path jar = Path.of(args[i]);
            copy(jar, folder.resolve(jar.getFileName()));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Path fresh = to.resolveSibling("." + to.getFileName() + ".new");
        try (URLClassLoader classes = URLClassLoader.newInstance(new URL[] {from.toUri().toURL()});
                ZipFile in = new ZipFile(from.toFile());
                OutputStream file = Files.newOutputStream(fresh);
                ZipOutputStream out = new ZipOutputStream(file)) {
            ClassFile format = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(classes)));
            for (Enumeration<? extends ZipEntry> entries = in.entries(); entries.hasMoreElements();) {
                ZipEntry entry = entries.nextElement();
                ZipEntry copied = new ZipEntry(entry.getName());
                copied.setTime(entry.getTime());
                out.putNextEntry(copied);
                try (InputStream content = in.getInputStream(entry)) {
                    byte[] bytes = content.readAllBytes();
                    out.write(entry.getName().endsWith(".class") ? upgrade(format, bytes) : bytes);
                }
                out.closeEntry();
            }
        }
        // Under the old name at once: a program that runs keeps the jar it has opened.
        Files.move(fresh, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private static byte[] upgrade(ClassFile format, byte[] bytes) {
        ClassModel model = format.parse(bytes);
        if (model.majorVersion() >= FIRST_WITH_STACK_MAPS) {
            return bytes;
        }
        ClassTransform version = (builder, element) -> {
            ClassElement upgraded = element instanceof ClassFileVersion
                    ? ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0)
                    : element;
            builder.with(upgraded);
        };
        // Passing the code through a transform is what makes its stack maps be generated.
        ClassTransform code = ClassTransform.transformingMethodBodies((builder, element) -> builder.with(element));
        return format.transformClass(model, version.andThen(code));
    }
}
