//! Why a program cannot be translated.

use sycl_pi_image::spirv::SpirvError;

/// A program that cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A module is damaged, or not SPIR-V.
    #[error("module {number} is no SPIR-V that can be read: {source}")]
    Module {
        /// Its place among the modules, from 0.
        number: usize,
        /// What is wrong.
        source: SpirvError,
    },
    /// The modules do not fit together.
    #[error("the modules cannot be linked: {0}")]
    Link(SpirvError),
    /// The module as a whole, or something outside its functions.
    #[error("{what}: {reason}")]
    Program {
        /// The declaration.
        what: String,
        /// Why it cannot be translated.
        reason: String,
    },
    /// An instruction of a function.
    #[error("function {function}, instruction {instruction}: {reason}")]
    Instruction {
        /// The function's name in the module, or its id.
        function: String,
        /// The instruction's name and the id of its result.
        instruction: String,
        /// Why it cannot be translated.
        reason: String,
    },
}

/// Why something cannot be translated, before it is known where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason(pub(crate) String);

impl<T: Into<String>> From<T> for Reason {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl Reason {
    /// The error of a declaration outside functions.
    pub(crate) fn in_declaration(self, what: impl Into<String>) -> Error {
        Error::Program { what: what.into(), reason: self.0 }
    }
}

/// A result of the translation, before it is known where a problem stands.
pub(crate) type Result<T, E = Reason> = std::result::Result<T, E>;
