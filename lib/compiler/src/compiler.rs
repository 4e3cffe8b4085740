//! Compilation with clang, and the translation of its output to SPIR-V.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::candidate::Candidate;
use crate::error::CompileError;
use crate::options::Options;
use crate::process::{Ran, run};
use crate::source::{Language, Source};

/// The newest SPIR-V version that drivers since 2022 accept.
const SPIRV: &str = "1.2";

/// Omits clang's own declarations.
const NO_HEADER: &str = "-cl-no-stdinc";

/// A compiler that produces SPIR-V.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    candidate: Candidate,
    /// clang's major version.
    version: u32,
    /// The header with OpenCL's types, which clang includes in every source. Its path is absolute, because clang would
    /// otherwise use a file of this name in the first folder that has one.
    header: PathBuf,
}

/// SPIR-V, and the compiler's messages about its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The module.
    pub code: Vec<u8>,
    /// Warnings; mostly empty.
    pub log: String,
}

/// The output of clang, on the way to SPIR-V.
pub(crate) struct Bitcode {
    code: Vec<u8>,
    log: String,
}

impl Compiler {
    /// Creates a compiler whose clang has this version, with clang's own headers in this folder.
    pub(crate) fn new(candidate: Candidate, version: u32, resources: &Path) -> Self {
        Self { candidate, version, header: resources.join("include/opencl-c-base.h") }
    }

    /// Returns its programs.
    pub fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// Compiles a source to SPIR-V.
    ///
    /// # Errors
    /// Fails if the source has errors, with the compiler's own message, or if a program does not run.
    pub fn compile(&self, source: &Source<'_>) -> Result<Compiled, CompileError> {
        self.translated(self.bitcode(source, None)?, source, None)
    }

    /// Runs the first step, which is clang. Without a translator, its output is the SPIR-V.
    pub(crate) fn bitcode(
        &self,
        source: &Source<'_>,
        limit: Option<Duration>,
    ) -> Result<Bitcode, CompileError> {
        let mut arguments = self.front_end(source.language, &source.options());
        let (last, start): (_, &[u8]) = match &self.candidate.translator {
            Some(_) => ("-emit-llvm", b"BC\xc0\xde"),
            None => ("-fintegrated-objemitter", &[3, 2, 0x23, 7]),
        };
        arguments.extend(["-c", "-o", "-", last, "-"].map(OsString::from));
        let ran = run(self.clang(), arguments, source.marked().as_bytes(), limit)?;
        let log = ran.log.clone();
        Ok(Bitcode { code: self.output_of(ran, source, start)?, log })
    }

    /// Runs the second step.
    pub(crate) fn translated(
        &self,
        bitcode: Bitcode,
        source: &Source<'_>,
        limit: Option<Duration>,
    ) -> Result<Compiled, CompileError> {
        let Bitcode { mut code, log } = bitcode;
        if let Some(translator) = &self.candidate.translator {
            let version = format!("--spirv-max-version={SPIRV}");
            let ran = run(translator, [version.as_str(), "-o", "-", "-"], &code, limit)?;
            code = self.output_of(ran, source, &[3, 2, 0x23, 7])?;
        }
        Ok(Compiled { code, log })
    }

    pub(crate) fn clang(&self) -> &Path {
        &self.candidate.clang
    }

    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    pub(crate) fn header(&self) -> &Path {
        &self.header
    }

    /// Returns clang's arguments that determine how the text is read.
    pub(crate) fn front_end(&self, language: Language, options: &Options) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = language.arguments().map(OsString::from).into();
        arguments.push("-O2".into());
        arguments.push(match &self.candidate.translator {
            Some(_) => "--target=spir64-unknown-unknown".into(),
            None => format!("--target=spirv64v{SPIRV}").into(),
        });
        if self.version == 15 {
            // The translator of LLVM 15 needs typed pointers; newer ones read both kinds.
            arguments.extend(["-Xclang", "-no-opaque-pointers"].map(OsString::from));
        }
        if !options.words.iter().any(|word| word == NO_HEADER) {
            let base = [NO_HEADER, "-Xclang", "-fdeclare-opencl-builtins", "-include"].map(OsStr::new);
            arguments.extend(base.into_iter().chain([self.header.as_os_str()]).map(OsString::from));
        }
        arguments.extend(options.words.iter().cloned());
        arguments
    }

    /// Returns the output of a program that succeeded and whose output starts as expected.
    fn output_of(&self, ran: Ran, source: &Source<'_>, start: &[u8]) -> Result<Vec<u8>, CompileError> {
        if ran.success() && ran.output.starts_with(start) {
            return Ok(ran.output);
        }
        Err(self.refused(source, ran.log))
    }

    pub(crate) fn refused(&self, source: &Source<'_>, log: String) -> CompileError {
        let log = if log.is_empty() { "it gave no output and no reason".to_owned() } else { log };
        let (name, compiler) = (source.name.to_owned(), self.candidate.to_string());
        CompileError::Refused { name, compiler, log }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn compiler(version: u32, translator: Option<&str>) -> Compiler {
        let candidate = Candidate { clang: "/c/clang".into(), translator: translator.map(Into::into) };
        Compiler::new(candidate, version, Path::new("/r"))
    }

    fn words(compiler: &Compiler, options: &[&str]) -> Vec<String> {
        let options: Vec<OsString> = options.iter().map(OsString::from).collect();
        let given = compiler.front_end(Language::OpenClC, &Options::new(&options, Path::new("/")));
        given.iter().map(|word| word.to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn only_the_translator_of_llvm_15_needs_typed_pointers() {
        let has = |version, option: &str| {
            words(&compiler(version, Some("/c/llvm-spirv")), &[]).iter().any(|word| word == option)
        };
        assert_eq!([15, 16, 18].map(|version| has(version, "-no-opaque-pointers")), [true, false, false]);
        assert!(has(15, "--target=spir64-unknown-unknown"));
        assert!(words(&compiler(18, None), &[]).contains(&"--target=spirv64v1.2".to_owned()));
    }

    #[test]
    fn the_header_of_the_language_is_included_unless_an_option_leaves_it_out() {
        let header = "/r/include/opencl-c-base.h".to_owned();
        let compiler = compiler(18, None);
        assert!(words(&compiler, &["-DN"]).contains(&header));
        let without = words(&compiler, &[NO_HEADER, "-DN"]);
        assert!(!without.contains(&header) && without.ends_with(&[NO_HEADER.to_owned(), "-DN".to_owned()]));
    }

    #[test]
    fn what_a_failed_compiler_wrote_is_no_code() {
        let output = |status: u8| {
            let script = format!("printf 'BC\\300\\336'; echo why >&2; exit {status}");
            let ran = run(Path::new("/bin/sh"), ["-c", script.as_str()], b"", None).unwrap();
            compiler(18, None).output_of(ran, &Source::new("k.cl", ""), b"BC\xc0\xde")
        };
        assert_eq!(output(0).unwrap(), b"BC\xc0\xde");
        assert!(output(1).unwrap_err().to_string().ends_with(":\nwhy"));
    }
}
