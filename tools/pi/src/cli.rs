//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::cache::CacheArguments;
use crate::output::Colours;

use crate::image::ImageArguments;

const EXIT_CODES: &str = "\
Exit codes:
  0  done, or nothing to do
  1  a problem was found, or the command was refused; the output says why
  2  the command line is wrong
  3  pi status: not installed
  126  pi run: the program cannot be executed
  127  pi run: the program is not there";

/// `pi --version`: what it serves, and what it was built from.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("SYCL_PI_BUILT_FROM"),
    ", ",
    env!("SYCL_PI_TARGET"),
    ", ",
    env!("SYCL_PI_PROFILE"),
    ")\nserves PI 9.11 to 15.47 (DPC++ 2022.2 to 2024.2) and Unified Runtime (DPC++ 2025.0 to 2026.2)"
);

const EXAMPLES: &str = "\
Examples:
  pi ls                    which devices do SYCL programs see here
  pi ls ~/venv -v          those of an environment, with all that was tried
  pi doctor                why a device is missing, and what to type
  pi install               run the active environment's programs on our files
  pi install ~/venv        the same for the environment in a folder
  pi status ~/venv         whose files does it load, and of which release
  pi run ~/venv ./program  run one program on them, without an install
  pi uninstall ~/venv      put the vendor's files back, exactly as they were";

