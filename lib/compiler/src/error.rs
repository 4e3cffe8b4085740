//! Why there is no SPIR-V.

/// Why a source did not become SPIR-V.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// No compiler was found, or none works.
    #[error("no compiler makes SPIR-V here: {tried}{advice}")]
    NoCompiler {
        /// What was found, each with the reason why it does not do.
        tried: String,
        /// What to install; empty if that is no remedy.
        advice: String,
    },
    /// A variable names what is no compiler.
    #[error("{variable} names {path}, which {problem}")]
    Named {
        /// The variable.
        variable: &'static str,
        /// Its value.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The source has errors.
    #[error("{name} does not compile with {compiler}:\n{log}")]
    Refused {
        /// The source's name.
        name: String,
        /// The programs that were run.
        compiler: String,
        /// The compiler's own text.
        log: String,
    },
    /// A folder that may have compilers cannot be listed.
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
