//! The wheels: Python packages with our files, that start `pi` and the harness.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::build::{self, Built};
use super::{Notices, VERSION, tools};
use crate::math;
use crate::process;
use crate::ui::Step;
use crate::workspace;

/// A Python package.
pub(super) struct Package {
    /// Its name on an index.
    name: &'static str,
    /// Its name in Python.
    module: &'static str,
    /// Whether a shipped file is in it.
    has: fn(&str) -> bool,
    /// The glibc of its tag.
    glibc: &'static str,
    headers: &'static [&'static str],
    init: &'static str,
    main: &'static str,
    scripts: &'static str,
    summary: &'static str,
    description: &'static str,
    /// What it may be at most, in bytes.
    largest: u64,
}

const HARNESS_FILE: &str = "pi-conformance";
const MATH_FILE: &str = "libpi_math.so";

/// Plugins, adapters, the runtime and `pi`. The measuring program of `pi bench` would make it too large. A script of Python's is
/// `sycl-aspect-filter`.
pub(super) const PRODUCT: Package = Package {
    name: "sycl-pi",
    module: "sycl_pi",
    has: |file| ![HARNESS_FILE, MATH_FILE, "pi-bench", "sycl-aspect-filter"].contains(&file),
    glibc: WHEELS_GLIBC,
    headers: &HEADERS,
    init: include_str!("../../dist/init.py"),
    main: include_str!("../../dist/main.py"),
    scripts: "pi = sycl_pi:main\nsycl-aspect-filter = sycl_pi:aspect_filter\n",
    summary: "OpenCL, Level Zero and CUDA for the SYCL runtime DPC++: plugins, adapters and the command pi",
    description: include_str!("../../dist/wheel.md"),
    largest: 8_000_000,
};

/// The harness, which judges anybody's plugins and adapters and needs none of ours.
pub(super) const HARNESS: Package = Package {
    name: "sycl-pi-conformance",
    module: "sycl_pi_conformance",
    has: |file| file == HARNESS_FILE,
    glibc: WHEELS_GLIBC,
    headers: &[],
    init: include_str!("../../dist/harness_init.py"),
    main: include_str!("../../dist/harness_main.py"),
    scripts: "pi-conformance = sycl_pi_conformance:main\n",
    summary: "A conformance harness for plugins (PI) and adapters (Unified Runtime) of the SYCL runtime DPC++",
    description: include_str!("../../dist/harness.md"),
    largest: 2_000_000,
};

/// The drop-ins for oneMKL's libraries, which `pi install --spirv-on-nvidia` finds beside the product's package.
pub(super) const MATH: Package = Package {
    name: "sycl-pi-math",
    module: "sycl_pi_math",
    has: |file| file == MATH_FILE,
    // The drop-ins are C++ with the system's compiler.
    glibc: math::GLIBC,
    headers: &[],
    init: include_str!("../../dist/math_init.py"),
    main: include_str!("../../dist/math_main.py"),
    scripts: "",
    summary: "oneMKL's products, solvers and transforms for SYCL programs on NVIDIA GPUs, by cuBLAS, cuSOLVER and cuFFT",
    description: include_str!("../../dist/math.md"),
    largest: 2_000_000,
};

/// The glibc of the wheels that have libsycl. The files need less.
const WHEELS_GLIBC: &str = "2.28";

/// Packs a wheel's files again, smaller.
const SQUEEZE: &str = include_str!("../../dist/squeeze.py");

/// The headers that users include as `<pi/...>`.
pub(super) const HEADERS: [&str; 2] = ["include/pi/pi.h", "include/pi/pi_runtime.h"];

/// How the names of a package's wheels begin.
pub(super) fn start_of_name(package: &Package) -> String {
    format!("{}-", package.module)
}

/// Lays the package out with `more` files, and packs it. The names are those of PEP 427, 639 and 770.
pub(super) fn pack(
    package: &Package,
    built: &Built,
    notices: &Notices,
    more: &[PathBuf],
    parts: &Path,
    to: &Path,
) -> Result<PathBuf> {
    let step = Step::start(format!("packing the wheel {}", package.name));
    let root = parts.join("wheel");
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    let module = root.join(package.module);
    let info = root.join(format!("{}-{VERSION}.dist-info", package.module));
    for (crate_name, files) in build::shipped() {
        let files: Vec<_> = files.iter().filter(|file| (package.has)(file)).collect();
        for file in &files {
            put_file(&built.file(file), &module.join("bin"), 0o755)?;
        }
        if !files.is_empty() {
            put_file(&notices.bill(crate_name), &info.join("sboms"), 0o644)?;
        }
    }
    for file in more {
        put_file(file, &module.join("bin"), 0o755)?;
    }
    for header in package.headers {
        put_file(&workspace::root().join(header), &module.join("include/pi"), 0o644)?;
    }
    fs::write(module.join("__init__.py"), package.init.replace("@VERSION@", VERSION))?;
    fs::write(module.join("__main__.py"), package.main)?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        put_file(&workspace::root().join(file), &info.join("licenses"), 0o644)?;
    }
    put_file(&notices.licences, &info.join("licenses"), 0o644)?;
    fs::write(info.join("METADATA"), metadata(package))?;
    fs::write(info.join("WHEEL"), wheel_file(package))?;
    if !package.scripts.is_empty() {
        fs::write(info.join("entry_points.txt"), format!("[console_scripts]\n{}", package.scripts))?;
    }
    let python = tools::bin(&tools::python_environment()?, "python");
    let mut pack = Command::new(&python);
    pack.args(["-m", "wheel", "pack", "--dest-dir"]).arg(to).arg(&root);
    process::output(pack.env("SOURCE_DATE_EPOCH", super::EPOCH))?;
    let wheel = to.join(format!("{}-{VERSION}-{}.whl", package.module, tag(package)));
    process::output(Command::new(&python).args(["-c", SQUEEZE]).arg(&wheel))?;
    let bytes = fs::metadata(&wheel).with_context(|| format!("there is no {}", wheel.display()))?.len();
    if bytes > package.largest {
        bail!("{} has {bytes} bytes: at most {}", wheel.display(), package.largest);
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

/// Any Python 3, on this processor and glibc.
fn tag(package: &Package) -> String {
    format!("py3-none-manylinux_{}_x86_64", package.glibc.replace('.', "_"))
}

fn wheel_file(package: &Package) -> String {
    let tag = tag(package);
    format!("Wheel-Version: 1.0\nGenerator: cargo xtask dist {VERSION}\nRoot-Is-Purelib: false\nTag: {tag}\n")
}

fn metadata(package: &Package) -> String {
    let Package { name, summary, description, .. } = package;
    let repository = env!("CARGO_PKG_REPOSITORY");
    format!(
        "Metadata-Version: 2.4\nName: {name}\nVersion: {VERSION}\n\
         Summary: {summary}\n\
         License-Expression: MIT OR Apache-2.0\n\
         License-File: LICENSE-MIT\nLicense-File: LICENSE-APACHE\nLicense-File: THIRD-PARTY-LICENCES.txt\n\
         Project-URL: Repository, {repository}\nRequires-Python: >=3.8\nKeywords: sycl,dpcpp,opencl,level-zero,cuda\n\
         Classifier: Operating System :: POSIX :: Linux\nClassifier: Programming Language :: Rust\n\
         Description-Content-Type: text/markdown\n\n{description}"
    )
}
