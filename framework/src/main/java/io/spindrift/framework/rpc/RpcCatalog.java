package io.spindrift.framework.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/// The methods that a module declares, without what runs them: a service, which the `rpc` program and the generated
/// manual load without an application.
public interface RpcCatalog {
    /// Same list each time; building it must be cheap, since the `rpc` program does it for each module.
    List<RpcMethod<?>> methods();

    /// The catalogs that are visible from `layer`.
    static ServiceLoader<RpcCatalog> load(ModuleLayer layer) {
        return ServiceLoader.load(layer, RpcCatalog.class);
    }

    /// Every method of every catalog that is visible from `layer`, in the order in which the modules were found.
    static List<RpcMethod<?>> all(ModuleLayer layer) {
        List<RpcMethod<?>> methods = new ArrayList<>();
        load(layer).forEach(catalog -> methods.addAll(catalog.methods()));
        return List.copyOf(methods);
    }
}
