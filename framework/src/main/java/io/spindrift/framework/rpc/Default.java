package io.spindrift.framework.rpc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The value of a parameter that is not given. It passes the same checks as a given one.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {
    /// A string, choice or UUID as it is; anything else in JSON: `512`, `true`, `[]`.
    String value();
}
