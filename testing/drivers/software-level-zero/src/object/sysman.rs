//! Sysman: PCI address, memory module.

use level_zero_sys::*;

use crate::allocations;
use crate::caller::{fill, update};
use crate::config::MEMORY;
use crate::entry::{Answer, driver_calls};
use crate::object::device::{Device, device};

/// Returns the device of a memory module. Its handle has the same bits as the device's.
fn of_memory(handle: zes_mem_handle_t) -> Answer<std::sync::Arc<Device>> {
    device(ze_device_handle_t(handle.0))
}

driver_calls! {
    fn zesDevicePciGetProperties(hDevice: zes_device_handle_t, pProperties: *mut zes_pci_properties_t) {
        let device = device(hDevice)?;
        update(pProperties, |properties| {
            properties.address = zes_pci_address_t { domain: 0, bus: 3 + device.root, device: 2, function: 1 };
            properties.maxSpeed = zes_pci_speed_t { r#gen: 4, width: 16, maxBandwidth: 31_500_000_000 };
            properties.haveBandwidthCounters = 0;
            properties.havePacketCounters = 0;
            properties.haveReplayCounters = 0;
        })
    }

    fn zesDeviceEnumMemoryModules(
        hDevice: zes_device_handle_t,
        pCount: *mut u32,
        phMemory: *mut zes_mem_handle_t,
    ) {
        device(hDevice)?;
        fill(pCount, phMemory, &[zes_mem_handle_t(hDevice.0)])
    }

    fn zesMemoryGetProperties(hMemory: zes_mem_handle_t, pProperties: *mut zes_mem_properties_t) {
        of_memory(hMemory)?;
        update(pProperties, |properties| {
            properties.r#type = ZES_MEM_TYPE_DDR;
            properties.onSubdevice = 0;
            properties.subdeviceId = 0;
            properties.location = ZES_MEM_LOC_DEVICE;
            properties.physicalSize = MEMORY;
            properties.busWidth = 128;
            properties.numChannels = 2;
        })
    }

    fn zesMemoryGetState(hMemory: zes_mem_handle_t, pState: *mut zes_mem_state_t) {
        let device = of_memory(hMemory)?;
        update(pState, |state| {
            state.health = ZES_MEM_HEALTH_OK;
            state.size = MEMORY;
            state.free = MEMORY.saturating_sub(allocations::used(device.root));
        })
    }

    fn zesMemoryGetBandwidth(hMemory: zes_mem_handle_t, pBandwidth: *mut zes_mem_bandwidth_t) {
        of_memory(hMemory)?;
        update(pBandwidth, |bandwidth| {
            *bandwidth = zes_mem_bandwidth_t { maxBandwidth: 68_000_000_000, ..Default::default() };
        })
    }
}
