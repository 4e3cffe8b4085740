//! Devices and their properties, read once.

use std::fmt;
use std::sync::{Arc, OnceLock};

use sycl_pi_core::*;
use sycl_pi_image::architecture;
use sycl_pi_loader::{DeviceInfo, DeviceType};

use super::handle::{Handle, next_id};
use super::plugin::Plugin;
use crate::build::Combination;

/// A device.
#[derive(Clone)]
pub struct Device(Arc<DeviceInner>);

struct DeviceInner {
    id: u64,
    plugin: Plugin,
    raw: Handle<_pi_device>,
    platform: String,
    info: DeviceInfo,
    aspects: Vec<u32>,
    architectures: Vec<u32>,
    max_work_item_sizes: Vec<usize>,
    matrices: Vec<Combination>,
    /// Its identity in the keys of programs on disk.
    identity: OnceLock<sycl_pi_cache::store::DeviceIdentity>,
}

impl Device {
    pub(super) fn new(
        plugin: Plugin,
        platform: &str,
        device: &sycl_pi_loader::PluginDevice<'static>,
    ) -> Self {
        let info = device.info();
        let aspects = info.aspects.iter().filter_map(|name| sycl_pi_image::aspect::number(name)).collect();
        let sizes = device.info_bytes(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES).unwrap_or_default();
        let words = sizes.chunks_exact(size_of::<usize>()).filter_map(|word| word.try_into().ok());
        Self(Arc::new(DeviceInner {
            id: next_id(),
            plugin,
            raw: Handle::new(device.handle()),
            platform: platform.to_owned(),
            architectures: architectures(info.kind, info.vendor_id, info.ip_version),
            info,
            aspects,
            max_work_item_sizes: words.map(usize::from_ne_bytes).collect(),
            // No answer means that there are none.
            matrices: Combination::read(
                &device.info_bytes(PI_EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS).unwrap_or_default(),
            ),
            identity: OnceLock::new(),
        }))
    }

    /// Returns the identity of the device and of all software between it and a program, with versions, for the keys of
    /// programs on disk.
    pub(crate) fn identity(&self) -> &sycl_pi_cache::store::DeviceIdentity {
        self.0.identity.get_or_init(|| sycl_pi_cache::store::DeviceIdentity {
            platform: self.0.platform.clone(),
            name: self.0.info.name.clone(),
            version: self.0.info.version.clone(),
            driver: self.0.info.driver_version.clone(),
            plugin: self.0.plugin.loaded().identity(),
            // A change in the rewriting of SPIR-V results in different programs.
            runtime: format!(
                "{} {} rewriting {}",
                env!("CARGO_PKG_NAME"),
                env!("CARGO_PKG_VERSION"),
                sycl_pi_image::spirv::PORTABLE_REVISION
            ),
        })
    }

    /// Returns a sub-device of this device.
    ///
    /// # Safety
    /// The handle refers to a sub-device that the plugin created from this device.
    pub(super) unsafe fn part(&self, handle: pi_device) -> Self {
        // SAFETY: guaranteed by the caller.
        let device = unsafe { self.plugin().loaded().device(handle) };
        Self::new(self.0.plugin, &self.0.platform, &device)
    }

    pub(super) fn raw(&self) -> pi_device {
        self.0.raw.get()
    }

    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }

    /// Returns its plugin.
    pub fn plugin(&self) -> Plugin {
        self.0.plugin
    }

    /// Returns the name of its platform.
    pub fn platform_name(&self) -> &str {
        &self.0.platform
    }

    /// Returns its properties.
    pub fn info(&self) -> &DeviceInfo {
        &self.0.info
    }

    /// Returns its aspects by number (`sycl::aspect`); [`sycl_pi_image::aspect`] has their names.
    pub fn aspects(&self) -> &[u32] {
        &self.0.aspects
    }

    /// Returns whether it has an aspect or belongs to an architecture.
    pub fn has(&self, aspect: u32) -> bool {
        self.0.aspects.contains(&aspect) || self.0.architectures.contains(&aspect)
    }

    /// Returns the multiplications of joint matrices that it supports.
    pub(crate) fn matrices(&self) -> &[Combination] {
        &self.0.matrices
    }

    /// Returns the most work-items of a work-group in each dimension, in the driver's order: fastest first.
    pub fn max_work_item_sizes(&self) -> &[usize] {
        &self.0.max_work_item_sizes
    }
}

/// Returns the architectures of a device, to which images can be fixed.
fn architectures(kind: DeviceType, vendor: Option<u64>, ip_version: Option<u32>) -> Vec<u32> {
    match (kind, vendor, ip_version) {
        (DeviceType::Cpu, _, version) => architecture::of_processor(version),
        (DeviceType::Gpu, Some(vendor), Some(version)) => {
            architecture::of_gpu(vendor, version).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        self.raw() == other.raw() && self.0.plugin == other.0.plugin
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device {}", self.0.info.name)
    }
}

#[cfg(test)]
mod tests {
    use sycl_pi_image::aspect;

    use super::*;

    /// An aspect without a number would silently be missing from every device.
    #[test]
    fn every_aspect_that_a_device_can_have_has_a_number() {
        let without: Vec<_> =
            sycl_pi_loader::aspect_names().filter(|name| aspect::number(name).is_none()).collect();
        assert!(without.is_empty(), "lib/image/src/aspect.rs has no number for {without:?}");
    }

    /// An image that is fixed to an architecture runs only on devices that report it.
    #[test]
    fn a_device_is_of_the_architecture_that_it_reports() {
        let named = |name: &str| architecture::number(name).unwrap();
        assert_eq!(architectures(DeviceType::Gpu, Some(0x8086), Some(0x030f_0007)), [named("intel_gpu_pvc")]);
        assert_eq!(architectures(DeviceType::Gpu, Some(0x10de), Some(90)), [named("nvidia_gpu_sm_90")]);
        assert!(architectures(DeviceType::Gpu, Some(0x8086), None).is_empty());
        assert!(architectures(DeviceType::Accelerator, Some(0x8086), Some(0x030f_0007)).is_empty());
        #[cfg(target_arch = "x86_64")]
        assert_eq!(architectures(DeviceType::Cpu, None, None), [named("x86_64")]);
    }
}
