//! The parameters of a kernel from SPIR-V, against which arguments are checked when they are set.

use std::sync::Arc;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use crate::program::spirv::Parameter;

/// The parameters of a kernel. They are unknown for kernels compiled ahead of time.
#[derive(Clone, Default)]
pub(crate) struct KernelParameters(Option<Arc<[Parameter]>>);

impl KernelParameters {
    pub(crate) fn new(parameters: Option<&[Parameter]>) -> Self {
        Self(parameters.map(Arc::from))
    }

    /// Returns the number of parameters, if it is known.
    pub(crate) fn count(&self) -> Option<usize> {
        self.0.as_ref().map(|list| list.len())
    }

    /// Returns the parameter with the given index, or `None` if it is unknown.
    pub(crate) fn get(&self, index: usize) -> Result<Option<Parameter>> {
        let Some(list) = &self.0 else { return Ok(None) };
        list.get(index).copied().map(Some).ok_or_else(|| Error::no_such_argument(index, list.len()))
    }

    /// Returns whether the parameters are known.
    #[inline(always)]
    pub(crate) fn are_known(&self) -> bool {
        self.0.is_some()
    }

    /// Checks that a value of the given size fits, and returns the parameter.
    pub(crate) fn check_value(&self, index: usize, size: usize) -> Result<Option<Parameter>> {
        let parameter = self.get(index)?;
        let wanted = match parameter {
            None => return Ok(None),
            Some(Parameter::Value(size)) => size,
            Some(Parameter::Pointer) => size_of::<u64>(),
            Some(Parameter::Local(_)) => {
                let text = format!("argument {index} is local memory: it takes a size and no value");
                return Err(Error::new(ErrorCode::INVALID_ARG_VALUE, text));
            }
        };
        if size == wanted {
            return Ok(parameter);
        }
        Err(Error::argument_size(index, size, wanted))
    }
}
