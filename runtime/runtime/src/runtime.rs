//! A context with a registry: kernels by name, built once.

use std::sync::Arc;

use crate::build::{BuiltProgram, SpecValues};
use crate::caches::Caches;
use crate::call::{Context, Device};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::registry::{Image, Registry};
use crate::state::{Request, ResolvedKernel, RuntimeState};

/// A context with its programs and device globals, over a registry of images. Clones are the same runtime.
#[derive(Clone)]
pub struct Runtime(Arc<RuntimeState>);

/// One of several kernels that are made together.
enum KernelInProgress {
    Kernel(Kernel),
    /// The program, unless nothing is kept in memory.
    Program(ResolvedKernel, Option<Arc<BuiltProgram>>),
}

impl Runtime {
    /// A runtime on a context, with the caches of the process.
    pub fn new(context: &Context, registry: &Arc<Registry>) -> Self {
        Self::with_caches(context, registry, &Caches::global())
    }

    /// A runtime with caches of its own.
    pub fn with_caches(context: &Context, registry: &Arc<Registry>, caches: &Caches) -> Self {
        Self(Arc::new(RuntimeState::new(context, registry, caches)))
    }

    /// Its context.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Its caches.
    pub fn caches(&self) -> &Caches {
        &self.0.caches
    }

    /// Its images.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.0.registry
    }

    /// The kernel of this name for a device, with these specialization constants. It is built at the first request.
    ///
    /// # Errors
    /// There is no such kernel; the device lacks what its images need; no image exports a symbol that it needs; a constant is
    /// unknown or has another size; or the driver does not build it.
    pub fn kernel(&self, device: &Device, name: &str, values: &SpecValues) -> Result<Kernel> {
        let (generation, constants) = (self.0.sync(), values.key());
        let request = Request { device, name, values, constants: &constants, generation };
        if let Some(kernel) = self.0.lookup(&request) {
            return Ok(Kernel::new(&self.0, kernel));
        }
        let resolved = self.0.resolve(&request)?;
        self.build(device, &resolved, values)
    }

    /// The kernels of these names. All missing programs are built first, then their kernels. That takes less time than one
    /// [`kernel`](Self::kernel) after the other: the driver's compiler and its kernel look-up do not evict each other from
    /// the processor's caches.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel): the first error of a program in the order of the names, then the first of a kernel.
    pub fn kernels(&self, device: &Device, names: &[&str], values: &SpecValues) -> Result<Vec<Kernel>> {
        let (generation, constants) = (self.0.sync(), values.key());
        let begin = |name: &&str| {
            let request = Request { device, name, values, constants: &constants, generation };
            if let Some(kernel) = self.0.lookup(&request) {
                return Ok(KernelInProgress::Kernel(Kernel::new(&self.0, kernel)));
            }
            let resolved = self.0.resolve(&request)?;
            let program = self.0.program_ahead(device, &resolved, values)?;
            Ok(KernelInProgress::Program(resolved, program))
        };
        let begun = names.iter().map(begin).collect::<Result<Vec<KernelInProgress>>>()?;
        let finish = |kernel| match kernel {
            KernelInProgress::Kernel(kernel) => Ok(kernel),
            // The program is held until its kernel is made, so that no limit drops it in between.
            KernelInProgress::Program(resolved, _program) => self.build(device, &resolved, values),
        };
        begun.into_iter().map(finish).collect()
    }

    fn build(&self, device: &Device, resolved: &ResolvedKernel, values: &SpecValues) -> Result<Kernel> {
        self.0.build_kernel(device, resolved, values).map(|kernel| Kernel::new(&self.0, kernel))
    }

    /// Builds an image for a device, with all images that it needs, and keeps the program.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel).
    pub fn build_image(&self, device: &Device, image: &Arc<Image>) -> Result<()> {
        self.0.sync();
        self.0.program_of(image, device).map(drop)
    }

    /// The device's own code of an image with all images that it needs, to be registered as a native image. None if the driver
    /// has no code to give. Its specialization constants have their default values for good.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel).
    pub fn native_code(&self, device: &Device, image: &Arc<Image>) -> Result<Option<Vec<u8>>> {
        self.0.sync();
        self.0.program_of(image, device)?.raw.binary(device)
    }

    /// How many programs are in the cache.
    pub fn program_count(&self) -> usize {
        self.0.cache.programs().len()
    }

    pub(crate) fn state(&self) -> &RuntimeState {
        &self.0
    }
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "runtime on {:?}", self.0.context)
    }
}
