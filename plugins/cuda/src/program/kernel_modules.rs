//! The modules of a program whose kernels are compiled one by one.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::program::spirv::{CompiledSpirv, KernelFacts};
use crate::sys::{CUmodule, DriverHandle};

/// A kernel's facts and its module.
pub(crate) type FoundKernel = (KernelFacts, DriverHandle<CUmodule>);

/// The modules of the kernels that were created, by name.
#[derive(Default)]
pub(crate) struct KernelModules(Mutex<HashMap<String, Arc<Mutex<KernelSlot>>>>);

/// A kernel. It is locked while it is compiled, so that concurrent callers wait.
#[derive(Default)]
struct KernelSlot {
    compiled: Option<CompiledSpirv>,
    module: Option<DriverHandle<CUmodule>>,
    /// The module with so few registers that the largest work-group fits.
    limited: Option<DriverHandle<CUmodule>>,
}

impl KernelModules {
    /// Returns the module of a kernel, which the first caller compiles and loads. An error is not cached: the next
    /// caller tries again.
    pub(crate) fn get(
        &self,
        name: &str,
        few_registers: bool,
        compile: impl FnOnce() -> Result<CompiledSpirv>,
        load: impl FnOnce(&CompiledSpirv) -> Result<DriverHandle<CUmodule>>,
    ) -> Result<Option<FoundKernel>> {
        let slot = self.0.lock().entry(name.to_owned()).or_default().clone();
        let mut slot = slot.lock();
        let KernelSlot { compiled, module, limited } = &mut *slot;
        let compiled = match compiled {
            Some(compiled) => compiled,
            None => compiled.insert(compile()?),
        };
        let place = if few_registers { limited } else { module };
        let module = match place {
            Some(module) => *module,
            None => *place.insert(load(compiled)?),
        };
        Ok(compiled.kernel(name).map(|facts| (facts.clone(), module)))
    }

    /// Removes and returns all modules.
    pub(crate) fn take(&mut self) -> Vec<DriverHandle<CUmodule>> {
        let slots = std::mem::take(self.0.get_mut());
        slots
            .into_values()
            .flat_map(|slot| {
                let slot = slot.lock();
                [slot.module, slot.limited].into_iter().flatten()
            })
            .collect()
    }
}