/// Lists SYCL devices and plugins, diagnoses a set-up, and installs this project's plugins and adapters into it.
#[derive(Parser)]
#[command(name = "pi", version, max_term_width = 0, long_version = LONG_VERSION, after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    /// Print JSON: stable keys, nothing else on standard output.
    #[arg(long, global = true)]
    pub json: bool,
    /// Use colours: auto, always or never.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        hide_possible_values = true
    )]
    pub color: Colours,
    /// Print answers and errors only: no notes, no progress, no advice.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// List the devices that SYCL programs see, and what the environment filters out.
    ///
    /// With DIR or an active environment: the devices of the plugins or adapters that its libsycl loads, the vendor's too. Without:
    /// those of the plugins that programs of the runtime find, in the folders and files of PI_PLUGIN_PATH, beside pi, and by the
    /// system's search; SYCL_OVERRIDE_PI_OPENCL, _LEVEL_ZERO and _CUDA name a file instead. Exits with 1 if no device is seen.
    #[command(
        after_help = "Examples:\n  pi ls\n  pi ls ~/venv -v\n  pi ls -v --plugin ~/venv/lib/libpi_opencl.so\n  \
                            ONEAPI_DEVICE_SELECTOR='*:gpu' pi ls\n  pi ls --json | jq '.devices[].name'"
    )]
    Ls(LsArguments),
    /// Diagnose this machine, and say what to install or set.
    ///
    /// Opens the OpenCL library and each driver, runs a small test on each device, asks the environment's own libsycl for its
    /// devices, and looks at variables and permissions. Each error has one line to type. Exits with 1 if there is a problem.
    #[command(
        after_help = "Examples:\n  pi doctor\n  pi doctor ~/venv\n  pi doctor --json | jq '.findings[] | select(.severity == \"error\")'"
    )]
    Doctor(DoctorArguments),
    /// Put this project's plugins or adapters where the libsycl in DIR loads them from.
    ///
    /// DIR is a virtual environment, a conda environment, a oneAPI folder, or a folder with libsycl in it. Releases 2022.2 to 2024.2
    /// load plugins (libpi_opencl.so), 2025.0 to 2026.2 adapters (libur_adapter_opencl.so.0). The vendor's file is kept beside
    /// ours with .vendor after its name. From 2026.2 on the vendor's OpenCL adapter is a part of libsycl: there a file sycl-pi.pth
    /// names ours to Python. Running it again changes nothing; after an upgrade of pi it brings the newer files. A release
    /// that ours do not serve is refused.
    #[command(after_help = "Examples:\n  pi install ~/venv --dry-run\n  pi install ~/venv\n  \
                            sudo pi install /opt/intel/oneapi/compiler/2024.2\n  \
                            pi install ~/venv --plugin target/release/libur_adapter_opencl.so")]
    Install(InstallArguments),
    /// Put the vendor's files in DIR back, exactly as they were.
    #[command(after_help = "Example:\n  pi uninstall ~/venv")]
    Uninstall(UninstallArguments),
    /// Say of which release the libsycl in DIR is, and whose plugins or adapters it loads. Exits with 3 if none is ours.
    #[command(after_help = "Example:\n  pi status ~/venv --json")]
    Status(TreeArguments),
    /// Run a program that uses the libsycl in DIR on this project's plugins or adapters, without an install.
    ///
    /// Releases until 2024.2 load the plugins beside libsycl: LD_LIBRARY_PATH gets a folder in the user's cache that stands in for
    /// its own, with links to its files and to our plugins. From 2025.0 on UR_ADAPTERS_FORCE_LOAD names our adapters.
    /// OCL_ICD_FILENAMES names Intel's CPU runtime if it lies in DIR. pi run ends as the program does.
    #[command(after_help = "Examples:\n  pi run -- python program.py\n  pi run ~/venv python program.py\n  \
                            pi run /opt/intel/oneapi/compiler/2026.2 ./program --its-own-option")]
    Run(RunArguments),
    /// Print the variables that pi run sets, as lines for a shell.
    #[command(after_help = "Example:\n  eval \"$(pi env /opt/intel/oneapi/compiler/2026.2)\"")]
    Env(EnvArguments),
    /// Compare the vendor's OpenCL plugin or adapter in DIR with this project's on this machine: half a minute.
    ///
    /// The program pi-bench beside pi calls both, and the driver alone, in turn. The libraries of DIR are not changed.
    #[command(
        after_help = "Examples:\n  pi bench ~/venv\n  pi bench --svg costs.svg\n  pi bench --json > result.json; pi bench --from result.json --svg costs.svg\n  pi bench --json | jq '.calls[0]'"
    )]
    Bench(BenchArguments),
    /// Show, split, link and convert device images.
    Image(ImageArguments),
    /// Look into the programs that are kept on disk, check them, and remove some.
    ///
    /// They lie in SYCL_CACHE_DIR, else in libsycl_cache in the user's cache folder.
    #[command(after_help = "Examples:\n  pi cache ls\n  pi cache verify\n  pi cache prune --max-size 1G")]
    Cache(CacheArguments),
    /// Print a shell's completions of pi's commands and options.
    #[command(after_help = "Example:\n  source <(pi completions bash)")]
    Completions(CompletionsArguments),
    /// Write a man page for each command (the packages have them).
    #[command(name = "__man", hide = true)]
    Man(ManArguments),
    /// List the devices of plugins, as JSON (pi runs this in a process of its own).
    #[command(name = "__plugins", hide = true)]
    Plugins(PluginsArguments),
    /// List the devices of an adapter, as JSON (pi runs this in a process of its own).
    #[command(name = "__adapter", hide = true)]
    Adapter(AdapterArguments),
    /// List the devices that a libsycl sees, as JSON (pi runs this in a process of its own).
    #[command(name = "__sycl", hide = true)]
    Sycl(SyclArguments),
    /// Open an OpenCL driver, as JSON (pi runs this in a process of its own).
    #[command(name = "__driver", hide = true)]
    Driver(DriverArguments),
    /// Load one plugin and print what it serves, as JSON (pi runs this in a process of its own).
    #[command(name = "__probe", hide = true)]
    Probe(ProbeArguments),
    /// Run the test of one device, as JSON (pi runs this in a process of its own).
    #[command(name = "__smoke", hide = true)]
    Smoke(SmokeArguments),
}

