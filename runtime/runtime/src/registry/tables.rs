//! Hash tables from names to images.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::Image;

/// The registered images by their names.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) images: HashMap<u64, Arc<Image>>,
    pub(super) kernels: ByName,
    pub(super) exports: ByName,
    pub(super) globals: ByName,
    /// Images that provide virtual functions, by the names of their sets.
    pub(super) virtual_sets: ByName,
    /// Unique ids of device globals, by the addresses of their host variables.
    pub(super) device_globals: HashMap<usize, Arc<str>>,
    /// Sizes and scopes of the device globals that were registered with them.
    pub(super) declared: HashMap<Arc<str>, DeclaredGlobal>,
}

/// The facts in the registration of a device global.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeclaredGlobal {
    pub(crate) size: usize,
    pub(crate) image_scope: bool,
}

/// Images by one of their names, in the order of registration.
#[derive(Default)]
pub(super) struct ByName(HashMap<Arc<str>, Vec<Arc<Image>>>);

impl ByName {
    pub(super) fn get(&self, name: &str) -> &[Arc<Image>] {
        self.0.get(name).map_or(&[], |images| images)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.keys()
    }

    fn add(&mut self, name: Arc<str>, image: &Arc<Image>) {
        self.0.entry(name).or_default().push(image.clone());
    }

    fn remove(&mut self, name: &str, image: &Image) {
        if let Entry::Occupied(mut entry) = self.0.entry(name.into()) {
            entry.get_mut().retain(|other| other.id() != image.id());
            if entry.get().is_empty() {
                entry.remove();
            }
        }
    }
}

/// Returns the virtual function sets in a property.
pub(crate) fn virtual_sets(text: Option<&String>) -> impl Iterator<Item = &str> {
    text.into_iter().flat_map(|text| text.split(',')).map(str::trim).filter(|name| !name.is_empty())
}

impl DeclaredGlobal {
    pub(super) fn from_property(global: &sycl_pi_image::property::DeviceGlobal) -> Self {
        Self { size: global.size as usize, image_scope: global.image_scope }
    }
}

impl std::fmt::Display for DeclaredGlobal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "size {} and image scope {}", self.size, self.image_scope)
    }
}

impl Tables {
    /// Returns the size and scope of a device global, from its registration or from an image.
    pub(super) fn global(&self, unique_id: &str) -> Option<DeclaredGlobal> {
        let by_image = || {
            let image = self.globals.get(unique_id).first()?;
            image.properties().device_globals.get(unique_id).map(DeclaredGlobal::from_property)
        };
        self.declared.get(unique_id).copied().or_else(by_image)
    }

    pub(super) fn add(&mut self, image: &Arc<Image>) {
        let properties = image.properties();
        for kernel in image.kernels() {
            self.kernels.add(kernel.clone(), image);
        }
        for name in properties.exports.iter() {
            self.exports.add(name.into(), image);
        }
        for global in &properties.device_globals.globals {
            self.globals.add(global.unique_id.as_str().into(), image);
        }
        for set in virtual_sets(properties.virtual_functions.provides.as_ref()) {
            self.virtual_sets.add(set.into(), image);
        }
        self.images.insert(image.id(), image.clone());
    }

    pub(super) fn remove(&mut self, image: &Image) {
        let properties = image.properties();
        image.kernels().iter().for_each(|kernel| self.kernels.remove(kernel, image));
        properties.exports.iter().for_each(|name| self.exports.remove(name, image));
        for global in &properties.device_globals.globals {
            self.globals.remove(&global.unique_id, image);
        }
        for set in virtual_sets(properties.virtual_functions.provides.as_ref()) {
            self.virtual_sets.remove(set, image);
        }
        self.images.remove(&image.id());
    }
}
