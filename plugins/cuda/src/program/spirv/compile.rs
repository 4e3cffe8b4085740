//! Compilation of SPIR-V to PTX.

use std::ffi::CStr;
use std::time::Instant;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};
use sycl_pi_nvvm::{Dialect, Options, Translation, Variant, translate};
use sycl_pi_nvvm_compiler::{NvvmCompiler, NvvmError, NvvmOptions, NvvmTarget};

use super::container::{CompiledSpirv, SpirvHeader};
use super::facts::ProgramFacts;
use super::options::MathOptions;
use super::ptx_version::for_driver;
use super::source::SpirvSource;
use crate::device::device_object::Device;
use crate::platform::platform;
use crate::program::program_binary::ProgramBinary;

/// Checks that libnvvm and the program that runs it are available. Otherwise, returns what is missing.
pub(crate) fn check_possible() -> std::result::Result<(), NvvmError> {
    NvvmCompiler::check_process()
}

/// Returns the target that libnvvm compiles for on a device.
pub(crate) fn target(device: &Device) -> Result<NvvmTarget> {
    NvvmCompiler::of_process().and_then(|compiler| compiler.target(device.capability())).map_err(failure)
}

pub(super) fn failure(why: impl ToString) -> Error {
    Error::new(ErrorCode::BUILD_PROGRAM_FAILURE, why.to_string())
}

/// Modules, or one kernel of them, as NVVM IR.
pub(super) struct TranslatedSpirv<'a> {
    pub(super) ir: String,
    pub(super) nvvm: NvvmOptions,
    pub(super) facts: ProgramFacts,
    function_pointers: bool,
    source: &'a SpirvSource,
    wanted: Options,
}

/// Translates SPIR-V. An error contains the translator's message.
fn translated(source: &SpirvSource, wanted: &Options) -> Result<Translation> {
    let modules: Vec<&[u8]> = source.modules.iter().map(|module| module.as_slice()).collect();
    translate(&modules, wanted).map_err(|error| failure(format!("SPIR-V cannot be translated: {error}")))
}

impl<'a> TranslatedSpirv<'a> {
    /// Translates modules, or one kernel of them. An error contains the translator's message.
    pub(super) fn new(
        source: &'a SpirvSource,
        target: &NvvmTarget,
        options: &CStr,
        variant: Option<&Variant>,
    ) -> Result<Self> {
        let MathOptions { mut nvvm, fast_relaxed_math } = MathOptions::read(options);
        let start = Instant::now();
        let mut wanted = Options::default();
        wanted.specialization.clone_from(&source.constants.lock());
        wanted.dialect = if target.modern { Dialect::Modern } else { Dialect::Llvm7 };
        wanted.fast_relaxed_math = fast_relaxed_math;
        wanted.variant = variant.cloned();
        let translation = translated(source, &wanted)?;
        let facts = ProgramFacts::new(&translation).map_err(failure)?;
        if let Some(why) = facts.why_no_kernel() {
            return Err(failure(format!("SPIR-V cannot be translated: {why}")));
        }
        log::debug!("{} kernels translated in {:?}", facts.kernels.len(), start.elapsed());
        nvvm.contract = !translation.contraction_off;
        let function_pointers = translation.function_pointers;
        Ok(Self { ir: translation.ir, nvvm, facts, function_pointers, source, wanted })
    }

    /// Returns whether to compile each kernel when it is created, which requires that several can run and that each may
    /// have its own module. Two kernels are sufficient: libnvvm takes 2.5 ms for a module without code, and 6 to 30 ms
    /// for a kernel of stock llama.cpp.
    pub(super) fn is_for_one_by_one(&self) -> bool {
        let running = self.facts.kernels.iter().filter(|kernel| kernel.refused.is_none()).count();
        running > 1 && self.facts.are_apart() && !self.function_pointers
    }

    /// Returns only the facts, for a program whose kernels are compiled one by one.
    pub(super) fn without_code(self, target: &NvvmTarget, capability: u32) -> CompiledSpirv {
        let header = SpirvHeader::new(target, capability, self.facts, true);
        CompiledSpirv { header, source: None, binary: None, log: String::new(), is_final: true }
    }

    /// Compiles for a device of the given compute capability. An error contains libnvvm's message.
    pub(super) fn compile(mut self, target: &NvvmTarget, capability: u32) -> Result<CompiledSpirv> {
        let compiler = NvvmCompiler::of_process().map_err(failure)?;
        let compiled = match compiler.compile(target, &self.ir, &self.nvvm) {
            Err(first @ NvvmError::Refused { .. }) => {
                log::info!("{first}: once more, with stores of half that libnvvm does not join");
                self.wanted.stores_halves_apart = true;
                let ir = translated(self.source, &self.wanted)?.ir;
                // Its optimizations refuse some code that is valid without them.
                let plain = |_| compiler.compile_plain(target, &ir, &self.nvvm, &first.to_string());
                let again = compiler.compile(target, &ir, &self.nvvm).or_else(plain);
                again.map_err(|_| failure(first))?
            }
            compiled => compiled.map_err(failure)?,
        };
        let ptx = for_driver(compiled.ptx, platform()?.driver_version);
        Ok(CompiledSpirv {
            header: SpirvHeader::new(target, capability, self.facts, false),
            source: None,
            binary: Some(ProgramBinary::new(&ptx)?),
            log: compiled.log,
            is_final: !compiled.unoptimized,
        })
    }
}
