//! `cargo xtask gpu-bundle`: one packed folder with everything that a machine with a GPU needs to test and time the CUDA plugin and adapter.
//!
//! The machine needs NVIDIA's driver and glibc, nothing else. Device code is compiled here with clang. Its sources are in the folder too.

mod dpctl;
pub(crate) mod stock;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::provision::python;
use crate::ui::{self, Step};
use crate::workspace;

/// Arguments of `gpu-bundle`.
#[derive(Debug, clap::Args)]
pub(crate) struct GpuBundleArgs {
    /// Where the folder goes; target/gpu-bundle by default
    #[arg(long)]
    out: Option<PathBuf>,
    /// Leave out the stock releases of DPC++, which have to be downloaded
    #[arg(long)]
    no_stock: bool,
    /// Add stock dpctl, for the parts `dpctl` and `speed`. The machine needs Python 3.12, NumPy and pytest, `speed` also CuPy
    #[arg(long)]
    dpctl: bool,
    /// Add stock dpnp with oneMKL, for the part `dpnp`. It makes the bundle 150 MB larger
    #[arg(long)]
    dpnp: bool,
}

/// What is built, and its name in the bundle.
const FILES: [&str; 9] = [
    "libpi_cuda.so",
    "libur_adapter_cuda.so",
    "testing-cuda",
    "pi-cuda-spirv",
    "pi-cuda-ulp",
    "pi-nvvm",
    "pi-cuda-cost",
    "pi-cuda-kernels",
    "pi-conformance",
];

/// Modules whose kernels are launched.
const SPIRV: [&str; 5] =
    ["basic.spv", "calls.spv", "callee.spv", "subgroups.spv", "software-level-zero/spec.spv"];

/// The most that the packed bundle may take without dpnp, in bytes.
const LARGEST: u64 = 50_000_000;

/// Makes the bundle.
pub(crate) fn run(args: &GpuBundleArgs) -> Result<ExitCode> {
    let bundle = args.out.clone().unwrap_or_else(|| workspace::target().join("gpu-bundle"));
    if bundle.exists() {
        fs::remove_dir_all(&bundle).with_context(|| bundle.display().to_string())?;
    }
    programs(&bundle)?;
    reference(&bundle)?;
    device_code(&bundle.join("images"))?;
    spirv(&bundle.join("images/spirv"))?;
    if !args.no_stock {
        stock::add(&bundle.join("stock"))?;
    }
    if args.dpctl {
        dpctl::add(&bundle.join("dpctl"))?;
    }
    if args.dpnp {
        dpctl::add_dpnp(&bundle.join("dpnp"))?;
    }
    let script = bundle.join("run.sh");
    fs::write(&script, include_str!("run.sh"))?;
    make_executable(&script)?;
    let packed = pack(&bundle)?;
    let size = packed.metadata()?.len();
    if size > LARGEST && !args.dpnp {
        bail!("{} has {size} bytes; {LARGEST} are the limit", packed.display());
    }
    ui::info(&format!(
        "{} ({} MB): unpack it on a machine with a GPU and run ./run.sh in it",
        packed.display(),
        size / 1_000_000
    ));
    Ok(ExitCode::SUCCESS)
}

/// Packs the folder into one file beside it.
fn pack(bundle: &Path) -> Result<PathBuf> {
    let step = Step::start("packing");
    let packed = bundle.with_extension("tar.xz");
    let name = bundle.file_name().context("a bundle has a name")?;
    let parent = bundle.parent().context("a bundle lies in a folder")?;
    process::output(Command::new("tar").arg("-cJf").arg(&packed).arg("-C").arg(parent).arg(name))?;
    step.done("");
    Ok(packed)
}

/// Builds the plugin, the adapter and their programs, and puts them into the bundle without their debugging information.
fn programs(bundle: &Path) -> Result<()> {
    let step = Step::start("building the plugin, the adapter, their tests and the harness in release mode");
    let packages =
        ["pi_cuda", "ur_adapter_cuda", "testing-cuda", "pi-nvvm", "benches-cuda", "pi-conformance"];
    process::output(
        process::cargo().args(["build", "--release"]).args(packages.iter().flat_map(|name| ["-p", name])),
    )?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(workspace::target, Into::into);
    fs::create_dir_all(bundle)?;
    for file in FILES {
        let (from, to) = (target.join("release").join(file), bundle.join(file));
        fs::copy(from, &to).with_context(|| file.to_owned())?;
        process::output(Command::new("strip").arg("--strip-debug").arg(to))?;
    }
    step.done("");
    Ok(())
}

/// Compiles the program that knows mathematical functions to 113 bits. It is static: the machine needs no libquadmath.
fn reference(bundle: &Path) -> Result<()> {
    let step = Step::start("the reference of mathematical functions");
    let source = workspace::root().join("testing/cuda/ulp/reference.c");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-static", "-o"])
        .arg(bundle.join("ulp-reference"))
        .arg(source)
        .args(["-lquadmath", "-lm"]);
    process::output(&mut gcc)?;
    step.done("");
    Ok(())
}

/// Compiles the tests' kernels to PTX.
fn device_code(images: &Path) -> Result<()> {
    if !process::succeeds(Command::new("clang").arg("--version")) {
        python::install_debian_packages(&["clang"])?;
    }
    let step = Step::start("device code");
    let sources = workspace::root().join("testing/kernels/cuda");
    fs::create_dir_all(images)?;
    for file in ["kernels.cl", "local.ptx", "cluster.ptx", "crowded.ptx", "speed.cl", "speed.spv"] {
        fs::copy(sources.join(file), images.join(file)).with_context(|| file.to_owned())?;
    }
    process::output(
        Command::new("clang")
            .args(["-target", "nvptx64-nvidia-cuda", "-x", "cl", "-cl-std=CL2.0", "-O2", "-S"])
            .args(["-Xclang", "-target-cpu", "-Xclang", "sm_70"])
            .args(["-Xclang", "-target-feature", "-Xclang", "+ptx63"])
            .arg(sources.join("kernels.cl"))
            .arg("-o")
            .arg(images.join("kernels.ptx")),
    )?;
    step.done("");
    Ok(())
}

/// SPIR-V modules: some whose kernels are launched, more that are only built.
fn spirv(folder: &Path) -> Result<()> {
    let more = folder.join("more");
    fs::create_dir_all(&more)?;
    for file in SPIRV {
        let from = workspace::root().join("testing/kernels").join(file);
        let name = from.file_name().context("a file has a name")?;
        fs::copy(&from, folder.join(name)).with_context(|| file.to_owned())?;
    }
    for entry in fs::read_dir(workspace::root().join("runtime/image/tests/images"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "spv") {
            fs::copy(&path, more.join(path.file_name().context("a file has a name")?))?;
        }
    }
    Ok(())
}

fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).context("run.sh")
}
