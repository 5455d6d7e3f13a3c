package io.spindrift.framework.rpc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The name in JSON of a component or enum constant where it is not the Java name in snake case: `"AES_XTS"`, `"0"`.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface RpcName {
    /// The name in JSON.
    String value();
}
