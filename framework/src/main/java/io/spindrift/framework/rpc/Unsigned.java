package io.spindrift.framework.rpc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A whole number from 0 to 2^bits - 1, or to the most that the component can hold if that is less.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Unsigned {
    /// The width in bits: 8, 16, 32 or 64.
    int value();
}
