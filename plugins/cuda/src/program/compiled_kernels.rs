//! The modules of a program in addition to the one with all kernels.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result};
use sycl_pi_nvvm::Variant;

use crate::program::spirv::{CompiledSpirv, KernelFacts};
use crate::sys::{CUmodule, DriverHandle, cuda};

/// A module, once it is loaded.
type LazyModule = Option<DriverHandle<CUmodule>>;

/// A kernel's module, and its facts if it was compiled alone.
pub(crate) type FoundKernel = (Option<KernelFacts>, DriverHandle<CUmodule>);

/// The modules of kernels that were compiled alone, by name and needs of the launch, and the module of all kernels with
/// few registers.
#[derive(Default)]
pub(crate) struct CompiledKernels {
    alone: Mutex<HashMap<Variant, Arc<Mutex<CompiledKernel>>>>,
    all_limited: Mutex<LazyModule>,
}

/// A kernel. It is locked while it is compiled, so that concurrent callers wait.
#[derive(Default)]
struct CompiledKernel {
    compiled: Option<CompiledSpirv>,
    module: LazyModule,
    /// The module with so few registers that the largest work-group fits.
    limited: LazyModule,
}

impl CompiledKernels {
    /// Returns a kernel that the first caller compiles and loads. An error is not cached: the next caller tries again.
    pub(crate) fn get(
        &self,
        variant: &Variant,
        few_registers: bool,
        compile: impl FnOnce() -> Result<CompiledSpirv>,
        load: impl FnOnce(&CompiledSpirv) -> Result<DriverHandle<CUmodule>>,
    ) -> Result<FoundKernel> {
        let kernel = self.alone.lock().entry(variant.clone()).or_default().clone();
        let mut kernel = kernel.lock();
        let CompiledKernel { compiled, module, limited } = &mut *kernel;
        let compiled = match compiled {
            Some(compiled) => compiled,
            None => compiled.insert(compile()?),
        };
        let facts = compiled.kernel(&variant.kernel).cloned().ok_or_else(Error::not_built)?;
        let module = get_or_load(if few_registers { limited } else { module }, || load(compiled))?;
        Ok((Some(facts), module))
    }

    /// Returns the module of all kernels with few registers, which the first caller loads.
    pub(crate) fn all_limited(
        &self,
        load: impl FnOnce() -> Result<DriverHandle<CUmodule>>,
    ) -> Result<DriverHandle<CUmodule>> {
        get_or_load(&mut self.all_limited.lock(), load)
    }

    /// Unloads all modules. The context must be current.
    pub(crate) fn unload(&mut self) -> Result<()> {
        let cuda = cuda()?;
        let kernels = std::mem::take(self.alone.get_mut());
        let alone = kernels.into_values().flat_map(|kernel| {
            let kernel = kernel.lock();
            [kernel.module, kernel.limited]
        });
        let unloaded = alone
            .chain([self.all_limited.get_mut().take()])
            .flatten()
            .map(|module| cuda.cuModuleUnload(module.get()))
            // All of them are unloaded, whatever the driver answers for one.
            .collect::<Vec<_>>();
        unloaded.into_iter().collect()
    }
}

fn get_or_load(
    module: &mut LazyModule,
    load: impl FnOnce() -> Result<DriverHandle<CUmodule>>,
) -> Result<DriverHandle<CUmodule>> {
    match module {
        Some(module) => Ok(*module),
        None => Ok(*module.insert(load()?)),
    }
}
