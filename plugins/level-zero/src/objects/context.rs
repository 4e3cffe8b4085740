//! Contexts.

use std::ptr::null_mut;
use std::sync::Arc;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Counted, Error, Result, Shared};

use super::device::{Device, DeviceHandle};
use super::platform::Platform;
use crate::driver::{
    Allocation, DriverContext, EventPools, MemoryLocation, OpenedMemory, SynchronousLists, UsmPool,
};
use crate::sys::{Address, ze, *};

/// A driver context with devices of one platform, and the memory and events that are shared in it.
pub struct Context {
    pub(crate) ze: ze_context_handle_t,
    pub(crate) platform: Shared<Platform>,
    pub(crate) devices: Vec<Shared<Device>>,
    /// The driver's devices, each once. The driver considers all slices of a device the same device.
    pub(crate) device_handles: Vec<ze_device_handle_t>,
    pub(crate) synchronous: SynchronousLists,
    pub(crate) usm: Arc<UsmPool>,
    /// Opened memory of other processes.
    pub(crate) opened: OpenedMemory,
    pub(crate) events: Arc<EventPools>,
    pub(crate) driver: Arc<DriverContext>,
}

pub(crate) type ContextHandle = Counted<Context>;

sycl_pi_backend::counted_kinds!(Context: RawContext, INVALID_CONTEXT, "context";);

impl Context {
    /// Creates a context with the given devices, using the driver context that `driver` returns for the driver.
    pub(crate) fn new(
        devices: &[&DeviceHandle],
        driver: impl FnOnce(ze_driver_handle_t) -> Result<Arc<DriverContext>>,
    ) -> Result<Self> {
        let Some(first) = devices.first() else { return Err(Error::invalid_value("devices is empty")) };
        if devices.iter().any(|device| device.platform.driver != first.platform.driver) {
            return Err(Error::new(ErrorCode::INVALID_DEVICE, "devices belong to different platforms"));
        }
        let driver = driver(first.platform.driver)?;
        let mut handles: Vec<_> = devices.iter().map(|device| device.ze).collect();
        handles.sort();
        handles.dedup();
        Ok(Self {
            ze: driver.ze,
            platform: first.platform.clone(),
            devices: devices.iter().map(|device| device.share()).collect(),
            synchronous: SynchronousLists::new(driver.clone()),
            usm: Arc::new(UsmPool::new(driver.clone(), handles.clone())),
            opened: OpenedMemory::new(driver.clone()),
            events: Arc::new(EventPools::new(driver.clone(), handles.clone())),
            device_handles: handles,
            driver,
        })
    }

    /// Returns whether a device belongs to the context or is a sub-device of one that does.
    pub(crate) fn has(&self, device: &Device) -> bool {
        let own = |ze| self.devices.iter().any(|of_context| of_context.ze == ze);
        own(device.ze) || device.parent.as_ref().is_some_and(|parent| self.has(parent))
    }

    /// Checks a device like [`Context::has`] does, and returns an error for the caller.
    pub(crate) fn check(&self, device: &DeviceHandle) -> Result<()> {
        if self.has(device) {
            return Ok(());
        }
        Err(Error::device_of_another_context())
    }

    /// Returns the root devices of the context's devices, each once.
    pub(crate) fn roots(&self) -> Vec<&Device> {
        let mut roots: Vec<&Device> = Vec::new();
        for device in &self.devices {
            let root = device.root();
            if !roots.iter().any(|known| known.ze == root.ze) {
                roots.push(root);
            }
        }
        roots
    }

    /// Returns the allocation that contains an address, either the backend's or one that only the driver knows.
    pub(crate) fn find_allocation(&self, address: Address) -> Result<Option<Allocation>> {
        if let Some(found) = self.usm.find(address) {
            return Ok(Some(found));
        }
        // The driver would report the slab of a free block.
        if self.usm.contains(address) {
            return Ok(None);
        }
        let ze = ze()?;
        let mut properties = ze_memory_allocation_properties_t::default();
        let mut device = ze_device_handle_t::NULL;
        ze.zeMemGetAllocProperties(self.ze, address.get(), &mut properties, &mut device)?;
        let location = match properties.r#type {
            ZE_MEMORY_TYPE_HOST => MemoryLocation::Host,
            ZE_MEMORY_TYPE_DEVICE => MemoryLocation::Device(device),
            ZE_MEMORY_TYPE_SHARED => MemoryLocation::Shared(device),
            _ => return Ok(None),
        };
        let (mut base, mut size) = (null_mut(), 0);
        ze.zeMemGetAddressRange(self.ze, address.get(), &mut base, &mut size)?;
        Ok(Some(Allocation { base: Address::new(base).number(), size, location }))
    }
}