#[derive(Args)]
pub struct LsArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Show everything that was tried, platforms, and each device's properties and aspects.
    #[arg(short, long)]
    pub verbose: bool,
    /// Look at this plugin or adapter only; may be given more than once.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

#[derive(Args)]
pub struct PluginsArguments {
    /// The plugins; without one, those that a search finds.
    pub plugins: Vec<PathBuf>,
    /// Only this backend's search.
    #[arg(long)]
    pub backend: Option<String>,
}

#[derive(Args)]
pub struct AdapterArguments {
    /// The adapter.
    pub adapter: PathBuf,
    /// The name of the layout.
    pub layout: String,
}

#[derive(Args)]
pub struct SyclArguments {
    /// The libsycl.
    pub libsycl: PathBuf,
}

#[derive(Args)]
pub struct DriverArguments {
    /// The driver.
    pub driver: PathBuf,
    /// Only open the library.
    #[arg(long)]
    pub only_open: bool,
}

#[derive(Args)]
pub struct DoctorArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Look at this plugin or adapter only; may be given more than once.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

#[derive(Args)]
pub struct InstallArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Have programs that hold SPIR-V run on NVIDIA's GPUs: our CUDA plugin then calls itself OpenCL (PI_CUDA_AS=opencl).
    /// It needs libnvvm: pip install nvidia-cuda-nvcc-cu12.
    #[arg(long)]
    pub spirv_on_nvidia: bool,
    /// Only say what would be done.
    #[arg(long)]
    pub dry_run: bool,
    /// The plugin or adapter to install, its name saying for which backend; may be given more than once.
    /// Default: every one beside pi.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

#[derive(Args)]
pub struct RunArguments {
    /// Have programs that hold SPIR-V run on NVIDIA's GPUs: our CUDA plugin then calls itself OpenCL (PI_CUDA_AS=opencl).
    /// It needs libnvvm: pip install nvidia-cuda-nvcc-cu12.
    #[arg(long)]
    pub spirv_on_nvidia: bool,
    /// The plugin or adapter to use; may be given more than once. Default: those installed in DIR, else those beside pi.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
    /// The environment: a folder. Without one it is the active environment, and the program follows: pi run -- PROGRAM ...
    #[arg(value_name = "DIR")]
    pub first: OsString,
    /// The program and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    pub rest: Vec<OsString>,
}

#[derive(Args)]
pub struct EnvArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Have programs that hold SPIR-V run on NVIDIA's GPUs: our CUDA plugin then calls itself OpenCL (PI_CUDA_AS=opencl).
    /// It needs libnvvm: pip install nvidia-cuda-nvcc-cu12.
    #[arg(long)]
    pub spirv_on_nvidia: bool,
    /// The plugin or adapter to use; may be given more than once. Default: those installed in DIR, else those beside pi.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

#[derive(Args)]
pub struct BenchArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Write a picture of the result to this file, too.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Measure nothing: show the result that pi bench --json wrote to this file.
    #[arg(long, value_name = "FILE", conflicts_with = "plugin")]
    pub from: Option<PathBuf>,
    /// The plugin or adapter to compare with the vendor's. Default: the one beside pi that fits.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

#[derive(Args)]
pub struct TreeArguments {
    /// A virtual environment, conda environment, oneAPI folder, or folder with libsycl in it. Default: the active environment.
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

#[derive(Args)]
pub struct UninstallArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Only say what would be done.
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Args)]
pub struct CompletionsArguments {
    /// The shell.
    pub shell: Shell,
}

#[derive(Args)]
pub struct ManArguments {
    /// The folder for the pages.
    pub folder: PathBuf,
}

#[derive(Args)]
pub struct ProbeArguments {
    /// The plugin.
    pub plugin: PathBuf,
}

#[derive(Args)]
pub struct SmokeArguments {
    /// The plugin.
    pub plugin: PathBuf,
    /// The device's number among all of the plugin's devices.
    pub number: usize,
    /// The layout, for an adapter.
    pub layout: Option<String>,
}
