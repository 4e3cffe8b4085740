//! Property sets, decoded into types once and encoded back to the same bytes.

mod bytes;
mod device_globals;
mod kernel_sets;
mod metadata;
mod misc;
mod param_opt;
mod requirements;
mod set;
mod spec_constants;
mod symbols;

pub use device_globals::{DeviceGlobal, DeviceGlobals};
pub use kernel_sets::{DeviceLibReq, ImplicitLocalArgs, LocalArg, RegisteredKernels, VirtualFunctions};
pub use metadata::{MetadataEntry, MetadataValue, ProgramMetadata};
pub use misc::MiscProps;
pub use param_opt::{KernelParamOpt, ParamMask};
pub use requirements::{Requirements, WorkGroupSize, WorkGroupSpelling};
pub use set::SetKind;
pub use spec_constants::{Leaf, PADDING, SpecConstant, SpecConstantDefaults, SpecConstants};
pub use symbols::{SymbolKind, Symbols};

use std::collections::HashSet;

use crate::error::{Problem, PropertyError};
use crate::parts::{ImageParts, PropertySet};
use bytes::SetReader;

/// The decoded property sets of an image.
///
/// A missing set is decoded as its type's empty value. Values on which no launch depends are accepted as they are: a
/// list of names whose values are not numbers, metadata of another type, an empty requirement. Values on which a launch
/// depends must be well formed. [`sets`](Self::sets) lists the sets that the image has, in the image's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// The sets of the image, in the image's order.
    pub sets: Vec<SetKind>,
    /// `SYCL/specialization constants`
    pub spec_constants: SpecConstants,
    /// `SYCL/specialization constants default values`
    pub spec_defaults: SpecConstantDefaults,
    /// `SYCL/device globals`
    pub device_globals: DeviceGlobals,
    /// `SYCL/device requirements`
    pub requirements: Requirements,
    /// `SYCL/imported symbols`
    pub imports: Symbols,
    /// `SYCL/exported symbols`
    pub exports: Symbols,
    /// `SYCL/kernel names`
    pub kernel_names: Symbols,
    /// `SYCL/assert used`: kernels that use `assert`
    pub assert_used: Symbols,
    /// `SYCL/kernel param opt`
    pub param_opt: KernelParamOpt,
    /// `SYCL/program metadata`
    pub metadata: ProgramMetadata,
    /// `SYCL/devicelib req mask`
    pub device_lib: DeviceLibReq,
    /// `SYCL/misc properties`
    pub misc: MiscProps,
    /// `SYCL/implicit local arg`
    pub implicit_local_args: ImplicitLocalArgs,
    /// `SYCL/registered kernels`
    pub registered_kernels: RegisteredKernels,
    /// `SYCL/virtual functions`
    pub virtual_functions: VirtualFunctions,
    /// Unknown sets, unchanged; [`SetKind::Unknown`] indexes them.
    pub unknown: Vec<PropertySet<'static>>,
}

