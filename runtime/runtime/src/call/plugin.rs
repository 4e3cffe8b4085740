//! A plugin and its platforms.

use std::path::Path;
use std::sync::Arc;

use sycl_pi_loader::{Plugin, Table};

use super::Device;
use crate::error::{About, Error, Result};

/// A loaded plugin. It stays loaded to the end of the process, and so does its table.
#[derive(Clone, Copy)]
pub struct Backend(&'static Plugin);

/// A platform: a driver with its devices.
#[derive(Clone)]
pub struct Platform {
    backend: Backend,
    platform: Arc<PlatformInner>,
}

struct PlatformInner {
    facts: sycl_pi_loader::PlatformFacts,
    devices: Vec<Device>,
}

impl Backend {
    /// Opens the plugin at `path`. Opening a library runs its code: the file is trusted as a program would be.
    ///
    /// # Errors
    /// Says why the plugin did not load.
    pub fn open(path: &Path) -> Result<Self> {
        Plugin::open(path).map(Self::new).map_err(|error| Error::Load(Arc::new(error)))
    }

    /// Takes a plugin that is loaded.
    pub fn new(plugin: Plugin) -> Self {
        plugin.table.want_texts();
        Self(Box::leak(Box::new(plugin)))
    }

    /// The plugin.
    pub fn plugin(self) -> &'static Plugin {
        self.0
    }

    pub(super) fn table(self) -> &'static Table {
        &self.0.table
    }

    pub(super) fn same(self, other: Backend) -> bool {
        std::ptr::eq(self.0, other.0)
    }

    /// Why there is no device, in the plugin's words where it has any: `: libOpenCL.so.1 is not there`.
    pub(super) fn reason(self) -> String {
        let text = self.0.table.last_text();
        text.map(|text| format!(": {text}")).unwrap_or_default()
    }

    /// The platforms, with their devices.
    ///
    /// # Errors
    /// The plugin cannot list them.
    pub fn platforms(self) -> Result<Vec<Platform>> {
        let name = || format!("plugin {}", self.0.path.display());
        let mut all = Vec::new();
        for platform in self.0.platforms().about(name)? {
            let (facts, devices) = (platform.facts(), platform.devices().about(name)?);
            let devices = devices.iter().map(|device| Device::new(self, &facts.name, device)).collect();
            let platform = Arc::new(PlatformInner { facts, devices });
            all.push(Platform { backend: self, platform });
        }
        Ok(all)
    }

    /// The devices of all platforms.
    ///
    /// # Errors
    /// The plugin cannot list them.
    pub fn devices(self) -> Result<Vec<Device>> {
        Ok(self.platforms()?.iter().flat_map(|platform| platform.devices().to_vec()).collect())
    }

    /// The first device.
    ///
    /// # Errors
    /// There is none, or the plugin cannot list them.
    pub fn first_device(self) -> Result<Device> {
        let none =
            || Error::NoDevice(format!("plugin {} offers none{}", self.0.path.display(), self.reason()));
        self.devices()?.into_iter().next().ok_or_else(none)
    }
}

impl Platform {
    /// What the platform says of itself.
    pub fn facts(&self) -> &sycl_pi_loader::PlatformFacts {
        &self.platform.facts
    }

    /// Its devices.
    pub fn devices(&self) -> &[Device] {
        &self.platform.devices
    }

    /// Its plugin.
    pub fn backend(&self) -> Backend {
        self.backend
    }
}
