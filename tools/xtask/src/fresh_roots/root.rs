//! Root file systems made of Debian's packages, with a stock environment in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::SystemLibrary;
use crate::provision::debian::{self, inside};
use crate::provision::python;
use crate::ui::Step;
use crate::{fsutil, process, workspace};

const SUITE: &str = "bookworm";
/// Python is 3.11 there. Clients' kernels need its shared library.
const PACKAGES: &str = "python3,python3-venv,libpython3.11,ca-certificates";
const PYTHON: &str = "3.11";

/// Where the environment is inside.
pub(super) const ENVIRONMENT: &str = "/srv/venv";

/// A stock release as people get it with pip.
pub(super) struct StockRelease {
    pub(super) version: &'static str,
    /// What people name; pip finds the rest.
    packages: &'static [&'static str],
    pub(super) has_dpnp: bool,
}

pub(super) const RELEASES: [StockRelease; 3] = [
    StockRelease {
        version: "2024.2.2",
        packages: &["dpctl==0.17.0", "numpy<2", "dpcpp-cpp-rt==2024.2.2", "intel-opencl-rt==2024.2.2"],
        has_dpnp: false,
    },
    StockRelease {
        version: "2025.3.3",
        packages: &["dpctl==0.21.1", "dpcpp-cpp-rt==2025.3.3", "intel-opencl-rt==2025.3.3"],
        has_dpnp: false,
    },
    StockRelease {
        version: "2026.2.0",
        packages: &["dpctl==0.22.1", "dpnp==0.20.0", "dpcpp-cpp-rt==2026.2.0", "intel-opencl-rt==2026.2.0"],
        has_dpnp: true,
    },
];

/// The wheels of a release, downloaded once.
pub(super) fn wheels(release: &StockRelease) -> Result<PathBuf> {
    let folder = workspace::target().join("fresh-roots").join(format!("wheels-{}", release.version));
    let content = format!("1 {PYTHON} {}", release.packages.join(" "));
    if !fsutil::is_stamped(&folder, &content) {
        let step = Step::start(format!("downloading the wheels of {}, once", release.version));
        fsutil::build_folder(&folder, &content, |inside| {
            let mut pip = Command::new(python::with_pip()?);
            pip.args([
                "-m",
                "pip",
                "download",
                "--quiet",
                "--only-binary=:all:",
                "--python-version",
                PYTHON,
                "--dest",
            ]);
            pip.arg(inside).arg("--find-links").arg(workspace::wheel_cache()).args(release.packages);
            process::output(&mut pip).map(drop)
        })?;
        step.done("");
    }
    Ok(folder)
}

/// A copy of the root with that library, and the release's environment.
pub(super) fn copy(library: SystemLibrary, release: &StockRelease, to: &Path) -> Result<()> {
    let from = with_environment(release)?;
    let step = Step::start("copying the root file system");
    process::output(Command::new("cp").args(["--archive", "--reflink=auto"]).arg(from).arg(to))?;
    let libraries = to.join("usr/lib/x86_64-linux-gnu");
    let environment = to.join(ENVIRONMENT.trim_start_matches('/')).join("lib");
    match library {
        SystemLibrary::None => {}
        SystemLibrary::OclIcd => {
            let deb = ocl_icd()?;
            process::output(Command::new("dpkg-deb").arg("--extract").arg(deb).arg(to))?;
        }
        SystemLibrary::Khronos => {
            for name in ["libOpenCL.so.1", "libimf.so", "libsvml.so", "libirng.so", "libintlc.so.5"] {
                let file = environment.join(name);
                fs::copy(&file, libraries.join(name))
                    .with_context(|| format!("{} cannot be copied", file.display()))?;
            }
        }
    }
    step.done("");
    Ok(())
}

/// Debian with a release's environment, made once.
fn with_environment(release: &StockRelease) -> Result<PathBuf> {
    let base = debian::root(SUITE, PACKAGES)?;
    let wheels = wheels(release)?;
    let folder = workspace::target().join("fresh-roots").join(format!("root-{}", release.version));
    let content = format!("1 {SUITE} {PACKAGES} {}", release.packages.join(" "));
    if !fsutil::is_stamped(&folder, &content) {
        let step = Step::start(format!("installing {} into Debian {SUITE}, once", release.version));
        fsutil::build_folder(&folder, &content, |root| {
            process::output(
                Command::new("cp").args(["--archive", "--no-target-directory"]).arg(&base).arg(root),
            )?;
            let python = Path::new("/usr/bin/python3");
            process::output(inside(root, python).args(["-m", "venv", ENVIRONMENT]))?;
            let at = root.join("srv/wheels");
            process::output(Command::new("cp").arg("--recursive").arg(&wheels).arg(&at))?;
            let mut pip = inside(root, &Path::new(ENVIRONMENT).join("bin/pip"));
            pip.args(["install", "--quiet", "--no-index", "--find-links", "/srv/wheels"])
                .args(release.packages);
            process::output(&mut pip)?;
            Ok(fs::remove_dir_all(at)?)
        })?;
        step.done("");
    }
    Ok(folder)
}

/// Debian's package of ocl-icd.
fn ocl_icd() -> Result<PathBuf> {
    let folder = workspace::target().join("fresh-roots/debs");
    let is_it = |file: &PathBuf| file.to_string_lossy().contains("ocl-icd-libopencl1");
    let find = || fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).find(is_it);
    if find().is_none() {
        fs::create_dir_all(&folder)?;
        let mut apt = Command::new("apt-get");
        process::output(apt.args(["download", "ocl-icd-libopencl1"]).current_dir(&folder))?;
    }
    find().context("apt-get has downloaded no ocl-icd-libopencl1")
}
