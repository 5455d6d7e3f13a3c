package io.spindrift.framework.rpc;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Locale;

/// Names and values of a record's components. Any thread.
final class Components {
    private Components() {}

    /// The component's name in JSON.
    static String name(RecordComponent component) {
        RpcName given = component.getAnnotation(RpcName.class);
        return given != null ? given.value() : snakeCase(component.getName());
    }

    /// The constant's name in JSON: its Java name in lower case, unless it is annotated.
    static String name(Enum<?> constant) {
        try {
            RpcName given = constant.getDeclaringClass().getField(constant.name()).getAnnotation(RpcName.class);
            return given != null ? given.value() : constant.name().toLowerCase(Locale.ROOT);
        } catch (NoSuchFieldException e) {
            throw new AssertionError("an enum constant is a field", e);
        }
    }

    /// `numBlocks` is `num_blocks`.
    static String snakeCase(String javaName) {
        StringBuilder snake = new StringBuilder(javaName.length() + 4);
        for (int i = 0; i < javaName.length(); i++) {
            char c = javaName.charAt(i);
            if (Character.isUpperCase(c)) {
                snake.append('_').append(Character.toLowerCase(c));
            } else {
                snake.append(c);
            }
        }
        return snake.toString();
    }

    /// Makes a member of `record` callable from here.
    static void open(AccessibleObject member, Class<?> record) {
        try {
            member.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    record.getModule() + " must say: opens " + record.getPackageName() + " to "
                            + Components.class.getModule().getName(),
                    e);
        }
    }

    /// What `accessor` returns for `record`.
    static Object value(Method accessor, Record record) {
        try {
            return accessor.invoke(record);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(accessor + " failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError("opened before", e);
        }
    }
}
