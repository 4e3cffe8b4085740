//! The command line.

use std::path::PathBuf;

use clap::{ArgAction, Parser};
use sycl_pi_loader::{Backend, Version};

/// Calls a PI plugin at random: right and wrong handles, sizes, enumerators and lists, over its whole function
/// table.
///
/// Calls run in batches, each in a separate process, so that a crash leaves a seed to repeat and does not end the run.
/// Exits with 0 if nothing crashed or hung, every byte of fills and copies was right, and every refusal had a good
/// message; with 1 otherwise, with 2 if nothing could be run. Only calls within the contract are tried, which
/// docs/reports/robustness.md describes.
///
/// To repeat a batch: the same --seed, --from with the number that was reported, --batches 1; --trace shows each call.
#[derive(Debug, Parser)]
#[command(name = "testing-random-calls", version)]
pub(crate) struct Arguments {
    /// The plugin's file
    pub(crate) plugin: PathBuf,
    /// Only this PI version, such as 12.27 (default: each one that the plugin supports, in turn)
    #[arg(long, value_parser = parse_version)]
    pub(crate) pi_version: Vec<Version>,
    /// The seed of all numbers
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of the first batch
    #[arg(long, default_value_t = 0)]
    pub(crate) from: u64,
    /// Calls in each batch
    #[arg(long, default_value_t = 500)]
    pub(crate) calls: u64,
    /// The number of batches
    #[arg(long, default_value_t = 14, conflicts_with = "minutes")]
    pub(crate) batches: u64,
    /// Continue for this number of minutes
    #[arg(long)]
    pub(crate) minutes: Option<f64>,
    /// The number of parallel processes
    #[arg(long, default_value_t = 2)]
    pub(crate) jobs: usize,
    /// Whether each refusal must name its entry point, and its argument or the driver's call; and whether calls after
    /// tear-down are tried (default: true; vendors' plugins do neither)
    #[arg(long, default_value_t = true, action = ArgAction::Set)]
    check_messages: bool,
    /// Only count and show refusals without a good message; they do not fail the run
    #[arg(long)]
    pub(crate) tolerate_messages: bool,
    /// Fail if an entry point that can be refused was never seen refused
    #[arg(long)]
    pub(crate) complete: bool,
    /// Leave an entry point out, such as one that crashes a driver (may be given several times)
    #[arg(long)]
    pub(crate) leave_out: Vec<String>,
    /// Also try truncated binaries. The driver checks their contents, and drivers crash on them
    #[arg(long)]
    pub(crate) damaged_binaries: bool,
    /// End each batch at a random moment and in a random way: with live objects, with queues that are released
    /// while their commands run, or in another thread. Forked children then end with their exit handlers. For drivers
    /// that survive this, which PoCL does not
    #[arg(long)]
    pub(crate) random_ends: bool,
    /// One JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Show each call of each batch on standard error
    #[arg(long)]
    pub(crate) trace: bool,
    /// Seconds after which a call counts as hung
    #[arg(long, default_value_t = 60)]
    pub(crate) timeout: u64,
    /// Internal: run one batch
    #[arg(long, hide = true, value_parser = parse_version, requires_all = ["batch", "journal"])]
    worker: Option<Version>,
    #[arg(long, hide = true)]
    batch: Option<u64>,
    #[arg(long, hide = true)]
    journal: Option<PathBuf>,
}

/// The task of a worker process.
pub(crate) struct Worker {
    pub(crate) version: Version,
    pub(crate) batch: u64,
    pub(crate) calls: u64,
    pub(crate) journal: PathBuf,
}

impl Arguments {
    pub(crate) fn worker(&self) -> Option<Worker> {
        let (version, batch, journal) = (self.worker?, self.batch?, self.journal.clone()?);
        Some(Worker { version, batch, calls: self.calls, journal })
    }

    pub(crate) fn check_messages(&self) -> bool {
        self.check_messages
    }

    /// Returns whether the plugin owns its objects. Our plugins for Level Zero and CUDA do, and so do our adapters.
    /// OpenCL's objects belong to the driver, which follows any pointer it is given.
    pub(crate) fn owns_objects(&self) -> bool {
        let over_ur = self.plugin.to_string_lossy().contains("pi_over_ur");
        let backend = Backend::of_file(&self.plugin);
        self.check_messages && (over_ur || backend.is_some_and(|backend| backend != Backend::OpenCl))
    }
}

fn parse_version(text: &str) -> Result<Version, String> {
    Version::from_text(text.as_bytes()).ok_or_else(|| {
        format!("not a PI version known here (known: {})", Version::ALL.map(Version::text).join(", "))
    })
}
