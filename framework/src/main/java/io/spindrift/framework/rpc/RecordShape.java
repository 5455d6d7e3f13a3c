package io.spindrift.framework.rpc;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The parameters that a record declares, and how JSON becomes such a record. Computed once a class.
///
/// Immutable; any thread.
public final class RecordShape<R extends Record> {
    private static final ClassValue<RecordShape<?>> SHAPES = new ClassValue<>() {
        @Override
        protected RecordShape<?> computeValue(Class<?> type) {
            return read(type.asSubclass(Record.class));
        }
    };

    private final Class<R> record;
    private final RecordComponent[] components;
    private final List<Parameter> parameters;
    private final Constructor<R> constructor;

    private RecordShape(Class<R> record, RecordComponent[] components, List<Parameter> parameters,
            Constructor<R> constructor) {
        this.record = record;
        this.components = components;
        this.parameters = parameters;
        this.constructor = constructor;
    }

    /// The shape of `record`. Throws `IllegalArgumentException` if a component has a type that no JSON can be, or if
    /// the record's package is not opened to this module: a bug of the module that declares it.
    public static <R extends Record> RecordShape<R> of(Class<R> record) {
        @SuppressWarnings("unchecked") // computeValue makes a RecordShape<R> from a Class<R>
        RecordShape<R> shape = (RecordShape<R>) SHAPES.get(record);
        return shape;
    }

    private static <R extends Record> RecordShape<R> read(Class<R> record) {
        RecordComponent[] components = record.getRecordComponents();
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Constructor<R> constructor;
        try {
            constructor = record.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new AssertionError("a record has its canonical constructor", e);
        }
        Components.open(constructor, record);
        return new RecordShape<>(record, components,
                Arrays.stream(components).map(ParameterReader::parameter).toList(), constructor);
    }

    /// The record.
    public Class<R> record() {
        return record;
    }

    /// The parameters in the order of the components.
    public List<Parameter> parameters() {
        return parameters;
    }

    /// The component that declares the parameter at `index`, for its other annotations.
    RecordComponent component(int index) {
        return components[index];
    }

    /// Makes the record from a JSON object; null, a JSON null and a missing node are the empty object.
    ///
    /// Throws [RpcException] with code -32602 and a sentence naming the parameter, the value and the limit if one is
    /// unknown, missing, of the wrong type or refused by the record; with the record's own code if it throws one.
    public R decode(JsonNode params) {
        if (params == null || params.isNull() || params.isMissingNode()) {
            return decode("", Json.emptyObject());
        }
        if (!params.isObject()) {
            throw RpcException.invalidParams("params=" + Json.excerpt(params) + " must be an object");
        }
        return decode("", params);
    }

    /// As [#decode(JsonNode)] for an object inside the parameters; `path` is empty or ends in a dot.
    R decode(String path, JsonNode object) {
        Object[] values = new Object[components.length];
        int given = 0;
        for (int i = 0; i < values.length; i++) {
            Parameter parameter = parameters.get(i);
            JsonNode value = object.get(parameter.name());
            given += value == null ? 0 : 1;
            values[i] = ValueDecoder.decode(path + parameter.name(), parameter, value);
        }
        if (given != object.size()) {
            refuseUnknown(path, object);
        }
        return construct(path, values);
    }

    private R construct(String path, Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw switch (e.getCause()) {
                case RpcException refused -> refused;
                case IllegalArgumentException refused -> new RpcException(RpcException.INVALID_PARAMS,
                        path + refused.getMessage(), refused);
                case Throwable bug -> new IllegalStateException("constructing " + record.getName() + " failed", bug);
            };
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("constructing " + record.getName() + " failed", e);
        }
    }

    private void refuseUnknown(String path, JsonNode object) {
        List<String> known = parameters.stream().map(Parameter::name).toList();
        String unknown = object.propertyNames().stream().filter(name -> !known.contains(name))
                .map(name -> path + name + "=" + Json.excerpt(object.get(name))).collect(Collectors.joining(", "));
        throw RpcException.invalidParams(unknown + " is not a parameter; "
                + (known.isEmpty() ? "there are none" : "known are " + String.join(", ", known)));
    }
}
