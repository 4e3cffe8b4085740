//! A kernel that is ready to be launched.

use std::sync::{Arc, OnceLock};

use super::arg::ArgumentLayout;
use crate::build::BuiltProgram;
use crate::call::RawKernel;
use crate::error::Result;

/// A kernel in the cache.
pub(crate) struct ReadyKernel {
    pub(crate) raw: RawKernel,
    /// The arguments, read at the first launch, so that a program that only prepares kernels does not parse their code.
    arguments: OnceLock<ArgumentLayout>,
}

impl ReadyKernel {
    pub(crate) fn new(raw: RawKernel) -> Self {
        Self { raw, arguments: OnceLock::new() }
    }

    pub(crate) fn arguments(&self, program: &Arc<BuiltProgram>) -> Result<&ArgumentLayout> {
        match self.arguments.get() {
            Some(layout) => Ok(layout),
            None => {
                let layout = ArgumentLayout::new(program, &self.raw)?;
                Ok(self.arguments.get_or_init(|| layout))
            }
        }
    }
}
