//! A context with a registry: kernels by name, built once.

use std::sync::Arc;

use crate::build::{BuildOptions, SpecValues};
use crate::caches::Caches;
use crate::call::{Context, Device};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::registry::{Image, ModuleId, Registry};
use crate::state::{CachedProgram, Request, ResolvedKernel, RuntimeState};

/// A context with its programs and device globals, over a registry of images. Clones share the same runtime, and so do
/// runtimes created from the same context, registry and caches.
#[derive(Clone)]
pub struct Runtime {
    state: Arc<RuntimeState>,
    options: Arc<BuildOptions>,
}

/// One of several kernels that are being built together.
enum KernelInProgress {
    Kernel(Kernel),
    /// The program, unless nothing is cached in memory.
    Program(ResolvedKernel, Option<CachedProgram>),
}

impl Runtime {
    /// Creates a runtime on a context, with the caches of the process.
    pub fn new(context: &Context, registry: &Arc<Registry>) -> Self {
        Self::with_caches(context, registry, &Caches::global())
    }

    /// Creates a runtime with other caches. Its build options are those of the environment.
    pub fn with_caches(context: &Context, registry: &Arc<Registry>, caches: &Caches) -> Self {
        let state = RuntimeState::shared(context, registry, caches);
        Self { state, options: Arc::new(BuildOptions::from_env()) }
    }

    /// Returns the same runtime with these build options. Programs built with other options are separate programs.
    #[must_use]
    pub fn with_build_options(&self, options: BuildOptions) -> Self {
        Self { state: self.state.clone(), options: Arc::new(options) }
    }

    /// Returns its build options.
    pub fn build_options(&self) -> &BuildOptions {
        &self.options
    }

    /// Returns its context.
    pub fn context(&self) -> &Context {
        &self.state.context
    }

    /// Returns its caches.
    pub fn caches(&self) -> &Caches {
        &self.state.caches
    }

    /// Returns its images.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.state.registry
    }

    /// Returns the kernel of this name for a device, with these specialization constants. It is built at the first
    /// request.
    ///
    /// # Errors
    /// Fails if there is no such kernel; if the device lacks something that its images need; if no image exports a
    /// symbol that it needs; if a constant is unknown or has another size; or if the driver does not build it.
    pub fn kernel(&self, device: &Device, name: &str, values: &SpecValues) -> Result<Kernel> {
        self.find(device, None, name, values)
    }

    /// Returns the kernel of this name in a library or file. Other modules may have kernels of the same name.
    ///
    /// # Errors
    /// Returns the errors of [`kernel`](Self::kernel); also fails if the module has no such kernel.
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

    /// Returns the kernels of these names. All missing programs are built first, and then their kernels. This takes
    /// less time than calling [`kernel`](Self::kernel) repeatedly, because the driver's compiler and its kernel lookup
    /// do not evict each other from the processor's caches.
    ///
    /// # Errors
    /// Returns the errors of [`kernel`](Self::kernel): the first error of a program in the order of the names, or else
    /// the first error of a kernel.
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
            // The program is held until its kernel is created, so that no limit evicts it in between.
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
    /// Returns the errors of [`kernel`](Self::kernel).
    pub fn build_image(&self, device: &Device, image: &Arc<Image>) -> Result<()> {
        self.state.sync();
        self.state.program_of(image, device, &self.options).map(drop)
    }

    /// Returns the device's own code for an image and all images that it needs, which can be registered as a native
    /// image. Returns `None` if the driver provides no code. The specialization constants are fixed at their default
    /// values.
    ///
    /// # Errors
    /// Returns the errors of [`kernel`](Self::kernel).
    pub fn native_code(&self, device: &Device, image: &Arc<Image>) -> Result<Option<Vec<u8>>> {
        self.state.sync();
        self.state.program_of(image, device, &self.options)?.raw.binary(device)
    }

    /// Returns the number of programs in the cache.
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
