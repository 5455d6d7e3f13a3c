package io.spindrift.framework.rpc;

/// A call fails with a code and a sentence, as the caller reads them.
///
/// Unchecked, so that the compact constructor of a parameter record can say the code too.
public final class RpcException extends RuntimeException {
    /// The text is no JSON.
    public static final int PARSE_ERROR = -32700;
    /// The JSON is no request.
    public static final int INVALID_REQUEST = -32600;
    /// No such method, or one that this application does not allow.
    public static final int METHOD_NOT_FOUND = -32601;
    /// A parameter is unknown, missing, of the wrong type or outside its limits.
    public static final int INVALID_PARAMS = -32602;
    /// Something failed that has no error number.
    public static final int INTERNAL_ERROR = -32603;
    /// The method may not be called before, or after, `framework_start_init`.
    public static final int INVALID_STATE = -1;

    private static final long serialVersionUID = 1L;

    private final int code;

    /// `message` is one sentence that names the parameter, its value and the limit.
    public RpcException(int code, String message) {
        super(message);
        this.code = code;
    }

    /// As [#RpcException(int, String)], for what another exception caused.
    public RpcException(int code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /// A parameter that cannot be: code -32602.
    public static RpcException invalidParams(String message) {
        return new RpcException(INVALID_PARAMS, message);
    }

    /// A failure that has an error number (positive, one of [io.spindrift.framework.Errno]): code `-errno`.
    public static RpcException errno(int errno, String message) {
        return new RpcException(-errno, message);
    }

    /// A failure that has none: code -32603.
    public static RpcException internal(String message) {
        return new RpcException(INTERNAL_ERROR, message);
    }

    /// The code of the JSON-RPC error object.
    public int code() {
        return code;
    }
}
