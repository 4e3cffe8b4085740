//! Devices and sub-devices.
//!
//! A root device may have tiles (the driver's sub-devices), and a device without tiles may have slices: the same
//! device, bound to one of its compute engines. All are found once and live as long as the process. References that
//! callers hold to sub-devices are counted separately.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use sycl_pi_backend::{Counted, Result, Shared};

use super::lazy_properties::LazyProperties;
use super::platform::{Platform, PlatformHandle};
use crate::sys::*;

/// A root device, tile or slice.
pub struct Device {
    pub(crate) ze: ze_device_handle_t,
    pub(crate) platform: Shared<Platform>,
    pub(crate) parent: Option<Shared<Device>>,
    pub(crate) properties: ze_device_properties_t,
    pub(crate) compute: ze_device_compute_properties_t,
    pub(crate) groups: Vec<ze_command_queue_group_properties_t>,
    /// The compute engine that a slice is bound to.
    pub(crate) slice: Option<u32>,
    /// The duration of one tick of the device's clocks in nanoseconds.
    pub(crate) tick: f64,
    /// Properties that are queried from the driver at the first use.
    pub(crate) lazy: LazyProperties,
    tiles: OnceLock<Vec<Shared<Device>>>,
    slices: OnceLock<Vec<Shared<Device>>>,
    /// The number of references that callers hold to a sub-device.
    users: AtomicU32,
}

pub(crate) type DeviceHandle = Counted<Device>;

sycl_pi_backend::counted_kinds! {
    Device: RawDevice, INVALID_DEVICE, "device" {
        /// Devices live as long as the process. Only references that callers hold to sub-devices are counted,
        /// separately.
        fn on_retain(&self) -> bool {
            self.add_user();
            false
        }

        fn on_release(&self) -> bool {
            let less = |users: u32| users.checked_sub(1);
            if self.is_sub_device() && self.users.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err() {
                log::warn!("a sub-device was released more often than retained");
            }
            false
        }
    };
}

/// Finds the root devices of a driver and all sub-devices that they can be partitioned into.
pub(crate) fn find(platform: &PlatformHandle) -> Result<Vec<Shared<Device>>> {
    let ze = ze()?;
    let mut roots = Vec::new();
    for device in list_of(|count, list| ze.zeDeviceGet(platform.driver, count, list))? {
        let root = Counted::share_new(Device::new(platform, device, None, None)?);
        let mut tiles = Vec::new();
        for tile in list_of(|count, list| ze.zeDeviceGetSubDevices(device, count, list))? {
            let tile = Counted::share_new(Device::new(platform, tile, Some(root.clone()), None)?);
            tile.find_slices(&tile)?;
            tiles.push(tile);
        }
        if tiles.is_empty() {
            root.find_slices(&root)?;
        }
        let _ = root.tiles.set(tiles);
        roots.push(root);
    }
    Ok(roots)
}

impl Device {
    fn new(
        platform: &PlatformHandle,
        device: ze_device_handle_t,
        parent: Option<Shared<Device>>,
        slice: Option<u32>,
    ) -> Result<Self> {
        let ze = ze()?;
        let mut properties = ze_device_properties_t::default();
        ze.zeDeviceGetProperties(device, &mut properties)?;
        let mut compute = ze_device_compute_properties_t::default();
        ze.zeDeviceGetComputeProperties(device, &mut compute)?;
        let groups = list_of(|count, list| ze.zeDeviceGetCommandQueueGroupProperties(device, count, list))?;
        Ok(Self {
            ze: device,
            platform: platform.share(),
            parent,
            compute,
            groups,
            slice,
            tick: tick(platform, device, &properties),
            properties,
            lazy: LazyProperties::new(device),
            tiles: OnceLock::new(),
            slices: OnceLock::new(),
            users: AtomicU32::new(0),
        })
    }

    /// Creates slices, into which a device with several compute engines can be partitioned.
    fn find_slices(&self, this: &DeviceHandle) -> Result<()> {
        let engines = self.compute_group().map_or(0, |group| self.groups[group as usize].numQueues);
        let mut slices = Vec::new();
        if engines > 1 {
            for slice in 0..engines {
                let body = Device::new(&self.platform, self.ze, Some(this.share()), Some(slice))?;
                slices.push(Counted::share_new(body));
            }
        }
        let _ = self.slices.set(slices);
        Ok(())
    }

