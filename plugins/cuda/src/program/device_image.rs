//! A program's image for one device. It is an image that the driver accepts, or SPIR-V that is compiled to one.

use std::ffi::{CStr, CString};
use std::sync::{Arc, OnceLock};

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};
use sycl_pi_nvvm::Variant;

use crate::device::device_object::Device;
use crate::program::program_binary::{ProgramBinary, defines_variables};
use crate::program::spirv::{self, CompiledSpirv, Extent, SpirvSource};

/// An image.
pub(crate) enum DeviceImage {
    /// An image that the driver accepts.
    Driver(ProgramBinary),
    /// SPIR-V. It is compiled when the program is built, or each kernel is compiled when it is created.
    Spirv {
        /// The modules; `None` for a program that was created from its binary.
        source: Option<Arc<SpirvSource>>,
        compiled: OnceLock<CompiledSpirv>,
    },
}

impl DeviceImage {
    /// Creates the image from a binary for a device.
    pub(crate) fn of_binary(bytes: &[u8], device: &Device) -> Result<Self> {
        if let Some(source) = SpirvSource::read(bytes)? {
            return Ok(Self::of_spirv(Arc::new(source)));
        }
        if CompiledSpirv::is_container(bytes) {
            let compiled = CompiledSpirv::read(bytes, device.capability())?;
            compiled.code()?;
            return Ok(Self::Spirv { source: None, compiled: OnceLock::from(compiled) });
        }
        ProgramBinary::new(bytes).map(Self::Driver)
    }

    /// Creates the image from SPIR-V.
    pub(crate) fn of_spirv(source: Arc<SpirvSource>) -> Self {
        Self::Spirv { source: Some(source), compiled: OnceLock::new() }
    }

    /// Returns the image for the driver, compiling it if necessary. Returns `None` if each kernel is compiled when it
    /// is created.
    pub(crate) fn compile(&self, device: &Device, options: &CStr) -> Result<Option<&ProgramBinary>> {
        match self {
            Self::Driver(binary) => Ok(Some(binary)),
            Self::Spirv { source, compiled } => {
                if let (None, Some(source)) = (compiled.get(), source) {
                    let options = source.options(options);
                    let made = CompiledSpirv::load_program(source, device, &options, Extent::AsNeeded)?;
                    return Ok(compiled.get_or_init(|| made).binary.as_ref());
                }
                compiled.get().map(|compiled| compiled.binary.as_ref()).ok_or_else(|| not_built(true))
            }
        }
    }

    /// Returns whether each kernel is compiled when it is created.
    pub(crate) fn is_one_by_one(&self) -> bool {
        self.compiled().is_some_and(|compiled| compiled.binary.is_none())
    }

    /// Compiles all kernels together, for an image whose kernels are otherwise compiled one by one.
    pub(crate) fn compile_whole(&self, device: &Device, options: &CStr) -> Result<CompiledSpirv> {
        let source = self.source().ok_or_else(|| not_built(true))?;
        CompiledSpirv::load_program(source, device, &source.options(options), Extent::Whole)
    }

    /// Returns the SPIR-V that the image was created from.
    pub(crate) fn source(&self) -> Option<&Arc<SpirvSource>> {
        match self {
            Self::Driver(_) => None,
            Self::Spirv { source, .. } => source.as_ref(),
        }
    }

    /// Returns the compiled program, if it comes from SPIR-V.
    pub(crate) fn compiled(&self) -> Option<&CompiledSpirv> {
        match self {
            Self::Driver(_) => None,
            Self::Spirv { compiled, .. } => compiled.get(),
        }
    }

    /// Returns the SPIR-V that a cache stores instead of the code.
    pub(crate) fn source_to_keep(&self) -> Option<&Arc<SpirvSource>> {
        self.compiled().filter(|compiled| !compiled.is_final || compiled.binary.is_none()).and(self.source())
    }

    /// Returns the image for the driver, if it exists.
    pub(crate) fn binary(&self) -> Option<&ProgramBinary> {
        match self {
            Self::Driver(binary) => Some(binary),
            Self::Spirv { compiled, .. } => compiled.get()?.binary.as_ref(),
        }
    }
}

impl DeviceImage {
    /// Returns the PTX from which another module can be loaded in addition to the first one, or the reason why there is
    /// none.
    pub(crate) fn to_build_again(&self) -> std::result::Result<&CStr, &'static str> {
        let ptx = self.binary().and_then(ProgramBinary::source).ok_or("its image has no PTX")?;
        let has_variables = match self.compiled() {
            Some(compiled) => compiled.header.facts.has_variables,
            None => defines_variables(ptx),
        };
        if has_variables { Err(OWN_VARIABLES) } else { Ok(ptx) }
    }
}

impl DeviceImage {
    /// Compiles one kernel of SPIR-V alone, or returns the reason why that is impossible.
    pub(crate) fn compile_one(
        &self,
        device: &Device,
        options: &CStr,
        variant: &Variant,
    ) -> Result<CompiledSpirv> {
        let impossible = |why: &'static str| Err(Error::new(ErrorCode::INVALID_OPERATION, why));
        let Some((source, options)) = self.spirv(options) else {
            return impossible("the program is a binary without SPIR-V: create it from its SPIR-V");
        };
        // A binary may have been compiled by another libnvvm.
        let known = self.source().and(self.compiled()).and_then(|compiled| compiled.header.target());
        let target = known.map_or_else(|| spirv::target(device), Ok)?;
        let compiled = CompiledSpirv::load_kernel(source, device, &options, &target, variant)?;
        match compiled.header.facts.has_variables {
            true => impossible(OWN_VARIABLES),
            false => Ok(compiled),
        }
    }

    /// Returns the SPIR-V of the program, even if that was read from its binary, and the options that it was compiled
    /// with. `given` are the options of the build.
    pub(crate) fn spirv(&self, given: &CStr) -> Option<(&SpirvSource, CString)> {
        if let Some(source) = self.source() {
            return Some((source, source.options(given)));
        }
        let source = self.compiled()?.source.as_ref()?;
        Some((source, source.options(c"")))
    }
}

/// The reason why a program has no second module.
const OWN_VARIABLES: &str = "the program has variables, and another module would have its own";

/// Returns the error for a program that is not built, or not for this device.
#[cold]
pub(crate) fn not_built(has_device: bool) -> Error {
    let why =
        if has_device { "the program is not built" } else { "no kernel of the program is for this device" };
    Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, why)
}
