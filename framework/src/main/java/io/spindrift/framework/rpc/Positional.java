package io.spindrift.framework.rpc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The parameter is typed without a flag. The order is that of the components; one that has a default or is an
/// `Optional` may be left out.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Positional {
    /// The values it can have, for a parameter whose type is no enum; empty for any.
    String[] choices() default {};
}
