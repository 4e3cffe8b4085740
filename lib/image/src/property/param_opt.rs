//! `SYCL/kernel param opt`: which arguments the compiler removed from kernels.

use super::bytes::SetReader;
use crate::error::PropertyError;
use crate::parts::{Property, Value};

/// The arguments of a kernel in the source, and which of them the code lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamMask {
    /// The kernel.
    pub kernel: String,
    /// The number of arguments in the source, which is the length in bits.
    pub arguments: u64,
    mask: Vec<u8>,
}

impl ParamMask {
    /// Creates the mask of a kernel that keeps all of its arguments.
    pub fn all_kept(kernel: impl Into<String>, arguments: u64) -> Self {
        let bytes = usize::try_from(arguments.div_ceil(8)).unwrap_or(0);
        Self { kernel: kernel.into(), arguments, mask: vec![0; bytes] }
    }

    /// Creates the mask of a kernel whose last argument was removed.
    pub fn last_removed(kernel: impl Into<String>, arguments: u64) -> Self {
        let mut mask = Self::all_kept(kernel, arguments);
        if let Some(last) = mask.mask.last_mut() {
            *last = 1 << (arguments.saturating_sub(1) % 8);
        }
        mask
    }

    /// Marks the last argument as kept.
    pub fn keep_last(&mut self) {
        if let Some(last) = self.mask.last_mut() {
            *last &= !(1 << (self.arguments.saturating_sub(1) % 8));
        }
    }

    /// Adds an argument, which the code has, at the end.
    pub fn add_last(&mut self) {
        self.arguments += 1;
        self.mask.resize(usize::try_from(self.arguments.div_ceil(8)).unwrap_or(0), 0);
    }

    /// Returns whether this argument was removed; `false` for arguments beyond the last.
    pub fn is_removed(&self, argument: u64) -> bool {
        let byte = usize::try_from(argument / 8).ok().and_then(|at| self.mask.get(at));
        argument < self.arguments && byte.is_some_and(|byte| byte & (1 << (argument % 8)) != 0)
    }

    /// Returns the number of arguments in the code.
    pub fn kept(&self) -> u64 {
        (0..self.arguments).filter(|&argument| !self.is_removed(argument)).count() as u64
    }
}

/// The masks of an image's kernels, in the image's order. A kernel without a mask keeps its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelParamOpt {
    /// The masks.
    pub kernels: Vec<ParamMask>,
}

impl KernelParamOpt {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let kernels = set.properties().map(|field| {
            let (arguments, mask) = field.bits()?;
            Ok(ParamMask { kernel: field.name().into(), arguments, mask: field.copy(mask)? })
        });
        Ok(Self { kernels: kernels.collect::<Result<_, PropertyError>>()? })
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let property = |kernel: &ParamMask| {
            Property::new(kernel.kernel.clone(), Value::bit_array(kernel.arguments, &kernel.mask))
        };
        self.kernels.iter().map(property).collect()
    }

    /// Returns the mask of a kernel.
    pub fn get(&self, kernel: &str) -> Option<&ParamMask> {
        self.kernels.iter().find(|mask| mask.kernel == kernel)
    }
}
