//! A registered image, with its parts and its decoded property sets.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use sycl_pi_image::derive::is_library_function;
use sycl_pi_image::property::MetadataValue;
use sycl_pi_image::spirv::{
    ArgumentKind, BUFFER_ARGUMENT, EntryPoint, ExecutionMode, Index, Module, Reflection, SpirvError,
};
use sycl_pi_image::{ImageParts, Properties};

use super::code_alone::without_properties;
use crate::call::next_id;
use crate::error::ImageError;

/// The format of an image's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// SPIR-V, which is compiled for the device when it is needed.
    Spirv,
    /// LLVM bitcode.
    Bitcode,
    /// A device's own code, compiled ahead of time.
    Native,
}

impl Format {
    /// Returns the format by the first bytes, as a runtime does for images that do not specify it
    /// (PI_DEVICE_BINARY_TYPE_NONE).
    pub fn of_bytes(bytes: &[u8]) -> Self {
        match bytes {
            [0x03, 0x02, 0x23, 0x07, ..] | [0x07, 0x23, 0x02, 0x03, ..] => Format::Spirv,
            [b'B', b'C', 0xc0, 0xde, ..] | [0xde, 0xc0, 0x17, 0x0b, ..] => Format::Bitcode,
            _ => Format::Native,
        }
    }

    /// Returns the `pi_device_binary_type`.
    pub fn number(self) -> u8 {
        match self {
            Format::Native => sycl_pi_core::PI_DEVICE_BINARY_TYPE_NATIVE,
            Format::Spirv => sycl_pi_core::PI_DEVICE_BINARY_TYPE_SPIRV,
            Format::Bitcode => sycl_pi_core::PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE,
        }
    }
}

/// A registered image.
pub struct Image {
    id: u64,
    module: u64,
    parts: ImageParts<'static>,
    properties: Properties,
    format: Format,
    kernels: Vec<Arc<str>>,
    is_code_alone: bool,
    is_device_library: bool,
    library_functions: OnceLock<Vec<String>>,
    code: OnceLock<Option<Code>>,
    has_constants: OnceLock<bool>,
}

/// The kernels that SPIR-V code declares, by name.
type Code = HashMap<String, KernelCode>;

/// A kernel's declaration in its code.
struct KernelCode {
    arguments: Vec<ArgumentKind>,
    /// Whether its last argument has the name of the buffer of specialization constants.
    takes_spec_buffer: bool,
    /// The work-group size that it requires, fastest dimension first.
    work_group_size: Option<[u32; 3]>,
}

impl KernelCode {
    fn from_entry_point(entry: EntryPoint) -> Self {
        /// `LocalSize` and `LocalSizeId`, whose operands are already resolved to values.
        const LOCAL_SIZE: [ExecutionMode; 2] = [ExecutionMode::LocalSize, ExecutionMode::LocalSizeId];
        let last = entry.arguments.last();
        let takes_spec_buffer = last.is_some_and(|last| last.name.as_deref() == Some(BUFFER_ARGUMENT));
        let work_group_size = LOCAL_SIZE.into_iter().find_map(|mode| entry.mode(mode)?.try_into().ok());
        let arguments = entry.arguments.into_iter().map(|argument| argument.kind).collect();
        Self { arguments, takes_spec_buffer, work_group_size }
    }
}

impl Image {
    pub(super) fn new(
        module: u64,
        parts: ImageParts<'static>,
        format: Option<Format>,
    ) -> Result<Self, ImageError> {
        if parts.bytes.is_empty() {
            return Err(ImageError::Empty { image: parts.name.into_owned() });
        }
        let properties = Properties::decode(&parts).map_err(sycl_pi_image::Error::from)?;
        let exports: std::collections::HashSet<&str> = properties.exports.iter().collect();
        let is_kernel = |name: &&str| !exports.contains(name) && !name.contains("__sycl_service_kernel__");
        let kernels: Vec<Arc<str>> = if properties.virtual_functions.provides.is_some() {
            // Its entries are functions, and the names of its kernels are listed separately.
            properties.kernel_names.iter().map(Arc::from).collect()
        } else if properties.kernel_names.is_empty() {
            parts.entries.iter().map(AsRef::as_ref).filter(is_kernel).map(Arc::from).collect()
        } else {
            properties.kernel_names.iter().map(Arc::from).collect()
        };
        let format = format.unwrap_or_else(|| Format::of_bytes(&parts.bytes));
        let (code, has_constants) = (OnceLock::new(), OnceLock::new());
        let (is_code_alone, is_device_library) = (false, false);
        let library_functions = OnceLock::new();
        Ok(Self {
            id: next_id(),
            module,
            parts,
            properties,
            format,
            kernels,
            is_code_alone,
            is_device_library,
            library_functions,
            code,
            has_constants,
        })
    }

