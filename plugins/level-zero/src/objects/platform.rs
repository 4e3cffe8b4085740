//! Platforms. There is one per Level Zero driver.

use std::sync::OnceLock;

use sycl_pi_backend::{Counted, Result, Shared, can_take_files};

use crate::sys::{self, ze, *};

/// A platform, which corresponds to a driver.
pub struct Platform {
    pub(crate) driver: ze_driver_handle_t,
    /// Version of the specification: major and minor.
    pub(crate) api: (u32, u32),
    pub(crate) driver_version: u32,
    extensions: Vec<String>,
    /// Whether other processes can use its memory, once this was queried.
    shares_memory: OnceLock<bool>,
}

pub(crate) type PlatformHandle = Counted<Platform>;

sycl_pi_backend::counted_kinds!(Platform: RawPlatform, INVALID_PLATFORM, "platform";);

impl Platform {
    /// Queries the version and extensions of a driver.
    pub(crate) fn new(driver: ze_driver_handle_t) -> Result<Shared<Self>> {
        let ze = ze()?;
        let mut properties = ze_driver_properties_t::default();
        ze.zeDriverGetProperties(driver, &mut properties)?;
        let mut api = sys::ze_api_version_t::default();
        ze.zeDriverGetApiVersion(driver, &mut api)?;
        Ok(Counted::share_new(Self {
            driver,
            api: (api.0 >> 16, api.0 & 0xffff),
            driver_version: properties.driverVersion,
            extensions: extensions(driver).unwrap_or_default(),
            shares_memory: OnceLock::new(),
        }))
    }

    /// Returns whether the driver lists an extension.
    pub(crate) fn has(&self, extension: &std::ffi::CStr) -> bool {
        self.extensions.iter().any(|name| name.as_bytes() == extension.to_bytes())
    }

    /// Returns whether other processes can use its memory: the driver must provide IPC handles, and the system must be
    /// able to duplicate files.
    pub(crate) fn shares_memory(&self) -> bool {
        *self.shares_memory.get_or_init(|| {
            let mut properties = ze_driver_ipc_properties_t::default();
            let asked = ze().and_then(|ze| ze.zeDriverGetIpcProperties(self.driver, &mut properties));
            asked.is_ok() && properties.flags & ZE_IPC_PROPERTY_FLAG_MEMORY != 0 && can_take_files()
        })
    }

    /// Returns major, minor and build numbers.
    pub(crate) fn version_text(&self) -> String {
        let version = self.driver_version;
        format!("{}.{}.{}", version >> 24, (version >> 16) & 0xff, version & 0xffff)
    }
}

fn extensions(driver: ze_driver_handle_t) -> Result<Vec<String>> {
    let ze = ze()?;
    let list: Vec<ze_driver_extension_properties_t> =
        sys::list_of(|count, list| ze.zeDriverGetExtensionProperties(driver, count, list))?;
    Ok(list.iter().map(|extension| sys::text_of(&extension.name)).collect())
}
