//! Stock releases of DPC++ without Python: libsycl, dpctl's C API, and a C program that uses it.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow};

use crate::fsutil;
use crate::process;
use crate::provision::opencl::{self, Driver};
use crate::provision::wheels;
use crate::releases::{self, Pin, Release};
use crate::ui::Step;
use crate::workspace;

/// The oldest release, the last of PI 12, and the newest.
pub(crate) const RELEASES: [&str; 3] = ["2022.2.1", "2023.2.4", "2024.2.2"];

/// The packages with the libraries that are needed.
const PACKAGES: [&str; 4] = ["dpcpp-cpp-rt", "intel-cmplr-lib-rt", "intel-sycl-rt", "dpctl"];

/// Intel's libraries that libsycl and dpctl are linked with. The newest serve all releases.
const COMMON: [&str; 4] = ["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"];

/// Fills a folder for each release, and the folder `common`, if that has not been done.
pub(crate) fn add(folder: &Path) -> Result<()> {
    let releases = RELEASES.map(releases::find).into_iter().collect::<Result<Vec<_>, _>>();
    let releases = releases.map_err(|error| anyhow!(error))?;
    let source = workspace::root().join("testing/cuda/libsycl/copies.c");
    let pins: Vec<String> =
        releases.iter().flat_map(|release| pins(release)).map(|pin| pin.to_string()).collect();
    let content = format!("1 {}\n{}", pins.join(" "), fs::read_to_string(&source)?);
    fsutil::build_folder(folder, &content, |inside| {
        // dpctl of 2022 is linked with it.
        let loader = opencl::ensure(Driver::Intel2023)?.folder().join("libOpenCL.so.1");
        fs::create_dir(inside.join("common"))?;
        copy(&loader, &inside.join("common/libOpenCL.so.1"))?;
        for release in releases {
            let step = Step::start(format!("stock release {}", release.version));
            add_release(release, &source, inside)?;
            step.done("");
        }
        Ok(())
    })
}

fn pins(release: &Release) -> impl Iterator<Item = Pin> {
    release.pins().filter(|pin| PACKAGES.contains(&pin.name))
}

/// Copies a release's libraries and compiles the program. The rest of its packages is removed again.
fn add_release(release: &Release, source: &Path, inside: &Path) -> Result<()> {
    let unpacked = tempfile::tempdir_in(inside)?;
    let files = wheels::ensure(&pins(release).collect::<Vec<_>>(), release.python_minor)?;
    wheels::unpack(&files, unpacked.path())?;
    let (lib, own) = (unpacked.path().join("lib"), inside.join(release.version));
    fs::create_dir(&own)?;
    program(&unpacked.path().join("dpctl"), source, &own)?;
    for name in COMMON {
        copy(&lib.join(name), &inside.join("common").join(name))?;
    }
    copy(&lib.join(release.soname), &own.join(release.soname))
}

/// The program, compiled with the release's own headers, and dpctl's library.
fn program(dpctl: &Path, source: &Path, folder: &Path) -> Result<()> {
    let library = "libDPCTLSyclInterface.so.0";
    copy(&dpctl.join(library), &folder.join(library))?;
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-w", "-I"]).arg(dpctl.join("include")).arg(source).arg("-L").arg(dpctl);
    cc.arg(format!("-l:{library}")).arg("-Wl,--allow-shlib-undefined").arg("-o").arg(folder.join("copies"));
    process::output(&mut cc).map(|_| ())
}

/// Copies what a link points to.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(|_| ()).with_context(|| from.display().to_string())
}
