//! The wheel: the files in a Python package that starts `pi`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::build::Built;
use super::{Notices, VERSION, tools};
use crate::process;
use crate::ui::Step;
use crate::workspace;

const INIT: &str = include_str!("../../dist/init.py");
const MAIN: &str = include_str!("../../dist/main.py");
const DESCRIPTION: &str = include_str!("../../dist/wheel.md");

/// Any Python 3, and the glibc of the wheels that have libsycl. The files need less.
const TAG: &str = "py3-none-manylinux_2_28_x86_64";

/// What the wheel may be at most, in bytes.
const LARGEST: u64 = 8_000_000;

/// The measuring program of `pi bench`, and the harness: they would make the wheel larger than that. A script of Python's is
/// `sycl-aspect-filter`.
const LEFT_OUT: [&str; 3] = ["pi-bench", "pi-conformance", "sycl-aspect-filter"];

/// The headers that users include as `<pi/...>`.
pub(super) const HEADERS: [&str; 2] = ["include/pi/pi.h", "include/pi/pi_runtime.h"];

/// Lays the package out, and packs it. The names are those of PEP 427, 639 and 770.
pub(super) fn pack(built: &Built, notices: &Notices, parts: &Path, to: &Path) -> Result<PathBuf> {
    let step = Step::start("packing the wheel");
    let root = parts.join("wheel");
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    let package = root.join("sycl_pi");
    let info = root.join(format!("sycl_pi-{VERSION}.dist-info"));
    for file in built.files().iter().filter(|file| !LEFT_OUT.iter().any(|name| file.ends_with(name))) {
        put_file(file, &package.join("bin"), 0o755)?;
    }
    for header in HEADERS {
        put_file(&workspace::root().join(header), &package.join("include/pi"), 0o644)?;
    }
    fs::write(package.join("__init__.py"), INIT.replace("@VERSION@", VERSION))?;
    fs::write(package.join("__main__.py"), MAIN)?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        put_file(&workspace::root().join(file), &info.join("licenses"), 0o644)?;
    }
    put_file(&notices.licences, &info.join("licenses"), 0o644)?;
    // A bill's name begins with its crate's.
    let is_left_out = |bill: &Path| {
        ["pi-benches.", "pi-conformance."]
            .iter()
            .any(|name| bill.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name)))
    };
    for bill in notices.bills.iter().filter(|bill| !is_left_out(bill)) {
        put_file(bill, &info.join("sboms"), 0o644)?;
    }
    fs::write(info.join("METADATA"), metadata())?;
    fs::write(info.join("WHEEL"), wheel_file())?;
    fs::write(
        info.join("entry_points.txt"),
        "[console_scripts]\npi = sycl_pi:main\nsycl-aspect-filter = sycl_pi:aspect_filter\n",
    )?;
    let python = tools::bin(&tools::python_environment()?, "python");
    let mut command = Command::new(&python);
    command.args(["-m", "wheel", "pack", "--dest-dir"]).arg(to).arg(&root);
    process::output(command.env("SOURCE_DATE_EPOCH", super::EPOCH))?;
    let wheel = to.join(format!("sycl_pi-{VERSION}-{TAG}.whl"));
    let bytes = fs::metadata(&wheel).with_context(|| format!("there is no {}", wheel.display()))?.len();
    if bytes > LARGEST {
        bail!("{} has {bytes} bytes: at most {LARGEST}", wheel.display());
    }
    // It compares every file with its hash in RECORD.
    let scratch = tempfile::tempdir_in(parts)?;
    let mut unpack = Command::new(python);
    process::output(unpack.args(["-m", "wheel", "unpack", "--dest"]).arg(scratch.path()).arg(&wheel))?;
    step.done(&super::size(&wheel)?);
    Ok(wheel)
}

/// Copies a file into a folder, which is made if it is missing.
pub(super) fn put_file(file: &Path, folder: &Path, mode: u32) -> Result<()> {
    fs::create_dir_all(folder)?;
    let to = folder.join(file.file_name().context("a file without a name")?);
    fs::copy(file, &to).with_context(|| format!("cannot copy {}", file.display()))?;
    Ok(fs::set_permissions(&to, fs::Permissions::from_mode(mode))?)
}

fn wheel_file() -> String {
    format!("Wheel-Version: 1.0\nGenerator: cargo xtask dist {VERSION}\nRoot-Is-Purelib: false\nTag: {TAG}\n")
}

fn metadata() -> String {
    let repository = env!("CARGO_PKG_REPOSITORY");
    format!(
        "Metadata-Version: 2.4\nName: sycl-pi\nVersion: {VERSION}\n\
         Summary: OpenCL, Level Zero and CUDA for the SYCL runtime DPC++: plugins, adapters and the command pi\n\
         License-Expression: MIT OR Apache-2.0\n\
         License-File: LICENSE-MIT\nLicense-File: LICENSE-APACHE\nLicense-File: THIRD-PARTY-LICENCES.txt\n\
         Project-URL: Repository, {repository}\nRequires-Python: >=3.8\nKeywords: sycl,dpcpp,opencl,level-zero,cuda\n\
         Classifier: Operating System :: POSIX :: Linux\nClassifier: Programming Language :: Rust\n\
         Description-Content-Type: text/markdown\n\n{DESCRIPTION}"
    )
}
