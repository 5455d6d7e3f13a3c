package io.spindrift.nvme.spec;

import io.spindrift.nvme.spec.command.RegisteredController;
import io.spindrift.nvme.spec.command.RegisteredControllerExtended;
import io.spindrift.nvme.spec.command.ReservationStatus;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import io.spindrift.nvme.spec.fabrics.DiscoveryLog;
import io.spindrift.nvme.spec.feature.HostBehaviorSupport;
import io.spindrift.nvme.spec.feature.Timestamp;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyControllerNvm;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.IdentifyNamespaceIndependent;
import io.spindrift.nvme.spec.identify.IdentifyNamespaceNvm;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spec.identify.PowerStateDescriptor;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spec.log.AnaLog;
import io.spindrift.nvme.spec.log.CommandEffectsLog;
import io.spindrift.nvme.spec.log.ErrorLogEntry;
import io.spindrift.nvme.spec.log.FirmwareSlotLog;
import io.spindrift.nvme.spec.log.ReservationNotificationLog;
import io.spindrift.nvme.spec.log.SmartLog;
import io.spindrift.nvme.spec.log.SupportedLogPages;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All classes that are tables of [Field]s.
final class Tables {
    static final List<Class<?>> ALL = List.of(RegisteredController.class, RegisteredControllerExtended.class,
            ReservationStatus.class, ConnectData.class, DiscoveryEntry.class, DiscoveryLog.class,
            HostBehaviorSupport.class, Timestamp.class, IdentifyController.class, IdentifyControllerNvm.class,
            IdentifyNamespace.class, IdentifyNamespaceIndependent.class, IdentifyNamespaceNvm.class, LbaFormat.class,
            PowerStateDescriptor.class, AnaGroupDescriptor.class, AnaLog.class, CommandEffectsLog.class,
            ErrorLogEntry.class, FirmwareSlotLog.class, ReservationNotificationLog.class, SmartLog.class,
            SupportedLogPages.class);

    private Tables() {}

    static Map<String, Field> fields(Class<?> table) throws IllegalAccessException {
        Map<String, Field> fields = new LinkedHashMap<>();
        for (java.lang.reflect.Field constant : table.getFields()) {
            if (constant.get(null) instanceof Field field) {
                fields.put(constant.getName(), field);
            }
        }
        return fields;
    }

    static int size(Class<?> table) throws ReflectiveOperationException {
        return table.getField("SIZE").getInt(null);
    }
}
