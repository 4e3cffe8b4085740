//! The registered images, found by the names in them.
//!
//! Registration decodes an image. The error for a malformed image names the image, the property set and the property;
//! the other images of its library are registered. Removing an image removes it from every table.
#![expect(unsafe_code, reason = "device images that a program holds")]

mod code_alone;
mod file;
mod image;
mod kept;
mod source;
mod tables;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::RwLock;
use sycl_pi_image::ImageParts;
use sycl_pi_image::text;

use code_alone::without_properties;
pub(crate) use image::RequiredSize;
pub use image::{Format, Image};
use tables::Tables;
pub(crate) use tables::{DeclaredGlobal, virtual_sets};

use crate::call::next_id;
use crate::error::{Error, ImageError, Result};

/// The registered images.
///
/// ```
/// use sycl_pi_runtime::{ImageParts, Registry};
/// let registry = Registry::new();
/// let mut parts = ImageParts::new("scale.spv", "spir64", vec![0x03, 0x02, 0x23, 0x07]);
/// parts.entries.push("scale".into());
/// // SAFETY: nothing is built from this image, which is not a complete module.
/// let module = unsafe { registry.add(parts) }?;
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

/// A library or file whose images were registered together and are removed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleId(pub(crate) u64);

impl Registry {
    /// Creates an empty registry.
    pub fn new() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// Returns the registry that `__sycl_register_lib` fills. It lives until the end of the process.
    pub fn process() -> &'static Arc<Self> {
        static PROCESS: OnceLock<Arc<Registry>> = OnceLock::new();
        PROCESS.get_or_init(Registry::new)
    }

    /// Registers one image as a separate module.
    ///
    /// # Errors
    /// Fails if the image is malformed; the error names the place and the problem.
    ///
    /// # Safety
    /// Drivers build programs from the image without checking it. Its code must be valid for its format, as a compiler
    /// makes it, and its property sets must describe the code. There are no requirements for an image from which
    /// nothing is built.
    pub unsafe fn add(&self, parts: ImageParts<'_>) -> Result<ModuleId> {
        // SAFETY: the caller's contract is the same.
        let (module, mut errors) = unsafe { self.add_module([(parts, None)]) };
        errors.pop().map_or(Ok(module), |error| Err(error.into()))
    }

    /// Registers a SPIR-V module with its properties, which are the text of a `.props.json` file or of a `.prop` file.
    /// If the properties are a `.prop` file or missing, the kernels are the entry points. If they are missing, the
    /// module has the specialization constants, device globals, imports and exports that `pi image show` prints.
    /// Imports that no image exports are left to the driver, which may provide them.
    ///
    /// # Errors
    /// Fails if the code or the properties are malformed.
    ///
    /// # Safety
    /// The requirements of [`add`](Self::add) apply.
    pub unsafe fn add_spirv(&self, name: &str, code: &[u8], properties: Option<&str>) -> Result<ModuleId> {
        let parts = match properties {
            Some(properties) if text::is_json(properties) => text::read_json(name, properties, code)?,
            Some(properties) => {
                let mut parts = without_properties(name, code)?;
                parts.property_sets = text::read_prop(name, properties)?;
                parts
            }
            None => {
                let module = ModuleId(next_id());
                let image = Image::code_alone(module.0, without_properties(name, code)?.into_owned()?);
                let mut errors = self.insert([image]);
                return errors.pop().map_or(Ok(module), |error| Err(error.into()));
            }
        };
        // SAFETY: the caller's contract is the same.
        unsafe { self.add(parts) }
    }

    /// Compiles OpenCL C, or C++ for OpenCL if the name ends with `.clcpp`, to SPIR-V and registers it. The name is
    /// used in messages.
    ///
    /// The compiler is the machine's: clang of LLVM 15 or newer with llvm-spirv, or a clang that writes SPIR-V itself.
    /// It runs only in the first run of a program; the SPIR-V is stored in the cache on disk until the source, its
    /// options, the compiler or a file that the source includes changes. `docs/guide/compile.md` describes where
    /// included files are searched for, and what is never stored.
    ///
    /// # Errors
    /// Fails if the source has errors, with the compiler's own message, or if there is no compiler, with a message
    /// about what to install.
    ///
    /// ```no_run
    /// let registry = sycl_pi_runtime::Registry::new();
    /// registry.add_source("twice.cl", "kernel void twice(global int *v) { v[get_global_id(0)] *= 2; }")?;
    /// assert!(registry.has_kernel("twice"));
    /// # Ok::<(), sycl_pi_runtime::Error>(())
    /// ```
    pub fn add_source(&self, name: &str, source: &str) -> Result<ModuleId> {
        self.add_source_with_options(name, source, &[])
    }

    /// Compiles and registers a source with options for clang: `-DSIZE=16`, `-cl-std=CL3.0`, `-cl-fast-relaxed-math`.
    ///
    /// # Errors
    /// Returns the errors of [`add_source`](Self::add_source).
    pub fn add_source_with_options(&self, name: &str, source: &str, options: &[&str]) -> Result<ModuleId> {
        let code = source::of_source(name, source, options)?;
        // SAFETY: a compiler made the code.
        unsafe { self.add_spirv(name, &code, None) }
    }

    /// Registers a module's images. Malformed images are skipped, and their errors are returned.
    ///
    /// # Safety
    /// The requirements of [`add`](Self::add) apply.
    pub unsafe fn add_module<'a>(
        &self,
        images: impl IntoIterator<Item = (ImageParts<'a>, Option<Format>)>,
    ) -> (ModuleId, Vec<ImageError>) {
        let module = ModuleId(next_id());
        let made = images.into_iter().map(|(parts, format)| {
            let parts = parts.into_owned().map_err(sycl_pi_image::Error::from)?;
            Image::new(module.0, parts, format)
        });
        let errors = self.insert(made);
        (module, errors)
    }

    /// Registers images. Returns an error for each image that could not be made or that contradicts others.
    fn insert(&self, made: impl IntoIterator<Item = Result<Image, ImageError>>) -> Vec<ImageError> {
        let (mut good, mut errors) = (Vec::new(), Vec::new());
        for image in made {
            match image {
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
        errors
    }

    /// Removes a module's images. Their kernels remain usable.
    pub fn remove(&self, module: ModuleId) {
        let mut tables = self.tables.write();
        let gone: Vec<Arc<Image>> =
            tables.images.values().filter(|image| image.module() == module.0).cloned().collect();
        gone.iter().for_each(|image| tables.remove(image));
        drop(tables);
        self.generation.fetch_add(1, Ordering::Release);
    }

    /// Returns a number that changes whenever something is registered or removed.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Returns the images that contain a kernel.
    pub fn images_with_kernel(&self, name: &str) -> Vec<Arc<Image>> {
        self.tables.read().kernels.get(name).into()
    }

    /// Returns whether any image contains a kernel of this name.
    pub fn has_kernel(&self, name: &str) -> bool {
        !self.tables.read().kernels.get(name).is_empty()
    }

    /// Returns the images that export a symbol.
    pub fn images_with_export(&self, symbol: &str) -> Vec<Arc<Image>> {
        self.tables.read().exports.get(symbol).into()
    }

    /// Returns the images that contain a device global with this unique id.
    pub fn images_with_global(&self, unique_id: &str) -> Vec<Arc<Image>> {
        self.tables.read().globals.get(unique_id).into()
    }

    pub(crate) fn images_with_virtual_set(&self, set: &str) -> Vec<Arc<Image>> {
        self.tables.read().virtual_sets.get(set).into()
    }

    /// Returns all images, in the order of registration.
    pub fn images(&self) -> Vec<Arc<Image>> {
        let mut images: Vec<Arc<Image>> = self.tables.read().images.values().cloned().collect();
        images.sort_by_key(|image| image.id());
        images
    }

    pub(crate) fn contains(&self, image: u64) -> bool {
        self.tables.read().images.contains_key(&image)
    }

    /// Returns the names of all kernels.
    pub fn kernel_names(&self) -> Vec<Arc<str>> {
        self.tables.read().kernels.names().cloned().collect()
    }

    pub(crate) fn export_names(&self) -> Vec<Arc<str>> {
        self.tables.read().exports.names().cloned().collect()
    }

    /// Registers a host variable: the variable at `host_address` is the device global `unique_id`
    /// (`device_global_map::add`). The images that contain it may be registered before or after.
    pub fn add_device_global(&self, host_address: usize, unique_id: &str) {
        self.tables.write().device_globals.insert(host_address, unique_id.into());
    }

    /// Works like [`add_device_global`](Self::add_device_global), but also takes the variable's size in bytes and
    /// whether it has image scope. Copies are then checked, and the memory exists, before an image contains the
    /// variable.
    ///
    /// # Errors
    /// Fails if the size or scope contradicts an image or another registration.
    pub fn add_device_global_of(
        &self,
        host_address: usize,
        unique_id: &str,
        size: usize,
        image_scope: bool,
    ) -> Result<()> {
        let declared = DeclaredGlobal { size, image_scope };
        let mut tables = self.tables.write();
        if let Some(other) = tables.global(unique_id).filter(|other| *other != declared) {
            return Err(Error::invalid(format!(
                "device global {unique_id} is registered with {declared}, but elsewhere it has {other}"
            )));
        }
        tables.device_globals.insert(host_address, unique_id.into());
        tables.declared.insert(unique_id.into(), declared);
        Ok(())
    }

    /// Returns the size and scope of a device global, from its registration or from an image.
    pub(crate) fn global(&self, unique_id: &str) -> Option<DeclaredGlobal> {
        self.tables.read().global(unique_id)
    }

    /// Returns whether a host variable is registered as the device global with this unique id.
    pub(crate) fn has_host_variable(&self, unique_id: &str) -> bool {
        self.tables.read().device_globals.values().any(|known| **known == *unique_id)
    }

    /// Returns the unique ids of all device globals.
    pub(crate) fn global_names(&self) -> Vec<Arc<str>> {
        let tables = self.tables.read();
        tables.globals.names().chain(tables.device_globals.values()).cloned().collect()
    }

    /// Returns the unique id of the host variable at `host_address`.
    pub fn device_global_at(&self, host_address: usize) -> Option<Arc<str>> {
        self.tables.read().device_globals.get(&host_address).cloned()
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.images()).finish()
    }
}

/// Reports a device global that would have two sizes or scopes.
fn contradiction(tables: &Tables, image: &Image) -> Option<ImageError> {
    let globals = &image.properties().device_globals.globals;
    let declared = globals.iter().find_map(|global| {
        let (declared, own) = (tables.declared.get(&*global.unique_id)?, DeclaredGlobal::from_property(global));
        (*declared != own).then(|| {
            ImageError::Contradiction(format!(
                "image {}: property set \"SYCL/device globals\", property \"{}\": has {own}, but is registered with \
                 {declared}",
                image.name(), global.unique_id
            ))
        })
    });
    declared.or_else(|| globals.iter().find_map(|global| {
        let other = tables.globals.get(&global.unique_id).first()?;
        let same = other.properties().device_globals.get(&global.unique_id)?;
        (same.size != global.size || same.image_scope != global.image_scope).then(|| {
            ImageError::Contradiction(format!(
                "image {}: property set \"SYCL/device globals\", property \"{}\": has size {} and image scope {}, \
                 but in image {} it has size {} and image scope {}",
                image.name(), global.unique_id, global.size, global.image_scope, other.name(), same.size,
                same.image_scope
            ))
        })
    }))
}
