//! Compilers: found, tried, and run.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sycl_pi_host_process::trusted_variable;

use crate::error::CompileError;
use crate::places::{self, OLDEST, Program};
use crate::process::{Ran, run};
use crate::source::Source;

/// A kernel that every compiler should take.
const PROBE: &str = "kernel void probe(global int *out) { out[get_global_id(0)] = 1; }\n";

/// The newest SPIR-V that drivers since 2022 take.
const SPIRV: &str = "1.2";

/// The variables that name the programs.
const CLANG: &str = "PI_CLANG";
const LLVM_SPIRV: &str = "PI_LLVM_SPIRV";

/// A clang with what may turn its output into SPIR-V. Nothing of it was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    clang: PathBuf,
    /// `llvm-spirv`, or `None` for clang's own SPIR-V back end.
    translator: Option<PathBuf>,
}

/// A compiler that makes SPIR-V.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    candidate: Candidate,
    /// clang's major version.
    version: u32,
}

/// SPIR-V, and what the compiler said about its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The module.
    pub code: Vec<u8>,
    /// Warnings; mostly empty.
    pub log: String,
}

/// Every clang on this machine with every llvm-spirv and with its own back end, best first. Looks at names only.
///
/// # Errors
/// `PI_CLANG` or `PI_LLVM_SPIRV` names no file.
pub fn candidates() -> Result<Vec<Candidate>, CompileError> {
    candidates_for(&trusted_variable)
}

