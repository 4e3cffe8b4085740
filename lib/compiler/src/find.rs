//! Finds compilers and tries them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sycl_pi_host_process::trusted_variable;

use crate::candidate::Candidate;
use crate::compiler::Compiler;
use crate::error::CompileError;
use crate::places::{self, OLDEST, Program};
use crate::process::run;
use crate::source::Source;

/// A kernel that every compiler should accept.
const PROBE: &str = "kernel void probe(global int *out) { out[get_global_id(0)] = 1; }\n";

/// The time limit for one query to a program, or for the kernel above. Both take a tenth of a second on an idle
/// machine.
const LIMIT: Duration = Duration::from_secs(20);

/// The variables that name the programs.
const CLANG: &str = "PI_CLANG";
const LLVM_SPIRV: &str = "PI_LLVM_SPIRV";

/// Returns every clang on this machine paired with every llvm-spirv and with its own back end, best first. Looks only
/// at names.
///
/// # Errors
/// Fails if `PI_CLANG` or `PI_LLVM_SPIRV` does not name a file, or if the system cannot list a folder.
pub fn candidates() -> Result<Vec<Candidate>, CompileError> {
    candidates_for(&trusted_variable)
}

fn candidates_for(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Vec<Candidate>, CompileError> {
    let places = places::places(variable);
    let all = |name: &str, override_variable| match variable(override_variable) {
        Some(path) => named(override_variable, path).map(|program| vec![program]),
        None => places::programs(name, &places),
    };
    let (clangs, translators) = (all("clang", CLANG)?, all("llvm-spirv", LLVM_SPIRV)?);
    Ok(clangs.iter().flat_map(|clang| pairs(clang, &translators)).collect())
}

fn named(variable: &'static str, path: OsString) -> Result<Program, CompileError> {
    let path = PathBuf::from(path);
    let problem = match path.is_file() {
        true if path.is_absolute() => return Ok(Program { path, version: None }),
        true => "is not an absolute path",
        false => "is not a file",
    };
    Err(CompileError::Named { variable, path: path.display().to_string(), problem: problem.into() })
}

/// Pairs a clang with the translators that may read its output. Those of the same version and folder come first, and
/// clang's own back end last.
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

/// Returns the first of these that compiles a kernel.
///
/// # Errors
/// Fails if none does; the error gives the reason for each, and what to install.
pub fn working(candidates: &[Candidate]) -> Result<Compiler, CompileError> {
    working_within(candidates, LIMIT)
}

fn working_within(candidates: &[Candidate], limit: Duration) -> Result<Compiler, CompileError> {
    let mut search =
        Search { limit, answers: HashMap::new(), tried: Vec::new(), clang: None, is_broken: false };
    candidates.iter().find_map(|candidate| search.attempt(candidate)).ok_or_else(|| search.failure())
}

/// Finds the compiler of this machine.
///
/// # Errors
/// Fails if there is none; the error lists the compilers found, why they are unusable, and what to install.
pub fn find() -> Result<Compiler, CompileError> {
    working(&candidates()?)
}

/// The state of a search for a working compiler.
struct Search<'c> {
    /// The time limit for one run of a program.
    limit: Duration,
    /// The programs' answers about themselves; each is asked once.
    answers: HashMap<&'c Path, Result<ProbeAnswer, CompileError>>,
    tried: Vec<String>,
    /// The first clang that is new enough.
    clang: Option<u32>,
    /// Whether a program is broken, or the system does not run it. Installing another one is then not known to help.
    is_broken: bool,
}

/// A program's answer about itself.
#[derive(Clone)]
enum ProbeAnswer {
    /// Its major version, and the folder with clang's own headers.
    Version(u32, PathBuf),
    /// An answer that no compiler gives.
    Other,
}

