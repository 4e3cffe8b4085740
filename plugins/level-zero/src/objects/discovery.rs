//! The drivers of the machine and their devices. They are found once and live as long as the process.

use std::sync::OnceLock;

use sycl_pi_backend::{Result, Shared};

use super::device::{self, Device, DeviceHandle};
use super::platform::Platform;
use crate::sys::{self, ze, ze_device_handle_t};

/// A driver with its root devices.
pub(crate) struct FoundPlatform {
    pub(crate) platform: Shared<Platform>,
    pub(crate) roots: Vec<Shared<Device>>,
}

impl FoundPlatform {
    /// Returns the root devices and their sub-devices.
    pub(crate) fn devices(&self) -> impl Iterator<Item = &DeviceHandle> {
        self.roots.iter().flat_map(|root| std::iter::once(root).chain(root.tiles())).map(|device| &**device)
    }
}

/// Returns every platform. Without a driver there is none, and the log states the reason.
pub(crate) fn platforms() -> &'static [FoundPlatform] {
    found_or_why().as_deref().unwrap_or_default()
}

/// Returns the reason why there is no platform, if there is none.
pub(crate) fn why_none() -> Option<&'static str> {
    match found_or_why() {
        Ok(platforms) if platforms.is_empty() => Some("the Level Zero loader knows no driver"),
        Ok(_) => None,
        Err(why) => Some(why),
    }
}

fn found_or_why() -> &'static std::result::Result<Vec<FoundPlatform>, String> {
    static PLATFORMS: OnceLock<std::result::Result<Vec<FoundPlatform>, String>> = OnceLock::new();
    PLATFORMS.get_or_init(|| {
        find().map_err(|error| {
            log::info!("no Level Zero platform: {error}");
            error.text().to_owned()
        })
    })
}

/// Returns the entry of a platform, with its devices.
pub(crate) fn found(platform: &Platform) -> Option<&'static FoundPlatform> {
    platforms().iter().find(|found| found.platform.driver == platform.driver)
}

/// Returns the device of a native handle.
pub(crate) fn device_of(native: ze_device_handle_t) -> Option<&'static DeviceHandle> {
    platforms().iter().flat_map(FoundPlatform::devices).find(|device| device.ze == native)
}

fn find() -> Result<Vec<FoundPlatform>> {
    let ze = ze()?;
    ze.zeInit(0)?;
    let drivers = sys::list_of(|count, list| ze.zeDriverGet(count, list))?;
    sys::know_drivers(drivers.clone());
    let mut platforms = Vec::new();
    for driver in drivers {
        let platform = Platform::new(driver)?;
        let roots = device::find(&platform)?;
        log::info!("Level Zero driver {}: {} devices", platform.version_text(), roots.len());
        platforms.push(FoundPlatform { platform, roots });
    }
    Ok(platforms)
}