fn candidates_for(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Vec<Candidate>, CompileError> {
    let places = places::places(variable);
    let all = |name: &str, override_variable| match variable(override_variable) {
        Some(path) => named(override_variable, path).map(|program| vec![program]),
        None => Ok(places::programs(name, &places)),
    };
    let (clangs, translators) = (all("clang", CLANG)?, all("llvm-spirv", LLVM_SPIRV)?);
    Ok(clangs.iter().flat_map(|clang| pairs(clang, &translators)).collect())
}

fn named(variable: &'static str, path: OsString) -> Result<Program, CompileError> {
    let path = PathBuf::from(path);
    let problem = match path.is_file() {
        true if path.is_absolute() => return Ok(Program { path, version: None }),
        true => "is no absolute path",
        false => "is no file",
    };
    Err(CompileError::Named { variable, path: path.display().to_string(), problem: problem.into() })
}

/// A clang with the translators that may read its output: those of the same version and folder first, its own back end last.
fn pairs(clang: &Program, translators: &[Program]) -> Vec<Candidate> {
    let mut fitting: Vec<&Program> = translators
        .iter()
        .filter(|translator| clang.version.zip(translator.version).is_none_or(|(clang, own)| own >= clang))
        .collect();
    fitting.sort_by_key(|translator| {
        (translator.version != clang.version, translator.path.parent() != clang.path.parent())
    });
    let translators = fitting.into_iter().map(|translator| Some(translator.path.clone()));
    let with = |translator| Candidate { clang: clang.path.clone(), translator };
    translators.chain([None]).map(with).collect()
}

/// The first of these that compiles a kernel.
///
/// # Errors
/// None does: each with the reason, and what to install.
pub fn working(candidates: &[Candidate]) -> Result<Compiler, CompileError> {
    let (mut tried, mut versions, mut advised): (Vec<String>, _, _) = (Vec::new(), HashMap::new(), None);
    for candidate in candidates {
        let clang = &candidate.clang;
        let clang = *versions.entry(clang.as_path()).or_insert_with(|| version_of(clang, "-dumpversion", ""));
        let Some(clang) = clang else {
            tried.push(format!("{} is no clang", candidate.clang.display()));
            continue;
        };
        if clang < OLDEST {
            tried.push(format!("{} is of LLVM {clang}, and {OLDEST} is needed", candidate.clang.display()));
            continue;
        }
        advised.get_or_insert(clang);
        if let Some(translator) = &candidate.translator {
            // Some do not tell; those are tried.
            let own = || version_of(translator, "--version", "LLVM version ");
            let own = *versions.entry(translator.as_path()).or_insert_with(own);
            if own.is_some_and(|own| own < clang) {
                tried.push(format!("{} is older than {}", translator.display(), candidate.clang.display()));
                continue;
            }
        }
        let compiler = Compiler { candidate: candidate.clone(), version: clang };
        match compiler.compile(&Source::new("probe.cl", PROBE)) {
            Ok(_) => return Ok(compiler),
            Err(CompileError::Refused { log, .. }) => {
                tried.push(format!("{candidate}: {}", log.lines().next().unwrap_or("no output")));
            }
            Err(error) => tried.push(error.to_string()),
        }
    }
    tried.dedup();
    if tried.is_empty() {
        tried.push("no clang lies in PATH or in the active environment".into());
    }
    Err(CompileError::NoCompiler { tried: tried.join("; "), advice: advice(advised) })
}

/// What to install, where clang of this version is there.
fn advice(clang: Option<u32>) -> String {
    let packages = match clang {
        Some(version) => format!(
            "Install a translator that is not older: `apt install llvm-spirv-{version}` or `pip install dpcpp-llvm-spirv`"
        ),
        None => {
            "Install clang and llvm-spirv of one version, such as `apt install clang-15 llvm-spirv-15`".into()
        }
    };
    format!("{packages}, or name the programs in {CLANG} and {LLVM_SPIRV}")
}

/// The compiler of this machine.
///
/// # Errors
/// There is none: what was found, why it does not do, and what to install.
pub fn find() -> Result<Compiler, CompileError> {
    working(&candidates()?)
}

/// The major version that a program tells, after these words.
fn version_of(program: &Path, option: &str, words: &str) -> Option<u32> {
    let Ran { output, .. } = run(program, [option], b"").ok()?;
    let text = String::from_utf8_lossy(&output).into_owned();
    let (_, after) = text.split_once(words)?;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

impl Candidate {
    /// Which programs these are: their paths, sizes and times. Another version is another identity. `None` if one is gone.
    pub fn identity(&self) -> Option<String> {
        let of = |path: &Path| {
            let path = path.canonicalize().ok()?;
            let data = path.metadata().ok()?;
            Some(format!("{} {} {}.{}", path.display(), data.size(), data.mtime(), data.mtime_nsec()))
        };
        let translator = match &self.translator {
            Some(translator) => of(translator)?,
            None => String::new(),
        };
        Some(format!("{}\n{translator}", of(&self.clang)?))
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.clang.display())?;
        match &self.translator {
            Some(translator) => write!(f, " and {}", translator.display()),
            None => write!(f, " alone"),
        }
    }
}

impl Compiler {
    /// Its programs.
    pub fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// Compiles a source to SPIR-V.
    ///
    /// # Errors
    /// The source has errors, in the compiler's own words; or a program does not run.
    pub fn compile(&self, source: &Source<'_>) -> Result<Compiled, CompileError> {
        let mut arguments: Vec<&OsStr> = source.language.arguments().into_iter().map(OsStr::new).collect();
        let target = format!("--target=spirv64v{SPIRV}");
        arguments.extend(["-O2", "-c", "-o", "-"].map(OsStr::new));
        match &self.candidate.translator {
            Some(_) => arguments.extend(["--target=spir64-unknown-unknown", "-emit-llvm"].map(OsStr::new)),
            None => arguments.extend([target.as_str(), "-fintegrated-objemitter"].map(OsStr::new)),
        }
        if self.version == 15 {
            // The translator of LLVM 15 needs pointers with types; newer ones read both.
            arguments.extend(["-Xclang", "-no-opaque-pointers"].map(OsStr::new));
        }
        arguments.extend(source.options.iter().map(OsString::as_os_str));
        arguments.push(OsStr::new("-"));
        let compiled = run(&self.candidate.clang, arguments, source.marked().as_bytes())?;
        let log = compiled.log.clone();
        let code = match &self.candidate.translator {
            Some(translator) => {
                let bitcode = self.output_of(compiled, source, b"BC\xc0\xde")?;
                let version = format!("--spirv-max-version={SPIRV}");
                let translated = run(translator, [version.as_str(), "-o", "-", "-"], &bitcode)?;
                self.output_of(translated, source, &[3, 2, 0x23, 7])?
            }
            None => self.output_of(compiled, source, &[3, 2, 0x23, 7])?,
        };
        Ok(Compiled { code, log })
    }

    /// The output of a program that succeeded: what begins as expected.
    fn output_of(&self, ran: Ran, source: &Source<'_>, start: &[u8]) -> Result<Vec<u8>, CompileError> {
        if ran.success && ran.output.starts_with(start) {
            return Ok(ran.output);
        }
        let log = if ran.log.is_empty() { "it gave no output and no reason".to_owned() } else { ran.log };
        let (name, compiler) = (source.name.to_owned(), self.candidate.to_string());
        Err(CompileError::Refused { name, compiler, log })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(path: &str, version: Option<u32>) -> Program {
        Program { path: path.into(), version }
    }

    #[test]
    fn a_translator_of_the_same_version_comes_first_and_an_older_one_never() {
        let translators = [
            program("/b/llvm-spirv-15", Some(15)),
            program("/b/llvm-spirv", None),
            program("/b/llvm-spirv-19", Some(19)),
        ];
        let of = |clang: Program| {
            let names = pairs(&clang, &translators).into_iter().map(|one| one.to_string());
            names.collect::<Vec<_>>()
        };
        assert_eq!(
            of(program("/a/clang-19", Some(19))),
            ["/a/clang-19 and /b/llvm-spirv-19", "/a/clang-19 and /b/llvm-spirv", "/a/clang-19 alone"]
        );
        assert_eq!(of(program("/b/clang", None))[0], "/b/clang and /b/llvm-spirv");
    }

    #[test]
    fn a_variable_that_names_no_compiler_is_an_error_that_names_it() {
        let of =
            |name, value: &'static str| candidates_for(&move |asked| (asked == name).then(|| value.into()));
        let error = of("PI_CLANG", "/none/clang").unwrap_err().to_string();
        assert_eq!(error, "PI_CLANG names /none/clang, which is no file");
        let error = of("PI_LLVM_SPIRV", "Cargo.toml").unwrap_err().to_string();
        assert_eq!(error, "PI_LLVM_SPIRV names Cargo.toml, which is no absolute path");
    }

    #[test]
    fn without_a_compiler_the_error_says_what_was_found_and_what_to_install() {
        let error = working(&[]).unwrap_err().to_string();
        assert_eq!(
            error,
            "no compiler makes SPIR-V here: no clang lies in PATH or in the active environment. Install clang and llvm-spirv of one \
             version, such as `apt install clang-15 llvm-spirv-15`, or name the programs in PI_CLANG and PI_LLVM_SPIRV"
        );
        let no_clang = Candidate { clang: "/bin/true".into(), translator: None };
        assert!(working(&[no_clang]).unwrap_err().to_string().contains("/bin/true is no clang"));
    }
}
