//! The reasons why there is no SPIR-V.

/// The reason why a source did not compile to SPIR-V.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// No compiler was found, or none works.
    #[error("no compiler makes SPIR-V here: {tried}{advice}")]
    NoCompiler {
        /// The compilers that were found, each with the reason why it is unusable.
        tried: String,
        /// The package to install; empty if none would help.
        advice: String,
    },
    /// A variable names something that is not a compiler.
    #[error("{variable} names {path}, which {problem}")]
    Named {
        /// The variable.
        variable: &'static str,
        /// Its value.
        path: String,
        /// The problem with it.
        problem: String,
    },
    /// The source has errors.
    #[error("{name} does not compile with {compiler}:\n{log}")]
    Refused {
        /// The source's name.
        name: String,
        /// The programs that were run.
        compiler: String,
        /// The compiler's message.
        log: String,
    },
    /// A folder that may contain compilers cannot be listed.
    #[error("{folder} cannot be searched for compilers: {problem}")]
    Folder {
        /// The folder.
        folder: String,
        /// The system's reason.
        problem: String,
    },
    /// The system did not run the program, or not to its end.
    #[error("{program} does not run: {problem}")]
    NotRun {
        /// The program's file.
        program: String,
        /// The system's reason.
        problem: String,
    },
}