impl<'c> Search<'c> {
    /// Returns the compiler if it compiles a kernel.
    fn attempt(&mut self, candidate: &'c Candidate) -> Option<Compiler> {
        let clang = candidate.clang.display();
        let limit = self.limit;
        let ask = || of_clang(&candidate.clang, limit);
        let answer = self.answers.entry(&candidate.clang).or_insert_with(ask);
        let (version, resources) = match answer.clone() {
            Ok(ProbeAnswer::Version(version, _)) if version < OLDEST => {
                return self.note(format!("{clang} is of LLVM {version}, and {OLDEST} is needed"));
            }
            Ok(ProbeAnswer::Version(version, resources)) => (version, resources),
            Ok(ProbeAnswer::Other) => return self.note(format!("{clang} is not clang")),
            Err(error) => return self.note_broken(&error),
        };
        self.clang.get_or_insert(version);
        if let Some(translator) = &candidate.translator {
            let ask = || of_translator(translator, limit);
            match self.answers.entry(translator).or_insert_with(ask).clone() {
                Ok(ProbeAnswer::Version(own, _)) if own < version => {
                    return self.note(format!("{} is older than {clang}", translator.display()));
                }
                // Some do not report their version; those are tried.
                Ok(_) => {}
                Err(error) => return self.note_broken(&error),
            }
        }
        let compiler = Compiler::new(candidate.clone(), version, &resources);
        let source = Source::new("probe.cl", PROBE);
        let bitcode = match compiler.bitcode(&source, Some(limit)) {
            Ok(bitcode) => bitcode,
            // Most clangs have no SPIR-V back end.
            Err(CompileError::Refused { log, .. }) if candidate.translator.is_none() => {
                return self.note(refusal(candidate, &log));
            }
            Err(error) => return self.note_broken(&error),
        };
        match compiler.translated(bitcode, &source, Some(limit)) {
            Ok(_) => Some(compiler),
            Err(CompileError::Refused { log, .. }) => self.note(refusal(candidate, &log)),
            Err(error) => self.note_broken(&error),
        }
    }

    fn note(&mut self, line: String) -> Option<Compiler> {
        self.tried.push(line);
        None
    }

    fn note_broken(&mut self, error: &CompileError) -> Option<Compiler> {
        self.is_broken = true;
        self.note(match error {
            CompileError::Refused { compiler, log, .. } => {
                format!("{compiler}: {}", log.lines().next().unwrap_or_default())
            }
            other => other.to_string(),
        })
    }

    fn failure(mut self) -> CompileError {
        self.tried.dedup();
        if self.tried.is_empty() {
            self.tried.push("no clang is in PATH or in the active environment".into());
        }
        let advice = if self.is_broken { String::new() } else { advice(self.clang) };
        CompileError::NoCompiler { tried: self.tried.join("; "), advice }
    }
}

fn refusal(candidate: &Candidate, log: &str) -> String {
    format!("{candidate}: {}", log.lines().next().unwrap_or_default())
}

/// Returns what to install if a clang of this version is present.
fn advice(clang: Option<u32>) -> String {
    let packages = match clang {
        Some(version) => format!(
            "Install a translator that is not older: `apt install llvm-spirv-{version}` or `pip install dpcpp-llvm-spirv`"
        ),
        None => {
            "Install clang and llvm-spirv of one version, such as `apt install clang-15 llvm-spirv-15` (15 on Debian 12, 18 on Ubuntu 24.04, 19 on Debian 13)".into()
        }
    };
    format!(". {packages}, or name the programs in {CLANG} and {LLVM_SPIRV}")
}

fn of_clang(program: &Path, limit: Duration) -> Result<ProbeAnswer, CompileError> {
    let version = number(&answer(program, "-dumpversion", limit)?);
    match version {
        Some(version) => {
            let resources = PathBuf::from(answer(program, "-print-resource-dir", limit)?.trim());
            Ok(ProbeAnswer::Version(version, resources))
        }
        None => Ok(ProbeAnswer::Other),
    }
}

fn of_translator(program: &Path, limit: Duration) -> Result<ProbeAnswer, CompileError> {
    let text = answer(program, "--version", limit)?;
    let version = text.split_once("LLVM version ").and_then(|(_, after)| number(after));
    Ok(version.map_or(ProbeAnswer::Other, |version| ProbeAnswer::Version(version, PathBuf::new())))
}