    /// Returns the driver's sub-devices.
    pub(crate) fn tiles(&self) -> &[Shared<Device>] {
        self.tiles.get().map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the slices, one per compute engine.
    pub(crate) fn slices(&self) -> &[Shared<Device>] {
        self.slices.get().map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the root device, which the driver lists.
    pub(crate) fn root(&self) -> &Device {
        match &self.parent {
            Some(parent) => parent.root(),
            None => self,
        }
    }

    /// Returns whether the device shares the host's memory.
    pub(crate) fn is_integrated(&self) -> bool {
        self.properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED != 0
    }

    /// Returns the first group of engines that can run kernels.
    pub(crate) fn compute_group(&self) -> Option<u32> {
        self.group(|flags| flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE != 0)
    }

    /// Returns the first group of copy-only engines.
    pub(crate) fn copy_group(&self) -> Option<u32> {
        self.group(|flags| {
            flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY != 0
                && flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE == 0
        })
    }

    fn group(&self, fits: impl Fn(u32) -> bool) -> Option<u32> {
        self.groups.iter().position(|group| fits(group.flags) && group.numQueues > 0).map(|at| at as u32)
    }

    /// Returns the number of compute engines that a queue may select.
    pub(crate) fn compute_engines(&self) -> u32 {
        if self.slice.is_some() {
            return 1;
        }
        self.compute_group().map_or(1, |group| self.groups[group as usize].numQueues.max(1))
    }

    /// Returns the number of sub-slices, parts of the device with their own work-group dispatcher and local memory.
    pub(crate) fn sub_slices(&self) -> u32 {
        self.properties.numSlices.saturating_mul(self.properties.numSubslicesPerSlice)
    }

    /// Returns the type of file descriptor that the driver exports memory of the device as, if it does.
    pub(crate) fn export_type(&self) -> Result<Option<ze_external_memory_type_flags_t>> {
        let known = self.lazy.external_memory()?.memoryAllocationExportTypes;
        let kinds = [ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF];
        Ok(kinds.into_iter().find(|kind| known & kind != 0))
    }

    /// Returns the time of the host and device clocks, each in its own ticks.
    pub(crate) fn clocks(&self) -> Result<(u64, u64)> {
        let (mut host, mut device) = (0, 0);
        ze()?.zeDeviceGetGlobalTimestamps(self.ze, &mut host, &mut device)?;
        Ok((host, device & clock_mask(self.properties.timestampValidBits)))
    }

    /// Converts a reading of the device's clock to nanoseconds.
    pub(crate) fn nanoseconds(&self, ticks: u64) -> u64 {
        (ticks as f64 * self.tick) as u64
    }

    /// Counts a reference to a sub-device that is passed to a caller.
    pub(crate) fn add_user(&self) {
        if self.is_sub_device() {
            // The count saturates.
            let more = |users: u32| users.checked_add(1);
            let _ = self.users.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        }
    }

    fn is_sub_device(&self) -> bool {
        self.parent.is_some()
    }

    /// Returns the count for `DeviceInfo::REFERENCE_COUNT`.
    pub(crate) fn references(&self) -> u32 {
        self.users.load(Ordering::Relaxed).max(1)
    }
}

/// Returns a mask of the valid bits of a clock.
pub(crate) fn clock_mask(bits: u32) -> u64 {
    if (1..64).contains(&bits) { (1 << bits) - 1 } else { u64::MAX }
}

/// Returns the duration of a tick in nanoseconds. Newer drivers report ticks per second, older ones nanoseconds per
/// tick. No clock is slower than 1 MHz, so the two can be distinguished.
fn tick(platform: &PlatformHandle, device: ze_device_handle_t, properties: &ze_device_properties_t) -> f64 {
    let mut newer = ze_device_properties_t {
        stype: ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2,
        ..ze_device_properties_t::default()
    };
    let asked =
        platform.api >= (1, 2) && ze().and_then(|ze| ze.zeDeviceGetProperties(device, &mut newer)).is_ok();
    if asked && newer.timerResolution > 1000 {
        return 1e9 / newer.timerResolution as f64;
    }
    properties.timerResolution.max(1) as f64
}

/// Returns the time of the host's monotonic clock since the first call in nanoseconds.
pub(crate) fn host_nanoseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
