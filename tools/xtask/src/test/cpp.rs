//! C++ programs on stock releases with adapters. Each must print the same on our adapter as on the vendor's.
//! Programs that the vendor's cannot run must print the content of a file next to them.
//!
//! libsycl's wheel contains the headers, and a compiler for kernels from source text, so that any C++ compiler can
//! build these programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use testing_support::process::Finished;

use crate::backend::Backend;
use crate::plugin;
use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::provision::python;
use crate::release;
use crate::releases::{self, Release};
use crate::sample;
use crate::totals::{self, Totals};
use crate::workspace;

/// The programs of `testing/programs/cpp` that each release runs, half of them a day: all on the one whose libsycl
/// contains the vendor's adapter, and some on a release with libsycl.so.8.
const RUNS: [(&str, &[&str]); 2] = [
    ("2026.2.0", &["kernel_compiler", "from_source", "queues", "failures", "graphs", "interop"]),
    ("2025.3.3", &["kernel_compiler", "from_source"]),
];

/// The release that runs programs that the vendor's adapter cannot run, and these programs with the backends that run
/// them. The expected output is in a file next to each.
const OWN: (&str, [(&str, &[Backend]); 2]) = (
    "2026.2.0",
    [
        ("native_recording", &BACKENDS),
        // The runtime below the software Level Zero driver has no function for a failed assert.
        ("asserts", &[Backend::OpenCl, Backend::Cuda]),
    ],
);

/// The backends of our adapters.
const BACKENDS: [Backend; 3] = [Backend::OpenCl, Backend::LevelZero, Backend::Cuda];

/// A program takes some seconds.
const LIMIT: Duration = Duration::from_secs(300);

/// The number of printed lines of a failed program.
const SHOWN: usize = 40;

/// Builds the programs for each release, and compares their output on both adapters.
pub(crate) fn run() -> Result<Totals> {
    let packages: Vec<&str> = BACKENDS.iter().flat_map(|backend| backend.packages()).copied().collect();
    release::build(&packages)?;
    if !process::succeeds(Command::new("g++").arg("--version")) {
        python::install_debian_packages(&["g++", "libc6-dev"])?;
    }
    let mut sum = Totals::default();
    for (version, programs) in RUNS {
        let Ok(release) = releases::find_any(version) else { bail!("release {version} is not known") };
        let vendor = match environment::ensure(release, Flavour::Vendor) {
            Ok(vendor) => vendor,
            Err(error) => {
                println!("C++ programs of {version} are skipped, as there is no environment: {error:#}");
                sum += Totals { skipped: programs.len(), ..Totals::default() };
                continue;
            }
        };
        let ours = plugin::environment(release, Backend::OpenCl, None)?;
        let what = format!("C++ programs on the stock libsycl of {version}");
        let programs = sample::of_the_day(&what, "cpp", programs, programs.len().div_ceil(2), 0);
        sum += totals::step(what, || {
            let files = compile_all(&programs, release, &vendor)?;
            programs.iter().zip(files).try_fold(Totals::default(), |mut sum, (program, file)| {
                sum += compare(program, &file, &vendor, &ours)?;
                Ok(sum)
            })
        })?;
    }
    let (version, programs) = OWN;
    let Ok(release) = releases::find_any(version) else { bail!("release {version} is not known") };
    let names: Vec<&str> = programs.iter().map(|(name, _)| *name).collect();
    let mut files: Option<Vec<PathBuf>> = None;
    for backend in BACKENDS {
        let name = format!("C++ programs of our own on the stock libsycl of {version}, {backend}");
        sum += totals::step(name, || {
            let Ok(ours) = plugin::environment(release, backend, None) else {
                return Ok(Totals { skipped: programs.len(), ..Totals::default() });
            };
            let files = match &mut files {
                Some(files) => files,
                files => files.insert(compile_all(&names, release, &ours)?),
            };
            let chosen = programs.iter().zip(files.iter()).filter(|((_, on), _)| on.contains(&backend));
            run_own(chosen.map(|((name, _), file)| (*name, &**file)), &ours)
        })?;
    }
    Ok(sum)
}

/// Runs programs on one of our adapters, and compares their output with the expected one.
fn run_own<'t>(programs: impl Iterator<Item = (&'t str, &'t Path)>, ours: &Environment) -> Result<Totals> {
    let mut sum = Totals::default();
    for (program, file) in programs {
        let expected =
            workspace::root().join("testing/programs/cpp").join(program).with_extension("expected");
        let expected = fs::read_to_string(&expected).with_context(|| expected.display().to_string())?;
        sum += Totals::of_one(is_same(program, &execute(file, ours)?, &expected, "expected"));
    }
    Ok(sum)
}

