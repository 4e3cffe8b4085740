//! Devices and what they can do, read once.

use std::fmt;
use std::sync::{Arc, OnceLock};

use sycl_pi_core::*;
use sycl_pi_loader::DeviceFacts;

use super::plugin::Backend;
use super::raw::{Raw, next_id};
use crate::build::Combination;

/// A device.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    id: u64,
    backend: Backend,
    raw: Raw<_pi_device>,
    platform: String,
    facts: DeviceFacts,
    aspects: Vec<u32>,
    max_work_item_sizes: Vec<usize>,
    matrices: Vec<Combination>,
    /// What stands for it in the keys of programs on disk.
    in_keys: OnceLock<sycl_pi_cache::store::Device>,
}

impl Device {
    pub(super) fn new(backend: Backend, platform: &str, device: &sycl_pi_loader::Device<'static>) -> Self {
        let facts = device.facts();
        let aspects = facts.aspects.iter().filter_map(|name| sycl_pi_image::aspect::number(name)).collect();
        let sizes = device.info_bytes(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES).unwrap_or_default();
        let words = sizes.chunks_exact(size_of::<usize>()).filter_map(|word| word.try_into().ok());
        Self(Arc::new(Inner {
            id: next_id(),
            backend,
            raw: Raw::new(device.handle()),
            platform: platform.to_owned(),
            facts,
            aspects,
            max_work_item_sizes: words.map(usize::from_ne_bytes).collect(),
            // No answer means none.
            matrices: Combination::read(
                &device.info_bytes(PI_EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS).unwrap_or_default(),
            ),
            in_keys: OnceLock::new(),
        }))
    }

    /// The device and all software between it and a program, with versions, as they stand in the keys of programs on disk.
    pub(crate) fn in_keys(&self) -> &sycl_pi_cache::store::Device {
        self.0.in_keys.get_or_init(|| sycl_pi_cache::store::Device {
            platform: self.0.platform.clone(),
            name: self.0.facts.name.clone(),
            version: self.0.facts.version.clone(),
            driver: self.0.facts.driver_version.clone(),
            plugin: self.0.backend.plugin().identity(),
            runtime: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        })
    }

    /// A part of this device.
    ///
    /// # Safety
    /// The handle is of a sub-device that the plugin made of this one.
    pub(super) unsafe fn part(&self, handle: pi_device) -> Self {
        // SAFETY: as the caller says.
        let device = unsafe { self.backend().plugin().device(handle) };
        Self::new(self.0.backend, &self.0.platform, &device)
    }

    pub(super) fn raw(&self) -> pi_device {
        self.0.raw.get()
    }

    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }

    /// Its plugin.
    pub fn backend(&self) -> Backend {
        self.0.backend
    }

    /// The name of its platform.
    pub fn platform_name(&self) -> &str {
        &self.0.platform
    }

    /// What it says of itself.
    pub fn facts(&self) -> &DeviceFacts {
        &self.0.facts
    }

    /// Its aspects by number (`sycl::aspect`); [`sycl_pi_image::aspect`] has their names.
    pub fn aspects(&self) -> &[u32] {
        &self.0.aspects
    }

    /// Whether it has an aspect.
    pub fn has(&self, aspect: u32) -> bool {
        self.0.aspects.contains(&aspect)
    }

    /// The multiplications of joint matrices that it has.
    pub(crate) fn matrices(&self) -> &[Combination] {
        &self.0.matrices
    }

    /// The most work items of a work-group in each dimension, in the order of the driver: fastest first.
    pub fn max_work_item_sizes(&self) -> &[usize] {
        &self.0.max_work_item_sizes
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        self.raw() == other.raw() && self.0.backend.same(other.0.backend)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device {}", self.0.facts.name)
    }
}
