//! A plugin's platforms and devices.

use std::fmt;
use std::sync::Arc;

use super::device::Device;
use super::plugin::Plugin;
use crate::error::{Error, Result, WithObject};

/// A platform: a driver with its devices.
#[derive(Clone)]
pub struct Platform {
    plugin: Plugin,
    inner: Arc<PlatformInner>,
}

struct PlatformInner {
    info: sycl_pi_loader::PlatformInfo,
    devices: Vec<Device>,
}

impl Plugin {
    /// Returns the platforms, with their devices.
    ///
    /// # Errors
    /// The plugin cannot list them.
    pub fn platforms(self) -> Result<Vec<Platform>> {
        let name = || format!("plugin {}", self.loaded().path.display());
        let mut all = Vec::new();
        for platform in self.loaded().platforms().with_object(name)? {
            let (info, devices) = (platform.info(), platform.devices().with_object(name)?);
            let devices = devices.iter().map(|device| Device::new(self, &info.name, device)).collect();
            all.push(Platform { plugin: self, inner: Arc::new(PlatformInner { info, devices }) });
        }
        Ok(all)
    }

    /// Returns the devices of all platforms.
    ///
    /// # Errors
    /// The plugin cannot list them.
    pub fn devices(self) -> Result<Vec<Device>> {
        Ok(self.platforms()?.iter().flat_map(|platform| platform.devices().to_vec()).collect())
    }

    /// Returns the first device.
    ///
    /// # Errors
    /// Fails if there is none, or if the plugin cannot list them.
    pub fn first_device(self) -> Result<Device> {
        let none = || {
            Error::NoDevice(format!("plugin {} offers none{}", self.loaded().path.display(), self.reason()))
        };
        self.devices()?.into_iter().next().ok_or_else(none)
    }
}

impl Platform {
    /// Returns the properties of the platform.
    pub fn info(&self) -> &sycl_pi_loader::PlatformInfo {
        &self.inner.info
    }

    /// Returns its devices.
    pub fn devices(&self) -> &[Device] {
        &self.inner.devices
    }

    /// Returns its plugin.
    pub fn plugin(&self) -> Plugin {
        self.plugin
    }
}

impl fmt::Debug for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "platform {} of {:?}", self.inner.info.name, self.plugin)
    }
}
