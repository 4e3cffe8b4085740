//! The tables that the loader requests, slot by slot as in `ze_ddi.h` of loader 1.8.12. `_` is a call that this
//! driver does not have. Its slot remains null, and the loader reports it as unsupported. `+` precedes slots that only
//! loaders of specification 1.9 and later have.

use super::tables;
use crate::object::*;

tables! {
    zeGetGlobalProcAddrTable {
        driver::zeInit,
    }
    zeGetDriverProcAddrTable {
        driver::zeDriverGet,
        driver::zeDriverGetApiVersion,
        driver::zeDriverGetProperties,
        driver::zeDriverGetIpcProperties,
        driver::zeDriverGetExtensionProperties,
        imported::zeDriverGetExtensionFunctionAddress,
    } + {
        driver::zeDriverGetLastErrorDescription,
    }
    zeGetDeviceProcAddrTable {
        device::zeDeviceGet,
        device::zeDeviceGetSubDevices,
        properties::zeDeviceGetProperties,
        properties::zeDeviceGetComputeProperties,
        properties::zeDeviceGetModuleProperties,
        properties::zeDeviceGetCommandQueueGroupProperties,
        properties::zeDeviceGetMemoryProperties,
        properties::zeDeviceGetMemoryAccessProperties,
        properties::zeDeviceGetCacheProperties,
        properties::zeDeviceGetImageProperties,
        properties::zeDeviceGetExternalMemoryProperties,
        properties::zeDeviceGetP2PProperties,
        device::zeDeviceCanAccessPeer,
        device::zeDeviceGetStatus,
        device::zeDeviceGetGlobalTimestamps,
        _,
        _,
        properties::zeDevicePciGetPropertiesExt,
    } + {
        device::zeDeviceGetRootDevice,
    }
    zeGetContextProcAddrTable {
        context::zeContextCreate,
        context::zeContextDestroy,
        context::zeContextGetStatus,
        context::zeContextSystemBarrier,
        residency::zeContextMakeMemoryResident,
        residency::zeContextEvictMemory,
        residency::zeContextMakeImageResident,
        residency::zeContextEvictImage,
        context::zeContextCreateEx,
    }
    zeGetCommandQueueProcAddrTable {
        queue::zeCommandQueueCreate,
        queue::zeCommandQueueDestroy,
        queue::zeCommandQueueExecuteCommandLists,
        queue::zeCommandQueueSynchronize,
    }
    zeGetCommandListProcAddrTable {
        list::zeCommandListCreate,
        list::zeCommandListCreateImmediate,
        list::zeCommandListDestroy,
        list::zeCommandListClose,
        list::zeCommandListReset,
        append::zeCommandListAppendWriteGlobalTimestamp,
        append::zeCommandListAppendBarrier,
        append::zeCommandListAppendMemoryRangesBarrier,
        append::zeCommandListAppendMemoryCopy,
        append::zeCommandListAppendMemoryFill,
        append::zeCommandListAppendMemoryCopyRegion,
        append::zeCommandListAppendMemoryCopyFromContext,
        image_copy::zeCommandListAppendImageCopy,
        image_copy::zeCommandListAppendImageCopyRegion,
        image_copy::zeCommandListAppendImageCopyToMemory,
        image_copy::zeCommandListAppendImageCopyFromMemory,
        append::zeCommandListAppendMemoryPrefetch,
        append::zeCommandListAppendMemAdvise,
        append::zeCommandListAppendSignalEvent,
        append::zeCommandListAppendWaitOnEvents,
        append::zeCommandListAppendEventReset,
        append::zeCommandListAppendQueryKernelTimestamps,
        launch::zeCommandListAppendLaunchKernel,
        launch::zeCommandListAppendLaunchCooperativeKernel,
        launch::zeCommandListAppendLaunchKernelIndirect,
        launch::zeCommandListAppendLaunchMultipleKernelsIndirect,
        image_copy::zeCommandListAppendImageCopyToMemoryExt,
        image_copy::zeCommandListAppendImageCopyFromMemoryExt,
    } + {
        list::zeCommandListHostSynchronize,
    }
    zeGetCommandListExpProcAddrTable {} + {
        _,
        list::zeCommandListImmediateAppendCommandListsExp,
    }
    zeGetImageProcAddrTable {
        image::zeImageGetProperties,
        image::zeImageCreate,
        image::zeImageDestroy,
    }
    zeGetFenceProcAddrTable {
        queue::zeFenceCreate,
        fence::zeFenceDestroy,
        fence::zeFenceHostSynchronize,
        fence::zeFenceQueryStatus,
        fence::zeFenceReset,
    }
    zeGetEventPoolProcAddrTable {
        event::zeEventPoolCreate,
        event::zeEventPoolDestroy,
        event::zeEventPoolGetIpcHandle,
    }
    zeGetEventProcAddrTable {
        event::zeEventCreate,
        event::zeEventDestroy,
        event::zeEventHostSignal,
        event::zeEventHostSynchronize,
        event::zeEventQueryStatus,
        event::zeEventHostReset,
        event::zeEventQueryKernelTimestamp,
    }
    zeGetEventExpProcAddrTable {
        event::zeEventQueryTimestampsExp,
    }
    zeGetModuleProcAddrTable {
        module::zeModuleCreate,
        module::zeModuleDestroy,
        link::zeModuleDynamicLink,
        module::zeModuleGetNativeBinary,
        module::zeModuleGetGlobalPointer,
        module::zeModuleGetKernelNames,
        module::zeModuleGetProperties,
        module::zeModuleGetFunctionPointer,
        link::zeModuleInspectLinkageExt,
    }
    zeGetModuleBuildLogProcAddrTable {
        module::zeModuleBuildLogDestroy,
        module::zeModuleBuildLogGetString,
    }
    zeGetKernelProcAddrTable {
        kernel::zeKernelCreate,
        kernel::zeKernelDestroy,
        kernel::zeKernelSetCacheConfig,
        kernel::zeKernelSetGroupSize,
        kernel::zeKernelSuggestGroupSize,
        kernel::zeKernelSuggestMaxCooperativeGroupCount,
        kernel::zeKernelSetArgumentValue,
        kernel::zeKernelSetIndirectAccess,
        kernel::zeKernelGetIndirectAccess,
        kernel::zeKernelGetSourceAttributes,
        kernel::zeKernelGetProperties,
        kernel::zeKernelGetName,
    }
    zeGetKernelExpProcAddrTable {
        kernel::zeKernelSetGlobalOffsetExp,
        kernel::zeKernelSchedulingHintExp,
    }
    zeGetSamplerProcAddrTable {
        image::zeSamplerCreate,
        image::zeSamplerDestroy,
    }
    zeGetPhysicalMemProcAddrTable {
        virtual_memory::zePhysicalMemCreate,
        virtual_memory::zePhysicalMemDestroy,
    }
    zeGetMemProcAddrTable {
        memory::zeMemAllocShared,
        memory::zeMemAllocDevice,
        memory::zeMemAllocHost,
        memory::zeMemFree,
        memory::zeMemGetAllocProperties,
        memory::zeMemGetAddressRange,
        ipc::zeMemGetIpcHandle,
        ipc::zeMemOpenIpcHandle,
        ipc::zeMemCloseIpcHandle,
        memory::zeMemFreeExt,
    } + {
        ipc::zeMemPutIpcHandle,
    }
    zeGetVirtualMemProcAddrTable {
        virtual_memory::zeVirtualMemReserve,
        virtual_memory::zeVirtualMemFree,
        virtual_memory::zeVirtualMemQueryPageSize,
        virtual_memory::zeVirtualMemMap,
        virtual_memory::zeVirtualMemUnmap,
        virtual_memory::zeVirtualMemSetAccessAttribute,
        virtual_memory::zeVirtualMemGetAccessAttribute,
    }
}
