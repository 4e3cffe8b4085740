//! Devices and sub-devices.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use level_zero_sys::*;

use crate::caller::{fill, write};
use crate::config::config;
use crate::entry::{Answer, driver_calls};
use crate::object::{driver, table};
use crate::{clock, faults, requests};

/// A device or a sub-device.
pub(crate) struct Device {
    pub(crate) handle: usize,
    /// The index of the root device.
    pub(crate) root: u32,
    /// The root device's handle, if this is a sub-device.
    pub(crate) parent: Option<usize>,
    /// The index of the sub-device.
    pub(crate) sub: Option<u32>,
}
table::object!(Device, 2, "device");

struct Family {
    root: ze_device_handle_t,
    subs: Vec<ze_device_handle_t>,
}

fn families() -> &'static [Family] {
    static FAMILIES: OnceLock<Vec<Family>> = OnceLock::new();
    FAMILIES.get_or_init(|| {
        let make = |root, parent, sub| {
            let (handle, _) =
                table::insert_with(|handle: *mut c_void| Device { handle: handle.addr(), root, parent, sub });
            ze_device_handle_t(handle)
        };
        (0..config().devices)
            .map(|index| {
                let root = make(index, None, None);
                let parent = Some(root.0.addr());
                let subs = (0..config().subdevices).map(|sub| make(index, parent, Some(sub))).collect();
                Family { root, subs }
            })
            .collect()
    })
}

pub(crate) fn device(handle: ze_device_handle_t) -> Answer<Arc<Device>> {
    table::get(handle.0)
}

/// A kind of queue.
pub(crate) struct Group {
    pub(crate) flags: u32,
    pub(crate) max_pattern: usize,
    pub(crate) queues: u32,
}

/// Returns the queue groups: everything, and copies only. The specification does not say which comes first.
pub(crate) fn groups() -> [Group; 2] {
    let all = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE
        | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY
        | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
    let copies = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
    let all = Group { flags: all, max_pattern: usize::MAX, queues: 4 };
    let copies = Group { flags: copies, max_pattern: 16, queues: 1 };
    if config().copy_first { [copies, all] } else { [all, copies] }
}

/// Fails if there is no such queue. Otherwise records the request.
pub(crate) fn check_queue(desc: &ze_command_queue_desc_t) -> Answer {
    let groups = groups();
    let Some(group) = groups.get(desc.ordinal as usize) else {
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    };
    if desc.index >= group.queues {
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    if desc.mode > ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS
        || desc.priority > ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH
    {
        return Err(ZE_RESULT_ERROR_INVALID_ENUMERATION);
    }
    let kind =
        if group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE == 0 { "copy" } else { "compute" };
    let (index, mode, priority, flags) = (desc.index, desc.mode.0, desc.priority.0, desc.flags);
    requests::record(format!("{kind} {index} mode {mode} priority {priority} flags {flags}"));
    Ok(())
}

driver_calls! {
    fn zeDeviceGet(hDriver: ze_driver_handle_t, pCount: *mut u32, phDevices: *mut ze_device_handle_t) {
        driver::check(hDriver)?;
        let roots: Vec<_> = families().iter().map(|family| family.root).collect();
        fill(pCount, phDevices, &roots)
    }

    fn zeDeviceGetSubDevices(
        hDevice: ze_device_handle_t,
        pCount: *mut u32,
        phSubdevices: *mut ze_device_handle_t,
    ) {
        let device = device(hDevice)?;
        let family = families().get(device.root as usize).filter(|_| device.sub.is_none());
        fill(pCount, phSubdevices, family.map_or(&[], |family| &family.subs))
    }

    fn zeDeviceGetRootDevice(hDevice: ze_device_handle_t, phRootDevice: *mut ze_device_handle_t) {
        let parent = device(hDevice)?.parent.unwrap_or(0);
        write(phRootDevice, ze_device_handle_t(std::ptr::without_provenance_mut(parent)))
    }

    fn zeDeviceCanAccessPeer(
        hDevice: ze_device_handle_t,
        hPeerDevice: ze_device_handle_t,
        value: *mut ze_bool_t,
    ) {
        device(hDevice)?;
        device(hPeerDevice)?;
        write(value, 1)
    }

    fn zeDeviceGetStatus(hDevice: ze_device_handle_t) {
        device(hDevice)?;
        faults::alive()
    }

    fn zeDeviceGetGlobalTimestamps(
        hDevice: ze_device_handle_t,
        hostTimestamp: *mut u64,
        deviceTimestamp: *mut u64,
    ) {
        device(hDevice)?;
        faults::alive()?;
        write(hostTimestamp, clock::host_ns())?;
        write(deviceTimestamp, clock::ticks())
    }
}