    /// Creates an image whose properties are derived from its code.
    pub(super) fn code_alone(module: u64, parts: ImageParts<'static>) -> Result<Self, ImageError> {
        Ok(Self { is_code_alone: true, ..Self::new(module, parts, None)? })
    }

    /// Creates an image from a file of the compiler's device libraries, which is in no registry.
    pub(crate) fn device_library(name: &str, code: &[u8]) -> Result<Self, ImageError> {
        let parts = without_properties(name, code)?.into_owned().map_err(sycl_pi_image::Error::from)?;
        Ok(Self { is_device_library: true, ..Self::code_alone(next_id(), parts)? })
    }

    /// Returns its id, which no other image of this process has or had.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Returns the id of the module (library, file) that registered it.
    pub fn module(&self) -> u64 {
        self.module
    }

    /// Returns its name in messages.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// Returns its parts.
    pub fn parts(&self) -> &ImageParts<'static> {
        &self.parts
    }

    /// Returns its decoded property sets.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Returns whether its properties are derived from its code. Its imports may then be functions of the device, which
    /// cannot be determined from the code.
    pub(crate) fn is_code_alone(&self) -> bool {
        self.is_code_alone
    }

    /// Returns whether it is a file of the compiler's device libraries.
    pub(crate) fn is_device_library(&self) -> bool {
        self.is_device_library
    }

    /// Returns the functions of the compiler's device libraries that its code imports, under their own names or those
    /// of C.
    pub(crate) fn library_functions(&self) -> Result<impl Iterator<Item = &str>, ImageError> {
        let is_one = |name: &String| {
            name.starts_with("__devicelib_") || (!name.starts_with('_') && is_library_function(name))
        };
        let found = once(&self.library_functions, || {
            let module = self.readable(Module::parse(&self.parts.bytes))?;
            Ok(module.map_or_else(Vec::new, |module| module.imported_names().filter(is_one).collect()))
        })?;
        Ok(found.iter().map(String::as_str))
    }

    /// Returns the format of its bytes.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns its kernels.
    pub fn kernels(&self) -> &[Arc<str>] {
        &self.kernels
    }

    /// Returns whether it is compiled ahead of time.
    pub fn is_native(&self) -> bool {
        self.format == Format::Native
    }

    /// Returns the kinds of the arguments in a kernel's code, or `None` if the code is not SPIR-V or cannot be read.
    pub(crate) fn argument_kinds(&self, kernel: &str) -> Result<Option<&[ArgumentKind]>, ImageError> {
        let kernel = self.code()?.and_then(|code| code.get(kernel));
        Ok(kernel.map(|kernel| kernel.arguments.as_slice()))
    }

    /// Returns whether the code has specialization constants that can be set natively. Returns `true` if the code
    /// cannot be read, because it may have some.
    pub(crate) fn has_native_constants(&self) -> Result<bool, ImageError> {
        // Programs loaded from disk need nothing else of the code.
        let has = once(&self.has_constants, || {
            if self.format != Format::Spirv {
                return Ok(true);
            }
            let module = self.readable(Module::parse(&self.parts.bytes))?;
            Ok(module.is_none_or(|module| module.has_spec_ids()))
        });
        has.copied()
    }

    /// Returns whether a kernel takes the buffer of emulated specialization constants, or `None` if the code cannot be
    /// read.
    pub(crate) fn takes_spec_buffer(&self, kernel: &str) -> Result<Option<bool>, ImageError> {
        let takes = |code: &Code| code.get(kernel).is_some_and(|kernel| kernel.takes_spec_buffer);
        Ok(self.code()?.map(takes))
    }

    /// Returns the work-group size that a kernel requires, according to the image's requirements, which apply to all
    /// its kernels, to the compiler's metadata of the kernel, or to its code.
    pub(crate) fn required_work_group_size(&self, kernel: &str) -> Result<Option<RequiredSize>, ImageError> {
        let by_image = self.properties.requirements.work_group_sizes_in_sycl_order().pop();
        if let Some(sizes) = by_image {
            return Ok(Some(RequiredSize { sizes, dimensions_count: true }));
        }
        let metadata = &self.properties.metadata;
        if let Some(MetadataValue::Sizes(sizes)) = metadata.get(kernel, "reqd_work_group_size") {
            let mut sizes: Vec<u64> = sizes.iter().map(|&size| size.into()).collect();
            let dimensions = match metadata.get(kernel, "work_group_num_dim") {
                Some(MetadataValue::Number(count)) => Some(*count as usize),
                _ => None,
            };
            sizes.truncate(dimensions.unwrap_or(sizes.len()));
            sizes.reverse();
            return Ok(Some(RequiredSize { sizes, dimensions_count: dimensions.is_some() }));
        }
        let sizes = self.code()?.and_then(|code| code.get(kernel)?.work_group_size);
        Ok(sizes.map(|[x, y, z]| RequiredSize {
            sizes: [z, y, x].map(u64::from).into(),
            dimensions_count: false,
        }))
    }

    fn code(&self) -> Result<Option<&Code>, ImageError> {
        once(&self.code, || self.reflect()).map(Option::as_ref)
    }

    fn reflect(&self) -> Result<Option<Code>, ImageError> {
        if self.format != Format::Spirv {
            return Ok(None);
        }
        let reflect = || Reflection::of(&Index::new(&Module::parse(&self.parts.bytes)?)?);
        let entries = self.readable(reflect())?.map(|reflection| reflection.entry_points.into_iter());
        let kernel = |entry: EntryPoint| (entry.name.clone(), KernelCode::from_entry_point(entry));
        Ok(entries.map(|entries| entries.map(kernel).collect()))
    }

    /// Returns the result of reading the code, or `None` if it cannot be read, which is left to the driver. Fails if
    /// the process ran out of memory.
    fn readable<T>(&self, read: Result<T, SpirvError>) -> Result<Option<T>, ImageError> {
        match read {
            Err(error) if error.is_out_of_memory => {
                Err(ImageError::Code { image: self.name().to_owned(), error })
            }
            read => Ok(read.ok()),
        }
    }
}

