//! Errors in SPIR-V modules.

use std::fmt;

use sycl_pi_host_process::OutOfMemory;

/// A SPIR-V module that cannot be read or processed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SpirvError {
    /// The file, if known.
    pub file: Option<String>,
    /// The offset in the module in bytes, if the error has a location.
    pub offset: Option<usize>,
    /// The problem.
    pub problem: String,
    /// Whether the process ran out of memory, so that the module itself may be valid.
    pub is_out_of_memory: bool,
}

impl fmt::Display for SpirvError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(out, "{file}: ")?;
        }
        if let Some(offset) = self.offset {
            write!(out, "at byte {offset}: ")?;
        }
        out.write_str(&self.problem)
    }
}

impl SpirvError {
    /// Creates an error at the word with this index.
    pub fn at(word: usize, problem: impl Into<String>) -> Self {
        Self { file: None, offset: Some(word.saturating_mul(4)), ..Self::whole(problem) }
    }

    /// Creates an error about the module as a whole.
    pub fn whole(problem: impl Into<String>) -> Self {
        Self { file: None, offset: None, problem: problem.into(), is_out_of_memory: false }
    }

    /// Adds the file's name.
    #[must_use]
    pub fn in_file(self, file: impl Into<String>) -> Self {
        Self { file: Some(file.into()), ..self }
    }
}

impl From<OutOfMemory> for SpirvError {
    fn from(error: OutOfMemory) -> Self {
        Self { is_out_of_memory: true, ..Self::whole(error.to_string()) }
    }
}
