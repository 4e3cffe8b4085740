//! The tables of tools and Sysman. Loaders before 1.20 require all that are not experimental. Only a few slots are
//! used.

use super::tables;
use crate::object::sysman;

tables! {
    zetGetDeviceProcAddrTable {}
    zetGetContextProcAddrTable {}
    zetGetCommandListProcAddrTable {}
    zetGetModuleProcAddrTable {}
    zetGetKernelProcAddrTable {}
    zetGetMetricGroupProcAddrTable {}
    zetGetMetricGroupExpProcAddrTable {}
    zetGetMetricProcAddrTable {}
    zetGetMetricStreamerProcAddrTable {}
    zetGetMetricQueryPoolProcAddrTable {}
    zetGetMetricQueryProcAddrTable {}
    zetGetTracerExpProcAddrTable {}
    zetGetDebugProcAddrTable {}
    zesGetDriverProcAddrTable {}
    zesGetDeviceProcAddrTable {
        _,
        _,
        _,
        _,
        sysman::zesDevicePciGetProperties,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        sysman::zesDeviceEnumMemoryModules,
    }
    zesGetSchedulerProcAddrTable {}
    zesGetPerformanceFactorProcAddrTable {}
    zesGetPowerProcAddrTable {}
    zesGetFrequencyProcAddrTable {}
    zesGetEngineProcAddrTable {}
    zesGetStandbyProcAddrTable {}
    zesGetFirmwareProcAddrTable {}
    zesGetMemoryProcAddrTable {
        sysman::zesMemoryGetProperties,
        sysman::zesMemoryGetState,
        sysman::zesMemoryGetBandwidth,
    }
    zesGetFabricPortProcAddrTable {}
    zesGetTemperatureProcAddrTable {}
    zesGetPsuProcAddrTable {}
    zesGetFanProcAddrTable {}
    zesGetLedProcAddrTable {}
    zesGetRasProcAddrTable {}
    zesGetDiagnosticsProcAddrTable {}
}
