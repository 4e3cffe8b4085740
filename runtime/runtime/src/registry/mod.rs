//! Which images there are, found by the names in them.
//!
//! An image is decoded when it is registered: a malformed one is refused with the image's, the set's and the property's name,
//! and the rest of its library is registered all the same. Removing really removes: every table shrinks.

mod image;
mod tables;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::RwLock;
use sycl_pi_image::ImageParts;

pub use image::{Format, Image};
pub use tables::Images;
use tables::Tables;
pub(crate) use tables::virtual_sets;

use crate::call::next_id;
use crate::error::{Error, Result};

/// The registered images.
///
/// ```
/// use sycl_pi_runtime::{ImageParts, Registry};
/// let registry = Registry::new();
/// let module = registry.add(ImageParts {
///     name: "scale.spv".into(),
///     target: "spir64".into(),
///     bytes: vec![0x03, 0x02, 0x23, 0x07].into(),
///     entries: vec!["scale".into()],
///     ..Default::default()
/// })?;
/// assert!(registry.has_kernel("scale"));
/// registry.remove(module);
/// assert!(!registry.has_kernel("scale"));
/// # Ok::<(), sycl_pi_runtime::Error>(())
/// ```
#[derive(Default)]
pub struct Registry {
    tables: RwLock<Tables>,
    generation: AtomicU64,
}

/// A library or file whose images were registered together, to take them out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleId(pub(crate) u64);

impl Registry {
    /// An empty registry.
    pub fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// The registry that `__sycl_register_lib` fills. It lives to the end of the process.
    pub fn process() -> &'static Arc<Self> {
        static PROCESS: OnceLock<Arc<Registry>> = OnceLock::new();
        PROCESS.get_or_init(Registry::new)
    }

    /// Registers one image as a module of its own.
    ///
    /// # Errors
    /// The image is malformed: where, and how.
    pub fn add(&self, parts: ImageParts<'_>) -> Result<ModuleId> {
        let (module, mut errors) = self.add_module([(parts, None)]);
        errors.pop().map_or(Ok(module), Err)
    }

    /// Registers a module's images; those that are malformed are left out, and told.
    pub fn add_module<'a>(
        &self,
        images: impl IntoIterator<Item = (ImageParts<'a>, Option<Format>)>,
    ) -> (ModuleId, Vec<Error>) {
        let module = ModuleId(next_id());
        let (mut good, mut errors) = (Vec::new(), Vec::new());
        for (parts, format) in images {
            match Image::new(module.0, parts.into_owned(), format) {
                Ok(image) => good.push(Arc::new(image)),
                Err(error) => errors.push(error),
            }
        }
        let mut tables = self.tables.write();
        for image in good {
            match contradiction(&tables, &image) {
                Some(error) => errors.push(error),
                None => tables.add(&image),
            }
        }
        drop(tables);
        self.generation.fetch_add(1, Ordering::Release);
        (module, errors)
    }

    /// Takes a module's images out again. Kernels that were got before stay usable.
    pub fn remove(&self, module: ModuleId) {
        let mut tables = self.tables.write();
        let gone: Vec<Arc<Image>> =
            tables.images.values().filter(|image| image.module() == module.0).cloned().collect();
        gone.iter().for_each(|image| tables.remove(image));
        drop(tables);
        self.generation.fetch_add(1, Ordering::Release);
    }

    /// Changes whenever something was registered or removed.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The images that have a kernel.
    pub fn images_with_kernel(&self, name: &str) -> Images {
        self.tables.read().kernels.get(name).into()
    }

    /// Whether any image has a kernel of this name.
    pub fn has_kernel(&self, name: &str) -> bool {
        !self.tables.read().kernels.get(name).is_empty()
    }

    /// The images that export a symbol.
    pub fn images_with_export(&self, symbol: &str) -> Images {
        self.tables.read().exports.get(symbol).into()
    }

    /// The images that have a device global of this unique id.
    pub fn images_with_global(&self, unique_id: &str) -> Images {
        self.tables.read().globals.get(unique_id).into()
    }

    pub(crate) fn images_with_virtual_set(&self, set: &str) -> Images {
        self.tables.read().virtual_sets.get(set).into()
    }

    /// All images, in the order of registration.
    pub fn images(&self) -> Vec<Arc<Image>> {
        let mut images: Vec<Arc<Image>> = self.tables.read().images.values().cloned().collect();
        images.sort_by_key(|image| image.id());
        images
    }

    pub(crate) fn contains(&self, image: u64) -> bool {
        self.tables.read().images.contains_key(&image)
    }

    /// The names of all kernels.
    pub fn kernel_names(&self) -> Vec<Arc<str>> {
        self.tables.read().kernels.names().cloned().collect()
    }

    pub(crate) fn export_names(&self) -> Vec<Arc<str>> {
        self.tables.read().exports.names().cloned().collect()
    }

    /// `device_global_map::add`: the host's variable at `address` is the device global `unique_id`. Before or after the
    /// images that have it.
    pub fn add_host_global(&self, address: usize, unique_id: &str) {
        let id: Arc<str> = unique_id.into();
        let mut tables = self.tables.write();
        tables.hosts.insert(address, id.clone());
        tables.host_ids.insert(id, address);
    }

    /// The unique id of the host's variable at `address`.
    pub fn global_at(&self, address: usize) -> Option<Arc<str>> {
        self.tables.read().hosts.get(&address).cloned()
    }

    /// The address of the host's variable of this unique id.
    pub fn host_address(&self, unique_id: &str) -> Option<usize> {
        self.tables.read().host_ids.get(unique_id).copied()
    }
}

/// One device global cannot have two sizes or scopes.
fn contradiction(tables: &Tables, image: &Image) -> Option<Error> {
    image.properties().device_globals.globals.iter().find_map(|global| {
        let other = tables.globals.get(&global.unique_id).first()?;
        let same = other.properties().device_globals.get(&global.unique_id)?;
        (same.size != global.size || same.image_scope != global.image_scope).then(|| {
            Error::Image(format!(
                "image {}: property set \"SYCL/device globals\", property \"{}\": has size {} and image scope {}, \
                 but in image {} it has size {} and image scope {}",
                image.name(), global.unique_id, global.size, global.image_scope, other.name(), same.size,
                same.image_scope
            ))
        })
    })
}
