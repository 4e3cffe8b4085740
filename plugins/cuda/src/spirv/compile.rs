//! From SPIR-V to PTX.

use std::ffi::CStr;
use std::time::Instant;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};
use sycl_pi_nvvm::{Dialect, Options, Variant, translate};
use sycl_pi_nvvm_compiler::{NvvmCompiler, NvvmError};

use super::container::{CompiledSpirv, SpirvHeader};
use super::facts::ProgramFacts;
use super::options::MathOptions;
use super::ptx_version::for_driver;
use super::source::SpirvSource;
use crate::device_object::Device;
use crate::platform::platform;
use crate::program_binary::ProgramBinary;

/// Whether libnvvm is there, with the program that runs it; otherwise what is missing.
pub(crate) fn check_possible() -> std::result::Result<(), NvvmError> {
    NvvmCompiler::of_process().map(|_| ())
}

pub(super) fn failure(why: impl ToString) -> Error {
    Error::new(ErrorCode::BUILD_PROGRAM_FAILURE, why.to_string())
}

impl CompiledSpirv {
    /// Translates and compiles modules for a device. An error has the translator's or libnvvm's words.
    pub(crate) fn new(
        source: &SpirvSource,
        device: &Device,
        options: &CStr,
        variant: Option<&Variant>,
    ) -> Result<Self> {
        let compiler = NvvmCompiler::of_process().map_err(failure)?;
        let capability = device.capability();
        let target = compiler.target(capability).map_err(failure)?;
        let MathOptions { mut nvvm, fast_relaxed_math } = MathOptions::read(options);

        let start = Instant::now();
        let modules: Vec<&[u8]> = source.modules.iter().map(|module| &**module).collect();
        let mut wanted = Options::default();
        wanted.specialization.clone_from(&source.constants.lock());
        wanted.dialect = if target.modern { Dialect::Modern } else { Dialect::Llvm7 };
        wanted.fast_relaxed_math = fast_relaxed_math;
        wanted.variant = variant.cloned();
        let translated = |wanted: &Options| {
            translate(&modules, wanted)
                .map_err(|error| failure(format!("SPIR-V cannot be translated: {error}")))
        };
        let translation = translated(&wanted)?;
        let facts = ProgramFacts::new(&translation).map_err(failure)?;
        if let Some(why) = facts.why_no_kernel() {
            return Err(failure(format!("SPIR-V cannot be translated: {why}")));
        }
        log::debug!("{} kernels translated in {:?}", facts.kernels.len(), start.elapsed());

        nvvm.contract = !translation.contraction_off;
        let compiled = match compiler.compile(&target, &translation.ir, &nvvm) {
            Err(first @ NvvmError::Refused { .. }) => {
                log::info!("{first}: once more, with stores of half that libnvvm does not join");
                wanted.stores_halves_apart = true;
                let again = compiler.compile(&target, &translated(&wanted)?.ir, &nvvm);
                again.map_err(|_| failure(first))?
            }
            compiled => compiled.map_err(failure)?,
        };
        let ptx = for_driver(compiled.ptx, platform()?.driver_version);
        let header = SpirvHeader::new(target.release, target.arch, capability, facts);
        Ok(Self {
            header,
            source: None,
            binary: ProgramBinary::new(&ptx)?,
            log: compiled.log,
            is_final: !compiled.unoptimized,
        })
    }
}
