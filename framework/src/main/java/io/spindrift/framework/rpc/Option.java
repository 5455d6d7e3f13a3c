package io.spindrift.framework.rpc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The flags with which a parameter is typed: `@Option({"-b", "--name"})`. A parameter without it and without
/// [Positional] has the flag `--its-name`.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Option {
    /// The names, the short one first. `{"--x", "--no-x"}` on a boolean makes a pair of flags.
    String[] value();

    /// The flag means `false` rather than `true`.
    boolean negated() default false;

    /// Spellings that the peer had in older versions, each with that of today: `-d=--no-allow-any-host`. They take no value.
    String[] older() default {};

    /// The values it can have, for a parameter whose type is no enum; empty for any.
    String[] choices() default {};
}
