//! The driver.

use std::ffi::c_char;
use std::sync::OnceLock;

use level_zero_sys::*;

use crate::caller::{fill, fill_with, put_name, update, write};
use crate::config::config;
use crate::entry::{Answer, driver_calls};
use crate::faults;
use crate::object::table;

/// The only driver.
pub(crate) struct Driver;
table::object!(Driver, 1, "driver");

const MAJOR: u32 = 1;
const EXTENSIONS: [&str; 11] = [
    "ZE_experimental_global_offset",
    "ZE_experimental_module_program",
    "ZE_experimental_relaxed_allocation_limits",
    "ZE_experimental_event_query_timestamps",
    "ZE_extension_linkage_inspection",
    "ZE_extension_float_atomics",
    "ZE_extension_pci_properties",
    "ZE_extension_memory_free_policies",
    "ZE_extension_image_copy",
    "ZE_extension_external_memmap_sysmem",
    "ZE_extension_device_ip_version",
];

pub(crate) fn handle() -> ze_driver_handle_t {
    static DRIVER: OnceLock<usize> = OnceLock::new();
    let bits = *DRIVER.get_or_init(|| table::insert(Driver).addr());
    ze_driver_handle_t(std::ptr::without_provenance_mut(bits))
}

pub(crate) fn check(driver: ze_driver_handle_t) -> Answer {
    table::get::<Driver>(driver.0).map(drop)
}

driver_calls! {
    fn zeInit(_flags: ze_init_flags_t) {
        faults::init();
        Ok(())
    }

    fn zeDriverGet(pCount: *mut u32, phDrivers: *mut ze_driver_handle_t) {
        fill(pCount, phDrivers, &[handle()])
    }

    fn zeDriverGetApiVersion(hDriver: ze_driver_handle_t, version: *mut ze_api_version_t) {
        check(hDriver)?;
        write(version, ze_api_version_t((MAJOR << 16) | (config().api_minor & 0xffff)))
    }

    fn zeDriverGetProperties(hDriver: ze_driver_handle_t, pDriverProperties: *mut ze_driver_properties_t) {
        check(hDriver)?;
        update(pDriverProperties, |properties| {
            properties.uuid.id = *b"soft level zero\0";
            properties.driverVersion = 1 << 24 | 3 << 16 | 24595;
        })
    }

    fn zeDriverGetIpcProperties(hDriver: ze_driver_handle_t, pIpcProperties: *mut ze_driver_ipc_properties_t) {
        check(hDriver)?;
        update(pIpcProperties, |properties| properties.flags = ZE_IPC_PROPERTY_FLAG_MEMORY)
    }

    fn zeDriverGetExtensionProperties(
        hDriver: ze_driver_handle_t,
        pCount: *mut u32,
        pExtensionProperties: *mut ze_driver_extension_properties_t,
    ) {
        check(hDriver)?;
        fill_with(pCount, pExtensionProperties, &EXTENSIONS, |place, name| {
            put_name(&mut place.name, name);
            place.version = 1 << 16;
        })
    }

    fn zeDriverGetLastErrorDescription(hDriver: ze_driver_handle_t, ppString: *mut *const c_char) {
        check(hDriver)?;
        write(ppString, c"the software driver's report has the details".as_ptr())
    }
}
