//! The persistent cache of the stock libsycl (`SYCL_CACHE_PERSISTENT=1`): a second start loads binaries instead of compiling.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::clients::results;
use crate::process;
use crate::provision::environment::{Environment, Flavour};
use crate::releases::Release;
use crate::ui::Step;

const PROGRAM: &str = include_str!("cache_program.py");

/// What the program prints about itself.
#[derive(Debug, Deserialize)]
struct Printed {
    seconds: f64,
    total: f64,
    plugins: Vec<PathBuf>,
}

/// What three starts of the program with one cache folder, empty at first, gave.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CacheResult {
    release: String,
    plugin: String,
    /// Seconds of the first use of the device at the first start.
    first: f64,
    /// The same at the second.
    second: f64,
    /// Binaries that the first start stored.
    stored: usize,
    /// Programs that the third start, with calls traced, made from binaries.
    from_binaries: usize,
    /// Programs that it still made from SPIR-V.
    from_spirv: usize,
}

impl CacheResult {
    /// Whether the later start loaded what the first one stored, and compiled nothing.
    pub(crate) fn works(&self) -> bool {
        self.stored > 0 && self.from_binaries > 0 && self.from_spirv == 0
    }
}

/// Starts a dpnp program three times with one fresh cache folder.
pub(crate) fn measure(release: &Release, flavour: Flavour, environment: &Environment) -> Result<CacheResult> {
    if !environment.site_packages().join("dpnp").exists() {
        bail!("release {} has no dpnp here; 2023.2.4 has", release.version);
    }
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join("program.py");
    fs::write(&program, PROGRAM)?;
    let cache = scratch.path().join("cache");
    let step = Step::start(format!("persistent cache of {}, {}", release.version, flavour.plugin(release)));
    let (first, _) = start(environment, &program, &cache, false)?;
    let stored = walkdir::WalkDir::new(&cache)
        .into_iter()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "bin"))
        .count();
    let (second, _) = start(environment, &program, &cache, false)?;
    let (third, trace) = start(environment, &program, &cache, true)?;
    if [second.total, third.total].iter().any(|total| total.to_bits() != first.total.to_bits()) {
        bail!("the program's result changed from {} to {} with cached binaries", first.total, second.total);
    }
    let calls = |name: &str| trace.lines().filter(|line| line.starts_with(&format!("---> {name}("))).count();
    let result = CacheResult {
        release: release.version.to_owned(),
        plugin: flavour.to_string(),
        first: first.seconds,
        second: second.seconds,
        stored,
        from_binaries: calls("piProgramCreateWithBinary"),
        from_spirv: calls("piProgramCreate"),
    };
    step.done(&format!("first start {:.3} s, second {:.3} s", result.first, result.second));
    Ok(result)
}

/// One start of the program: what it printed of itself, and all that it printed.
fn start(environment: &Environment, program: &Path, cache: &Path, trace: bool) -> Result<(Printed, String)> {
    let mut command = Command::new(environment.python());
    command.arg(program).envs(environment.variables()?);
    command.env("SYCL_CACHE_PERSISTENT", "1").env("SYCL_CACHE_DIR", cache);
    if trace {
        command.env("SYCL_PI_TRACE", "-1");
    }
    let text = process::text(&mut command)?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("RESULT "))
        .context("the dpnp program printed no result")?;
    let printed: Printed = serde_json::from_str(line)?;
    let meant = fs::canonicalize(environment.plugin())?;
    if printed.plugins != [meant.clone()] {
        bail!("the dpnp program loaded {:?} instead of {}", printed.plugins, meant.display());
    }
    Ok((printed, text))
}

fn path() -> PathBuf {
    results::folder().join("cache.json")
}

/// Keeps measurements for the report.
pub(crate) fn store(results: &[CacheResult]) -> Result<()> {
    fs::create_dir_all(results::folder())?;
    Ok(fs::write(path(), serde_json::to_string_pretty(results)? + "\n")?)
}

/// The measurements kept last.
pub(crate) fn load() -> Vec<CacheResult> {
    fs::read_to_string(path()).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// The report's section on the cache.
pub(crate) fn text(results: &[CacheResult]) -> String {
    let mut out = String::from("\n## SYCL_CACHE_PERSISTENT=1\n\n");
    if results.is_empty() {
        out.push_str("Not measured yet: `cargo xtask clients --release 2023.2.4 --cache`.\n");
        return out;
    }
    out.push_str("A small dpnp program, started three times with one cache folder that is empty at first; seconds until the first\n");
    out.push_str("result is there. The third start is traced: what it makes from binaries and what it still compiles.\n\n");
    out.push_str("| release | plugin | first start, s | second start, s | binaries stored | made from binaries | compiled |\n");
    out.push_str("|---|---|---|---|---|---|---|\n");
    for result in results {
        out.push_str(&format!(
            "| {} | {} | {:.3} | {:.3} | {} | {} | {} |\n",
            result.release,
            result.plugin,
            result.first,
            result.second,
            result.stored,
            result.from_binaries,
            result.from_spirv
        ));
    }
    out
}
