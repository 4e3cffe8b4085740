//! The devices and files that a libsycl sees.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::ls::DeviceReport;

/// The answer of a libsycl.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SeenBySycl {
    pub devices: Vec<SyclDevice>,
    /// The plugins and adapters that it loaded.
    pub loaded: Vec<PathBuf>,
}

/// A device as libsycl describes it. Releases before 2025.0 have no function that gives a text without C++'s own types.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SyclDevice {
    /// The name of the backend, such as `opencl`; empty if it is not known.
    pub backend: String,
    pub kind: String,
    pub name: String,
    pub vendor: String,
    pub driver_version: String,
    pub version: String,
    pub global_memory: Option<u64>,
    pub local_memory: Option<u64>,
    pub compute_units: Option<u64>,
    pub max_work_group_size: Option<u64>,
}

impl SyclDevice {
    /// Returns its report. `number` is its number among the devices of its backend.
    pub fn report(self, number: u32, libsycl: &Path) -> DeviceReport {
        DeviceReport {
            backend: self.backend,
            number,
            kind: self.kind,
            name: self.name,
            vendor: self.vendor,
            platform: String::new(),
            version: self.version,
            driver_version: self.driver_version,
            plugin: libsycl.into(),
            pi_version: None,
            global_memory: self.global_memory,
            local_memory: self.local_memory,
            compute_units: self.compute_units,
            max_work_group_size: self.max_work_group_size,
            sub_group_sizes: vec![],
            il_version: String::new(),
            aspects: vec![],
            hidden_by: None,
            only_sub_devices: None,
            interface: "libsycl".into(),
            libsycl: Some(libsycl.into()),
        }
    }
}
