//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::bench::BenchArguments;
use crate::cache::CacheArguments;
use crate::doctor::DoctorArguments;
use crate::image::ImageArguments;
use crate::install::{EnvArguments, InstallArguments, RunArguments, TreeArguments, UninstallArguments};
use crate::ls::{AdapterArguments, LsArguments, PluginsArguments};
use crate::output::Colours;
use crate::pages::{CompletionsArguments, ManArguments};
use crate::sycl::SyclArguments;

const EXIT_CODES: &str = "\
Exit codes:
  0  done, or nothing to do
  1  a problem was found, or the command was refused; the output says why
  2  the command line is wrong
  3  pi status: not installed
  126  pi run: the program cannot be executed
  127  pi run: the program does not exist";

/// The output of `pi --version`: the supported interfaces, and the build data.
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
  pi ls                    list the devices that SYCL programs see here
  pi ls ~/venv -v          list an environment's devices, and what was tried
  pi doctor                explain why a device is missing, and what to type
  pi install               run the active environment's programs on our files
  pi install ~/venv        do the same for the environment in a folder
  pi status ~/venv         show its release, and whose files it loads
  pi run ~/venv ./program  run one program on our files, without installing them
  pi uninstall ~/venv      restore the vendor's files, byte for byte";

/// Lists SYCL devices and plugins, diagnoses a setup, and installs this project's plugins and adapters into it.
#[derive(Parser)]
#[command(name = "pi", version, max_term_width = 0, long_version = LONG_VERSION, after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    /// Print JSON with stable keys, and nothing else on standard output.
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
    /// Print results and errors only, without notes, progress or advice.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// List the devices that SYCL programs see, and those that the environment filters out.
    ///
    /// With DIR or an active environment, lists the devices of the plugins or adapters that its libsycl loads,
    /// including the vendor's. Otherwise, lists the devices of the plugins that programs of the runtime find in the
    /// folders and files of PI_PLUGIN_PATH, next to pi, and by the system's search. SYCL_OVERRIDE_PI_OPENCL,
    /// _LEVEL_ZERO and _CUDA name a file instead. Exits with 1 if no device is visible.
    #[command(
        after_help = "Examples:\n  pi ls\n  pi ls ~/venv -v\n  pi ls -v --plugin ~/venv/lib/libpi_opencl.so\n  \
                            ONEAPI_DEVICE_SELECTOR='*:gpu' pi ls\n  pi ls --json | jq '.devices[].name'"
    )]
    Ls(LsArguments),
    /// Diagnose this machine, and print what to install or set.
    ///
    /// Opens the OpenCL library and each driver, runs a kernel on each device, asks the environment's own libsycl for its
    /// devices, and checks variables and permissions. If the environment has dpctl or dpnp, the kernel also runs through
    /// libsycl. Each error has one line to type. Exits with 1 if there is
    /// a problem.
    #[command(
        after_help = "Examples:\n  pi doctor\n  pi doctor ~/venv\n  pi doctor --json | jq '.findings[] | select(.severity == \"error\")'"
    )]
    Doctor(DoctorArguments),
    /// Install this project's plugins or adapters where the libsycl in DIR loads them from.
    ///
    /// DIR is a virtual environment, a conda environment, a oneAPI folder, or a folder that contains libsycl. Releases
    /// 2022.2 to 2024.2 load plugins (libpi_opencl.so), 2025.0 to 2026.2 adapters (libur_adapter_opencl.so.0). The
    /// vendor's file is kept next to ours with .vendor appended to its name. From 2026.2 on the vendor's OpenCL adapter
    /// is part of libsycl. In this case a file sycl-pi.pth points Python to ours. Running the command again changes
    /// nothing. After an upgrade of pi it installs the newer files. Unsupported releases are refused.
    #[command(after_help = "Examples:\n  pi install ~/venv --dry-run\n  pi install ~/venv\n  \
                            sudo pi install /opt/intel/oneapi/compiler/2024.2\n  \
                            pi install ~/venv --plugin target/release/libur_adapter_opencl.so")]
    Install(InstallArguments),
    /// Restore the vendor's files in DIR exactly as they were.
    #[command(after_help = "Example:\n  pi uninstall ~/venv")]
    Uninstall(UninstallArguments),
    /// Print the release of the libsycl in DIR, and whose plugins or adapters it loads. Exits with 3 if none is
    /// ours.
    #[command(after_help = "Example:\n  pi status ~/venv --json")]
    Status(TreeArguments),
    /// Run a program that uses the libsycl in DIR with this project's plugins or adapters, without installing them.
    ///
    /// Releases up to 2024.2 load the plugins next to libsycl. For these, LD_LIBRARY_PATH gets a folder in the user's
    /// cache that contains links to the files of libsycl's folder and to our plugins. For 2025.0 and newer,
    /// UR_ADAPTERS_FORCE_LOAD names our adapters. OCL_ICD_FILENAMES names Intel's CPU runtime if it is in DIR. pi run
    /// has the exit status of the program.
    #[command(after_help = "Examples:\n  pi run -- python program.py\n  pi run ~/venv python program.py\n  \
                            pi run /opt/intel/oneapi/compiler/2026.2 ./program --its-own-option")]
    Run(RunArguments),
    /// Print the variables that pi run sets, as shell commands.
    #[command(after_help = "Example:\n  eval \"$(pi env /opt/intel/oneapi/compiler/2026.2)\"")]
    Env(EnvArguments),
    /// Compare the vendor's OpenCL plugin or adapter in DIR with this project's on this machine. Takes half a
    /// minute.
    ///
    /// The program pi-bench next to pi calls both libraries, and the driver alone, in turn. The libraries in DIR are
    /// not changed.
    #[command(
        after_help = "Examples:\n  pi bench ~/venv\n  pi bench --svg costs.svg\n  pi bench --json > result.json; pi bench --from result.json --svg costs.svg\n  pi bench --json | jq '.calls[0]'"
    )]
    Bench(BenchArguments),
    /// Show, split, link and convert device images.
    Image(ImageArguments),
    /// Show, check or remove the programs that are cached on disk.
    ///
    /// They are in SYCL_CACHE_DIR, or else in libsycl_cache in the user's cache folder.
    #[command(after_help = "Examples:\n  pi cache ls\n  pi cache verify\n  pi cache prune --max-size 1G")]
    Cache(CacheArguments),
    /// Print shell completions for pi's commands and options.
    #[command(after_help = "Example:\n  source <(pi completions bash)")]
    Completions(CompletionsArguments),
    /// Write a man page for each command (the packages have them).
    #[command(name = "__man", hide = true)]
    Man(ManArguments),
    /// List the devices of plugins, as JSON (pi runs this in a separate process).
    #[command(name = "__plugins", hide = true)]
    Plugins(PluginsArguments),
    /// List the devices of an adapter, as JSON (pi runs this in a separate process).
    #[command(name = "__adapter", hide = true)]
    Adapter(AdapterArguments),
    /// List the devices that a libsycl sees, as JSON (pi runs this in a separate process).
    #[command(name = "__sycl", hide = true)]
    Sycl(SyclArguments),
    /// Open an OpenCL driver, as JSON (pi runs this in a separate process).
    #[command(name = "__driver", hide = true)]
    Driver {
        /// The driver.
        driver: PathBuf,
        /// Only print what would be done.
        #[arg(long)]
        only_open: bool,
    },
    /// Load one plugin and print what it supports, as JSON (pi runs this in a separate process).
    #[command(name = "__probe", hide = true)]
    Probe {
        /// The plugin.
        plugin: PathBuf,
    },
    /// Run the test of one device, as JSON (pi runs this in a separate process).
    #[command(name = "__smoke", hide = true)]
    Smoke {
        /// The plugin.
        plugin: PathBuf,
        /// The device's number among all of the plugin's devices.
        number: usize,
        /// The layout, for an adapter.
        layout: Option<String>,
    },
}
