//! Stock dpctl and dpnp with their libsycl, as their wheels have them, without a Python. Kernels are in them as SPIR-V.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use crate::demo;
use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::releases;
use crate::ui::Step;
use crate::workspace;

/// What is taken of an environment.
struct Stock {
    release: &'static str,
    /// Its adapters stay behind.
    libraries: &'static [&'static str],
    packages: &'static [&'static str],
    /// Relative to the repository.
    programs: &'static [&'static str],
}

/// The Python that the wheels are for: 3.12.
const PYTHON: u8 = 12;

/// The last release whose dpctl has arrays.
const DPCTL: Stock = Stock {
    release: "2025.3.3",
    libraries: &[
        "libsycl.so.8",
        "libur_loader.so.0",
        "libumf.so.1",
        "libhwloc.so.15",
        "libsvml.so",
        "libimf.so",
        "libirng.so",
        "libintlc.so.5",
    ],
    packages: &["dpctl"],
    programs: &["testing/cuda/dpctl/check.py", "testing/cuda/dpctl/speed.py"],
};

/// dpnp, with oneMKL, which it is linked to.
const DPNP: Stock = Stock {
    release: "2026.2.0",
    libraries: &[
        "libsycl.so.9",
        "libur_loader.so.0",
        "libumf.so.1",
        "libhwloc.so.15",
        "libsvml.so",
        "libimf.so",
        "libirng.so",
        "libintlc.so.5",
        "libOpenCL.so.1",
        "libtbb.so.12",
        "libmkl_core.so.3",
        "libmkl_intel_ilp64.so.3",
        "libmkl_tbb_thread.so.3",
        "libmkl_sycl_blas.so.6",
        "libmkl_sycl_dft.so.6",
        "libmkl_sycl_lapack.so.6",
        "libmkl_sycl_rng.so.6",
        "libmkl_sycl_vm.so.6",
    ],
    packages: &["dpctl", "dpnp"],
    programs: &["testing/cuda/dpctl/dpnp_check.py", "tools/xtask/demo/demo.py"],
};

/// Fills the folder with dpctl.
pub(super) fn add(folder: &Path) -> Result<()> {
    let release = releases::find_any(DPCTL.release).map_err(|error| anyhow!(error))?;
    copy(&DPCTL, &environment::ensure(release, Flavour::Vendor)?, folder)
}

/// Fills the folder with dpnp and its dpctl.
pub(super) fn add_dpnp(folder: &Path) -> Result<()> {
    let release = releases::find_any(DPNP.release).map_err(|error| anyhow!(error))?;
    let (stack, _) =
        demo::choose(Some(release)).with_context(|| format!("no Python here fits {}", DPNP.release))?;
    copy(&DPNP, &demo::provision(release, stack, PYTHON)?, folder)
}

/// Makes `lib`, `site` and the programs that use them.
fn copy(stock: &Stock, environment: &Environment, folder: &Path) -> Result<()> {
    let step = Step::start(format!("stock {} of {}", stock.packages.join(" and "), stock.release));
    let (lib, site) = (folder.join("lib"), folder.join("site"));
    fs::create_dir_all(&lib)?;
    fs::create_dir_all(&site)?;
    let mut found = 0;
    for entry in fs::read_dir(environment.lib())?.flatten() {
        let name = entry.file_name();
        let text = name.to_string_lossy();
        let is_listed = stock.libraries.contains(&text.as_ref());
        if is_listed || text.starts_with("libsycl-fallback-") && text.ends_with(".spv") {
            fs::copy(entry.path(), lib.join(&name)).with_context(|| entry.path().display().to_string())?;
            found += usize::from(is_listed);
        }
    }
    if found < stock.libraries.len() {
        bail!("{} lacks one of {}", environment.lib().display(), stock.libraries.join(" "));
    }
    for package in stock.packages {
        let from = environment.site_packages().join(package);
        process::output(Command::new("cp").arg("-r").arg(from).arg(&site))?;
    }
    for program in stock.programs {
        let source = workspace::root().join(program);
        let name = source.file_name().context("a program has a name")?;
        fs::copy(&source, folder.join(name)).with_context(|| source.display().to_string())?;
    }
    step.done("");
    Ok(())
}