impl Properties {
    /// Decodes an image's property sets and checks them against each other.
    pub fn decode(image: &ImageParts<'_>) -> Result<Self, PropertyError> {
        let mut decoded = Self::default();
        let mut seen = HashSet::with_capacity(image.property_sets.len());
        for set in &image.property_sets {
            let kind = SetKind::of_name(&set.name, decoded.unknown.len());
            let reader = SetReader::new(&image.name, set)?;
            if !seen.insert(&*set.name) {
                return Err(reader.set_error(Problem::Twice));
            }
            decoded.sets.push(kind);
            match kind {
                SetKind::SpecConstants => decoded.spec_constants = SpecConstants::decode(&reader)?,
                SetKind::SpecDefaults => decoded.spec_defaults = SpecConstantDefaults::decode(&reader)?,
                SetKind::DeviceGlobals => decoded.device_globals = DeviceGlobals::decode(&reader)?,
                SetKind::Requirements => decoded.requirements = Requirements::decode(&reader)?,
                SetKind::Imports => decoded.imports = Symbols::decode(&reader)?,
                SetKind::Exports => decoded.exports = Symbols::decode(&reader)?,
                SetKind::KernelNames => decoded.kernel_names = Symbols::decode(&reader)?,
                SetKind::AssertUsed => decoded.assert_used = Symbols::decode(&reader)?,
                SetKind::ParamOpt => decoded.param_opt = KernelParamOpt::decode(&reader)?,
                SetKind::Metadata => decoded.metadata = ProgramMetadata::decode(&reader)?,
                SetKind::DeviceLib => decoded.device_lib = DeviceLibReq::decode(&reader)?,
                SetKind::Misc => decoded.misc = MiscProps::decode(&reader)?,
                SetKind::ImplicitLocalArgs => {
                    decoded.implicit_local_args = ImplicitLocalArgs::decode(&reader)?;
                }
                SetKind::RegisteredKernels => {
                    decoded.registered_kernels = RegisteredKernels::decode(&reader)?;
                }
                SetKind::VirtualFunctions => decoded.virtual_functions = VirtualFunctions::decode(&reader)?,
                SetKind::Unknown(_) => decoded.unknown.push(reader.owned()?),
            }
        }
        decoded.check_defaults(&image.name)?;
        Ok(decoded)
    }

    /// Checks that the defaults are as long as all constants together.
    fn check_defaults(&self, image: &str) -> Result<(), PropertyError> {
        let Some(defaults) = &self.spec_defaults.all else { return Ok(()) };
        if !self.sets.contains(&SetKind::SpecConstants) || defaults.len() as u64 == self.spec_constants.size()
        {
            return Ok(());
        }
        Err(PropertyError {
            image: image.into(),
            set: SetKind::SpecDefaults.name().into(),
            property: Some("all".into()),
            problem: Problem::Value(format!(
                "holds {} bytes, but the specialization constants take {}",
                defaults.len(),
                self.spec_constants.size()
            )),
        })
    }

    /// Encodes the sets to exactly the bytes that [`decode`](Self::decode) read.
    pub fn encode(&self) -> Vec<PropertySet<'static>> {
        self.sets.iter().filter_map(|&kind| self.encode_set(kind)).collect()
    }

    /// Encodes one set.
    pub fn encode_set(&self, kind: SetKind) -> Option<PropertySet<'static>> {
        let properties = match kind {
            SetKind::SpecConstants => self.spec_constants.encode(),
            SetKind::SpecDefaults => self.spec_defaults.encode(),
            SetKind::DeviceGlobals => self.device_globals.encode(),
            SetKind::Requirements => self.requirements.encode(),
            SetKind::Imports => self.imports.encode(),
            SetKind::Exports => self.exports.encode(),
            SetKind::KernelNames => self.kernel_names.encode(),
            SetKind::AssertUsed => self.assert_used.encode(),
            SetKind::ParamOpt => self.param_opt.encode(),
            SetKind::Metadata => self.metadata.encode(),
            SetKind::DeviceLib => self.device_lib.encode(),
            SetKind::Misc => self.misc.encode(),
            SetKind::ImplicitLocalArgs => self.implicit_local_args.encode(),
            SetKind::RegisteredKernels => self.registered_kernels.encode(),
            SetKind::VirtualFunctions => self.virtual_functions.encode(),
            SetKind::Unknown(at) => return self.unknown.get(at).cloned(),
        };
        Some(PropertySet { name: kind.name().into(), properties })
    }

    /// Returns the default value of a specialization constant, if the image has it.
    pub fn spec_default(&self, constant: &SpecConstant) -> Option<&[u8]> {
        let from = usize::try_from(constant.blob_offset).ok()?;
        let to = from.checked_add(usize::try_from(constant.size()).ok()?)?;
        self.spec_defaults.all.as_deref()?.get(from..to)
    }
}
