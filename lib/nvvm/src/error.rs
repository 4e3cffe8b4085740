//! The reasons why a program cannot be translated.

use sycl_pi_image::spirv::SpirvError;

/// A program that cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A module is damaged, or not SPIR-V.
    #[error("module {number} is not readable SPIR-V: {source}")]
    Module {
        /// Its index among the modules, from 0.
        number: usize,
        /// The problem.
        source: SpirvError,
    },
    /// The modules are incompatible.
    #[error("the modules cannot be linked: {0}")]
    Link(SpirvError),
    /// The module as a whole, or a declaration outside its functions.
    #[error("{what}: {reason}")]
    Program {
        /// The declaration.
        what: String,
        /// The reason why it cannot be translated.
        reason: String,
    },
    /// An instruction of a function.
    #[error("function {function}, instruction {instruction}: {reason}")]
    Instruction {
        /// The function's name in the module, or its id.
        function: String,
        /// The instruction's name and the id of its result.
        instruction: String,
        /// The reason why it cannot be translated.
        reason: String,
    },
}

/// The reason why something cannot be translated, before its location is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason(pub(crate) String);

impl<T: Into<String>> From<T> for Reason {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl Reason {
    /// Turns the reason into the error of a declaration outside functions.
    pub(crate) fn in_declaration(self, what: impl Into<String>) -> Error {
        Error::Program { what: what.into(), reason: self.0 }
    }
}

/// A result of the translation, before the location of a problem is known.
pub(crate) type Result<T, E = Reason> = std::result::Result<T, E>;