/// Returns the number at the start of a text.
fn number(text: &str) -> Option<u32> {
    text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Returns a program's output for this option.
fn answer(program: &Path, option: &str, limit: Duration) -> Result<String, CompileError> {
    let ran = run(program, [option], b"", Some(limit))?;
    match ran.failure() {
        Some(problem) => Err(CompileError::NotRun { program: program.display().to_string(), problem }),
        None => Ok(String::from_utf8_lossy(&ran.output).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use std::process::Command;

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
        // If there are two of that version, the one beside it is used.
        let two = ["/b/llvm-spirv-19", "/a/llvm-spirv-19"].map(|path| program(path, Some(19)));
        let first = pairs(&program("/a/clang-19", Some(19)), &two)[0].to_string();
        assert_eq!(first, "/a/clang-19 and /a/llvm-spirv-19");
    }

    /// Its name does not contain the version.
    #[test]
    fn a_translator_that_says_that_it_is_older_is_not_used() {
        let clang = "case $1 in -dumpversion) echo 18.1;; -print-resource-dir) echo /none;; *) exit 1;; esac";
        let folder = tempfile::tempdir().unwrap();
        let translator = folder.path().join("llvm-spirv");
        let mut written = Command::new("sh");
        written.args([
            "-c",
            "printf '#!/bin/sh\\necho LLVM version 15.0.7\\n' > \"$1\"; chmod 755 \"$1\"",
            "sh",
        ]);
        assert!(written.arg(&translator).status().unwrap().success());
        let error = failure(clang, translator.to_str(), Duration::from_secs(60));
        let start = format!("no compiler makes SPIR-V here: {} is older than /clang.", translator.display());
        assert!(error.starts_with(&start), "{error}");
    }

    #[test]
    fn a_variable_that_names_no_compiler_is_an_error_that_names_it() {
        let of =
            |name, value: &'static str| candidates_for(&move |asked| (asked == name).then(|| value.into()));
        let error = of("PI_CLANG", "/none/clang").unwrap_err().to_string();
        assert_eq!(error, "PI_CLANG names /none/clang, which is not a file");
        let error = of("PI_LLVM_SPIRV", "Cargo.toml").unwrap_err().to_string();
        assert_eq!(error, "PI_LLVM_SPIRV names Cargo.toml, which is not an absolute path");
    }

    #[test]
    fn without_a_compiler_the_error_says_what_was_found_and_what_to_install() {
        let error = working(&[]).unwrap_err().to_string();
        assert_eq!(
            error,
            "no compiler makes SPIR-V here: no clang is in PATH or in the active environment. Install clang and llvm-spirv of one \
             version, such as `apt install clang-15 llvm-spirv-15` (15 on Debian 12, 18 on Ubuntu 24.04, 19 on Debian 13), or name \
             the programs in PI_CLANG and PI_LLVM_SPIRV"
        );
        let no_clang = Candidate { clang: "/bin/true".into(), translator: None };
        assert!(working(&[no_clang]).unwrap_err().to_string().contains("/bin/true is not clang"));
    }

    /// Returns the error if this script is clang, with this file as its translator.
    fn failure(script: &str, translator: Option<&str>, limit: Duration) -> String {
        let folder = tempfile::tempdir().unwrap();
        let clang = folder.path().join("clang");
        // Written by another process, because a child of a concurrent test could hold the file open for writing, and
        // such a program does not start.
        let mut written = Command::new("sh");
        written.args(["-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$2\"; chmod 755 \"$2\"", "sh", script]);
        assert!(written.arg(&clang).status().unwrap().success());
        let candidate = Candidate { clang, translator: translator.map(PathBuf::from) };
        let error = working_within(&[candidate], limit).unwrap_err().to_string();
        error.replace(folder.path().to_str().unwrap(), "")
    }

    #[test]
    fn a_program_that_is_found_and_does_not_run_is_told_with_the_reason_and_nothing_to_install() {
        let long = Duration::from_secs(60);
        let start = "no compiler makes SPIR-V here: /clang";
        let missing = "echo 'libLLVM.so.15: cannot open shared object file' >&2; exit 127";
        assert_eq!(
            failure(missing, None, long),
            format!("{start} does not run: libLLVM.so.15: cannot open shared object file")
        );
        let crash = failure("kill -ILL $$", None, long);
        assert!(
            crash.starts_with(&format!("{start} does not run: signal: 4")) && !crash.contains("Install"),
            "{crash}"
        );
        let started = std::time::Instant::now();
        assert_eq!(
            failure("exec sleep 60", None, Duration::from_millis(100)),
            format!("{start} does not run: it did not end within 100ms")
        );
        assert!(started.elapsed() < Duration::from_secs(30), "it was not ended");
        // The compiler itself fails, so no translator would help.
        let broken =
            "case $1 in -dumpversion) echo 15.0.6;; -print*) echo /none;; *) echo broken >&2; exit 1;; esac";
        assert_eq!(failure(broken, Some("/bin/true"), long), format!("{start} and /bin/true: broken"));
        assert_eq!(
            failure("echo 15.0.6", Some("/etc/passwd"), long),
            "no compiler makes SPIR-V here: /etc/passwd does not run: Permission denied (os error 13)"
        );
        // Here a translator would help. This one does not understand the query for its version, and is tried.
        let working =
            "case $1 in -dumpversion) echo 15;; -print*) echo /none;; *) printf 'BC\\300\\336';; esac";
        let other = failure(working, Some("/bin/false"), long);
        assert!(
            other.contains("/clang and /bin/false: it gave no output") && other.contains("Install a"),
            "{other}"
        );
        assert!(
            failure(broken, None, long)
                .contains("/clang alone: broken. Install a translator that is not older")
        );
        let old = failure("echo 14.0.6", None, long);
        assert!(
            old.contains("/clang is of LLVM 14, and 15 is needed. Install clang and llvm-spirv of one"),
            "{old}"
        );
    }
}