/// Returns the value in the cell, which is created if necessary. An error leaves the cell empty.
fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, ImageError>) -> Result<&T, ImageError> {
    match cell.get() {
        Some(made) => Ok(made),
        None => {
            let made = make()?;
            Ok(cell.get_or_init(|| made))
        }
    }
}

/// A work-group size that a kernel requires, in SYCL's order.
pub(crate) struct RequiredSize {
    pub(crate) sizes: Vec<u64>,
    /// Whether the number of dimensions is that of the source. Otherwise, missing dimensions are filled with leading
    /// sizes of 1.
    pub(crate) dimensions_count: bool,
}

impl RequiredSize {
    /// Returns whether groups of this size satisfy the requirement.
    pub(crate) fn is(&self, local: &[usize]) -> bool {
        let same = |local: &[usize], required: &[u64]| {
            local.iter().map(|&size| size as u64).eq(required.iter().copied())
        };
        if self.dimensions_count {
            return same(local, &self.sizes);
        }
        !local.is_empty() && same(significant(local), significant(&self.sizes))
    }
}

/// Returns the sizes without leading ones.
fn significant<T: PartialEq + From<u8>>(sizes: &[T]) -> &[T] {
    let first = sizes.iter().position(|size| *size != T::from(1)).unwrap_or(sizes.len());
    sizes.get(first..).unwrap_or_default()
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "image {} ({:?}, {})", self.parts.name, self.format, self.parts.target)
    }
}

#[cfg(test)]
mod tests {
    use super::RequiredSize;

    /// Leading sizes of 1 make no difference where the source's dimensions are not known. No local size is none.
    #[test]
    fn a_required_size_of_one_is_a_size() {
        let one = RequiredSize { sizes: vec![1, 1, 1], dimensions_count: false };
        assert!(one.is(&[1]) && one.is(&[1, 1]) && !one.is(&[2]) && !one.is(&[]));
        let line = RequiredSize { sizes: vec![1, 1, 4], dimensions_count: false };
        assert!(line.is(&[4]) && line.is(&[1, 4]) && !line.is(&[4, 1]) && !line.is(&[]));
        let counted = RequiredSize { sizes: vec![1, 4], dimensions_count: true };
        assert!(counted.is(&[1, 4]) && !counted.is(&[4]) && !counted.is(&[1, 1, 4]));
    }
}
