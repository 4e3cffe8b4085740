//! Two stock runtimes in one process on our files: two that load the same plugin, and one with the plugin beside one with the adapter.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, anyhow};

use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::totals::{self, Totals};
use crate::workspace;
use crate::{release, releases};

/// Two releases in one process.
struct Pair {
    /// Each with the name of its libsycl.
    releases: [(&'static str, &'static str); 2],
    /// Files of ours that both map together.
    files: usize,
}

const PAIRS: [Pair; 2] = [
    Pair { releases: [("2023.2.4", "libsycl.so.6"), ("2024.2.2", "libsycl.so.7")], files: 1 },
    Pair { releases: [("2024.2.2", "libsycl.so.7"), ("2026.2.0", "libsycl.so.9")], files: 2 },
];

/// Arguments of `two-runtimes`.
#[derive(Debug, clap::Args)]
pub(crate) struct TwoRuntimesArgs {
    /// How often the program runs with each pair
    #[arg(long, default_value_t = 180)]
    times: usize,
}

/// Runs the program many times: threads of both runtimes wait at once, which can lock up Intel's CPU runtime behind the vendor's
/// plugin.
pub(crate) fn run_many(args: &TwoRuntimesArgs) -> Result<ExitCode> {
    release::build(&["pi_opencl", "ur_adapter_opencl"])?;
    let totals = run(args.times)?;
    println!("{totals}");
    Ok(if totals.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Both copy through device memory at once. A run that hangs is ended and counts as failed.
pub(crate) fn run(times: usize) -> Result<Totals> {
    let mut sum = Totals::default();
    for pair in PAIRS {
        sum += run_pair(&pair, times)?;
    }
    Ok(sum)
}

fn run_pair(pair: &Pair, times: usize) -> Result<Totals> {
    let driver = opencl::ensure(Driver::Intel2023)?;
    let mut folders = Vec::new();
    let mut clients = Vec::new();
    for (version, library) in pair.releases {
        let release = releases::find_any(version).map_err(|error| anyhow!(error))?;
        let vendor = environment::ensure(release, Flavour::Vendor)?;
        folders.push(with_our_plugin(version, library, &vendor)?);
        clients.push(vendor.site_packages().join("dpctl"));
    }
    let [(_, first), (_, second)] = pair.releases;
    totals::step(format!("stock {first} and {second} in one process"), || {
        let program = workspace::target().join("two-libsycl").join("two_libsycl");
        let source = workspace::root().join("testing/robustness/programs/two_libsycl.c");
        process::output(Command::new("cc").arg(source).arg("-o").arg(&program).args(["-lpthread", "-ldl"]))?;
        let folders = std::env::join_paths(&folders).context("a folder's name has a colon")?;
        let mut sum = Totals::default();
        for _ in 0..times {
            let mut command = Command::new(&program);
            command.args(&clients).envs(driver.variables()).env("LD_LIBRARY_PATH", &folders);
            command.env("UR_ADAPTERS_FORCE_LOAD", release::file("libur_adapter_opencl.so"));
            let finished = process::tested(&mut command)?;
            let text = finished.stdout_text();
            let both = pair.releases.iter().all(|(_, library)| text.contains(library));
            let files = text.lines().last() == Some(&format!("{} plugin files", pair.files));
            sum += Totals::of_one(both && files).checked(&finished, 1);
        }
        Ok(sum)
    })
}

/// A folder with a release's libraries and our plugin instead of the vendor's. All folders link to the same plugin file.
fn with_our_plugin(version: &str, library: &str, vendor: &Environment) -> Result<PathBuf> {
    let folder = workspace::target().join("two-libsycl").join(version);
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(vendor.lib())?.flatten().filter(|entry| entry.path().is_file()) {
        let name = entry.file_name();
        let text = name.to_string_lossy().into_owned();
        // libsycl looks for plugins in the folder of its own file, after following links. So it is copied.
        if text == library {
            replace(&folder.join(&name), |to| fs::copy(entry.path(), to).map(drop))?;
        } else if !text.starts_with("libpi_") && !text.starts_with("libsycl.so") {
            replace(&folder.join(&name), |to| symlink(entry.path(), to))?;
        }
    }
    let plugin = OsString::from("libpi_opencl.so");
    replace(&folder.join(plugin), |to| symlink(workspace::our_plugin(), to))?;
    Ok(folder)
}

/// Makes a file, after removing an older one.
fn replace(path: &Path, make: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        fs::remove_file(path)?;
    }
    make(path).with_context(|| path.display().to_string())
}
