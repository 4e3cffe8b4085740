//! A context with a registry: kernels by name, built once.

use std::sync::Arc;

use crate::build::{BuildOptions, SpecValues};
use crate::caches::Caches;
use crate::call::{Context, Device};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::registry::{Image, ModuleId, Registry};
use crate::state::{CachedProgram, Request, ResolvedKernel, RuntimeState};

/// A context with its programs and device globals, over a registry of images. Clones are the same runtime, and so are runtimes that
/// are made of the same context, registry and caches.
#[derive(Clone)]
pub struct Runtime {
    state: Arc<RuntimeState>,
    options: Arc<BuildOptions>,
}

/// One of several kernels that are made together.
enum KernelInProgress {
    Kernel(Kernel),
    /// The program, unless nothing is kept in memory.
    Program(ResolvedKernel, Option<CachedProgram>),
}

impl Runtime {
    /// A runtime on a context, with the caches of the process.
    pub fn new(context: &Context, registry: &Arc<Registry>) -> Self {
        Self::with_caches(context, registry, &Caches::global())
    }

    /// A runtime with other caches. Its build options are those of the environment.
    pub fn with_caches(context: &Context, registry: &Arc<Registry>, caches: &Caches) -> Self {
        let state = RuntimeState::shared(context, registry, caches);
        Self { state, options: Arc::new(BuildOptions::from_env()) }
    }

    /// The same runtime, which builds with these options: programs that were built with others are others.
    #[must_use]
    pub fn with_build_options(&self, options: BuildOptions) -> Self {
        Self { state: self.state.clone(), options: Arc::new(options) }
    }

    /// Its build options.
    pub fn build_options(&self) -> &BuildOptions {
        &self.options
    }

    /// Its context.
    pub fn context(&self) -> &Context {
        &self.state.context
    }

    /// Its caches.
    pub fn caches(&self) -> &Caches {
        &self.state.caches
    }

    /// Its images.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.state.registry
    }

    /// The kernel of this name for a device, with these specialization constants. It is built at the first request.
    ///
    /// # Errors
    /// There is no such kernel; the device lacks what its images need; no image exports a symbol that it needs; a constant is
    /// unknown or has another size; or the driver does not build it.
    pub fn kernel(&self, device: &Device, name: &str, values: &SpecValues) -> Result<Kernel> {
        self.find(device, None, name, values)
    }

    /// The kernel of this name in a library or file: others may have kernels of the same name.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel), or the module has no such kernel.
    pub fn kernel_of(
        &self,
        module: ModuleId,
        device: &Device,
        name: &str,
        values: &SpecValues,
    ) -> Result<Kernel> {
        self.find(device, Some(module.0), name, values)
    }

    fn find(&self, device: &Device, module: Option<u64>, name: &str, values: &SpecValues) -> Result<Kernel> {
        let (generation, constants) = (self.state.sync(), values.key()?);
        let request = Request {
            device,
            name,
            module,
            values,
            constants: &constants,
            options: &self.options,
            generation,
        };
        if let Some(kernel) = self.state.lookup(&request) {
            return Ok(Kernel::new(&self.state, kernel));
        }
        let resolved = self.state.resolve(&request)?;
        self.build(device, &resolved, values)
    }

    /// The kernels of these names. All missing programs are built first, then their kernels. That takes less time than one
    /// [`kernel`](Self::kernel) after the other: the driver's compiler and its kernel look-up do not evict each other from
    /// the processor's caches.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel): the first error of a program in the order of the names, then the first of a kernel.
    pub fn kernels(&self, device: &Device, names: &[&str], values: &SpecValues) -> Result<Vec<Kernel>> {
        let (generation, constants) = (self.state.sync(), values.key()?);
        let begin = |name: &&str| {
            let (constants, options) = (&constants[..], &*self.options);
            let request = Request { device, name, module: None, values, constants, options, generation };
            if let Some(kernel) = self.state.lookup(&request) {
                return Ok(KernelInProgress::Kernel(Kernel::new(&self.state, kernel)));
            }
            let resolved = self.state.resolve(&request)?;
            let program = self.state.program_ahead(device, &resolved, (values, options))?;
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
        let kernel = self.state.build_kernel(device, resolved, (values, &self.options))?;
        Ok(Kernel::new(&self.state, kernel))
    }

    /// Builds an image for a device, with all images that it needs, and keeps the program.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel).
    pub fn build_image(&self, device: &Device, image: &Arc<Image>) -> Result<()> {
        self.state.sync();
        self.state.program_of(image, device, &self.options).map(drop)
    }

    /// The device's own code of an image with all images that it needs, to be registered as a native image. None if the driver
    /// has no code to give. Its specialization constants have their default values for good.
    ///
    /// # Errors
    /// As for [`kernel`](Self::kernel).
    pub fn native_code(&self, device: &Device, image: &Arc<Image>) -> Result<Option<Vec<u8>>> {
        self.state.sync();
        self.state.program_of(image, device, &self.options)?.raw.binary(device)
    }

    /// How many programs are in the cache.
    pub fn program_count(&self) -> usize {
        self.state.cache.programs().len()
    }

    pub(crate) fn state(&self) -> &RuntimeState {
        &self.state
    }
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "runtime on {:?}", self.state.context)
    }
}