/// Compiles the programs, two at a time. SYCL's headers keep a processor busy for about ten seconds.
fn compile_all(programs: &[&str], release: &Release, environment: &Environment) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for pair in programs.chunks(2) {
        let compiled = thread::scope(|scope| {
            let start = |program| scope.spawn(move || compile(program, release, environment));
            let running: Vec<_> = pair.iter().map(|program| start(program)).collect();
            running.into_iter().map(ScopedJoinHandle::join).collect::<Vec<_>>()
        });
        for file in compiled {
            files.push(file.map_err(|_| anyhow!("a compilation panicked"))??);
        }
    }
    Ok(files)
}

/// Compiles a program with the headers of a release's wheel.
fn compile(program: &str, release: &Release, environment: &Environment) -> Result<PathBuf> {
    let folder = workspace::target().join("cpp-programs").join(release.name());
    fs::create_dir_all(&folder)?;
    let (source, file) = (workspace::root().join("testing/programs/cpp"), folder.join(program));
    let mut gxx = Command::new("g++");
    gxx.args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-isystem"]);
    gxx.arg(environment.root().join("include"));
    gxx.arg(source.join(program).with_extension("cpp")).arg("-o").arg(&file);
    gxx.arg(environment.lib().join(release.soname)).arg(environment.lib().join("libOpenCL.so.1"));
    gxx.arg("-Wl,--unresolved-symbols=ignore-in-shared-libs");
    process::output(&mut gxx).with_context(|| format!("{program} does not compile"))?;
    Ok(file)
}

/// Returns whether a program prints the same on both adapters, and succeeds.
fn compare(program: &str, file: &Path, vendor: &Environment, ours: &Environment) -> Result<Totals> {
    // In parallel, because most of the time is spent in libsycl's compiler on one processor.
    let (expected, got) = thread::scope(|scope| {
        let vendors = scope.spawn(|| execute(file, vendor));
        let got = execute(file, ours);
        (vendors.join(), got)
    });
    let Ok(expected) = expected else { bail!("running {program} on the vendor's adapter panicked") };
    let expected = expected?;
    if !expected.end.is_success() {
        totals::report_failure(&format!(
            "{program} fails on the vendor's adapter:\n{}",
            expected.summary(SHOWN)
        ));
        return Ok(Totals::of_one(false));
    }
    Ok(Totals::of_one(is_same(program, &got?, &expected.stdout_text(), "the vendor's")))
}

/// Returns whether a program has succeeded on our adapter, and has printed the expected output.
fn is_same(program: &str, got: &Finished, expected: &str, whose: &str) -> bool {
    let mut same = got.end.is_success();
    if !same {
        totals::report_failure(&format!("{program} fails on our adapter:\n{}", got.summary(SHOWN)));
    }
    for (line, (ours, other)) in pairs(&got.stdout_text(), expected).enumerate().filter(|(_, (a, b))| a != b)
    {
        totals::report_failure(&format!(
            "{program}, line {}: {ours:?} on ours, {other:?} is {whose}",
            line + 1
        ));
        same = false;
    }
    same
}

/// Returns the lines of two texts in pairs. The shorter one is padded with empty lines.
fn pairs<'a>(first: &'a str, second: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let count = first.lines().count().max(second.lines().count());
    let lines = |text: &'a str| text.lines().chain(std::iter::repeat(""));
    lines(first).zip(lines(second)).take(count)
}

/// Runs a program, and checks that its libsycl has loaded the intended adapter.
fn execute(file: &Path, environment: &Environment) -> Result<Finished> {
    let mut command = Command::new(file);
    command.envs(environment.variables()?);
    let finished =
        testing_support::process::run(&mut command, LIMIT).context("a C++ program could not be run")?;
    let said = finished.stderr_text();
    let loaded: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("adapter ")).collect();
    let meant = fs::canonicalize(environment.plugin())?;
    // If the vendor's is libsycl itself, no other file is loaded.
    let is_libsycl = !meant.to_string_lossy().contains("libur_adapter_");
    let right = if is_libsycl { loaded.is_empty() } else { loaded == [meant.to_string_lossy()] };
    if finished.end.is_success() && !right {
        bail!("{} has loaded {loaded:?} instead of {}", file.display(), meant.display());
    }
    Ok(finished)
}

#[cfg(test)]
mod tests {
    use super::pairs;

    #[test]
    fn lines_that_only_one_text_has_differ() {
        let all: Vec<_> = pairs("a\nb", "a").collect();
        assert_eq!(all, [("a", "a"), ("b", "")]);
        assert_eq!(pairs("", "").count(), 0);
    }
}
