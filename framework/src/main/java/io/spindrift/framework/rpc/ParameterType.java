package io.spindrift.framework.rpc;

import java.util.List;

/// What values a parameter can have.
public sealed interface ParameterType {
    /// The name in the schema: `string`, `uint32`, ...
    String schemaName();

    /// A string without NUL characters.
    record Text() implements ParameterType {
        @Override
        public String schemaName() {
            return "string";
        }
    }

    /// A string that holds a UUID in its usual form.
    record Uuid() implements ParameterType {
        @Override
        public String schemaName() {
            return "uuid";
        }
    }

    /// `true` or `false`.
    record Bool() implements ParameterType {
        @Override
        public String schemaName() {
            return "boolean";
        }
    }

    /// A whole number in `min..max`; `65536.0` is one. `javaInt`: the component holds an `int`, not a `long`.
    record Whole(long min, long max, String schemaName, boolean javaInt) implements ParameterType {}

    /// Any number.
    record Decimal() implements ParameterType {
        @Override
        public String schemaName() {
            return "number";
        }
    }

    /// One of `names`, which are those of the constants of `type`, in their order.
    record Choice(Class<?> type, List<String> names) implements ParameterType {
        @Override
        public String schemaName() {
            return "enum";
        }
    }

    /// An array.
    record ListOf(ParameterType element) implements ParameterType {
        @Override
        public String schemaName() {
            return "array";
        }
    }

    /// An object with its own parameters.
    record Nested(RecordShape<?> shape) implements ParameterType {
        @Override
        public String schemaName() {
            return "object";
        }
    }

    /// Any JSON, which the handler reads itself.
    record Any() implements ParameterType {
        @Override
        public String schemaName() {
            return "any";
        }
    }
}
