//! Device properties that are queried from the driver once, at the first query that needs them.

use std::sync::OnceLock;

use sycl_pi_backend::Result;

use crate::sys::{ze, *};

/// Lazily queried properties of a device.
pub(crate) struct LazyProperties {
    device: ze_device_handle_t,
    module: OnceLock<ze_device_module_properties_t>,
    images: OnceLock<ze_device_image_properties_t>,
    memory_access: OnceLock<ze_device_memory_access_properties_t>,
    external_memory: OnceLock<ze_device_external_memory_properties_t>,
}

impl LazyProperties {
    pub(crate) fn new(device: ze_device_handle_t) -> Self {
        Self {
            device,
            module: OnceLock::new(),
            images: OnceLock::new(),
            memory_access: OnceLock::new(),
            external_memory: OnceLock::new(),
        }
    }

    pub(crate) fn module(&self) -> Result<&ze_device_module_properties_t> {
        ask_once(&self.module, |properties| ze()?.zeDeviceGetModuleProperties(self.device, properties))
    }

    pub(crate) fn images(&self) -> Result<&ze_device_image_properties_t> {
        ask_once(&self.images, |properties| ze()?.zeDeviceGetImageProperties(self.device, properties))
    }

    pub(crate) fn memory_access(&self) -> Result<&ze_device_memory_access_properties_t> {
        ask_once(&self.memory_access, |properties| {
            ze()?.zeDeviceGetMemoryAccessProperties(self.device, properties)
        })
    }

    pub(crate) fn external_memory(&self) -> Result<&ze_device_external_memory_properties_t> {
        ask_once(&self.external_memory, |properties| {
            ze()?.zeDeviceGetExternalMemoryProperties(self.device, properties)
        })
    }
}

fn ask_once<T: Default>(known: &OnceLock<T>, ask: impl FnOnce(&mut T) -> Result<()>) -> Result<&T> {
    if let Some(known) = known.get() {
        return Ok(known);
    }
    let mut value = T::default();
    ask(&mut value)?;
    Ok(known.get_or_init(|| value))
}
