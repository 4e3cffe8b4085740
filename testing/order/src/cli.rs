//! The command line.

use std::path::{Path, PathBuf};

use clap::Parser;
use sycl_pi_loader::Version;
use testing_ur_host::{Layout, layout_of_name};

/// Puts random commands into several queues of a plugin or an adapter, and looks whether each saw only what it may.
///
/// Copies, fills and kernels on buffers and USM, in queues with and without an order, of several contexts and devices; behind wait lists
/// of several events, barriers, markers, events of native handles and of the host's; recorded in command buffers, and changed there. A
/// model on the host says what happens before what, and so which values each command may see.
///
/// Ends with 0 when every value was allowed; with 1 when one was not, a call failed or a program hung, which is then shown, as short as it
/// could be made; with 2 when nothing could be run.
#[derive(Debug, Parser)]
#[command(name = "testing-order", version)]
pub(crate) struct Arguments {
    /// The file of the plugin or adapter
    pub(crate) file: PathBuf,
    /// The PI version, such as 9.11, or an adapter's layout, such as 2025.3 (default: the newest; 9.11 has events that the host sets)
    #[arg(long, value_parser = Interface::of_name)]
    pub(crate) interface: Option<Interface>,
    /// The seed of all programs
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of the first program
    #[arg(long, default_value_t = 0)]
    pub(crate) from: u64,
    /// How many commands, at least
    #[arg(long, default_value_t = 20_000, conflicts_with_all = ["seconds", "programs"])]
    pub(crate) count: u64,
    /// Continue for this number of seconds
    #[arg(long, conflicts_with = "programs")]
    pub(crate) seconds: Option<f64>,
    /// The number of programs. With --from and 1, repeats one that has failed
    #[arg(long)]
    pub(crate) programs: Option<u64>,
    /// Run each program this number of times
    #[arg(long, default_value_t = 1)]
    pub(crate) times: u64,
    /// The device, counted over all platforms
    #[arg(long, default_value_t = 0)]
    pub(crate) device: usize,
    /// Rounds of the slowest kernels; a round is about a nanosecond
    #[arg(long, default_value_t = 400_000)]
    pub(crate) slow: i32,
    /// Show each program before it runs, on standard error
    #[arg(long)]
    pub(crate) trace: bool,
    /// Do not shorten a program that fails
    #[arg(long)]
    pub(crate) whole: bool,
    /// One JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Seconds after which a program counts as hung
    #[arg(long, default_value_t = 120)]
    pub(crate) timeout: u64,
}

impl Arguments {
    pub(crate) fn interface(&self) -> Interface {
        self.interface.unwrap_or_else(|| Interface::newest(&self.file))
    }
}

/// A plugin's version or an adapter's layout.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Interface {
    Pi(Version),
    Ur(Layout),
}

impl Interface {
    fn of_name(name: &str) -> Result<Self, String> {
        let layout = layout_of_name(name).map(Interface::Ur);
        let found = layout.or_else(|| Version::from_text(name.as_bytes()).map(Interface::Pi));
        let versions = Version::ALL.map(Version::text).join(", ");
        let layouts = Layout::ALL.map(Layout::name).join(", ");
        found.ok_or_else(|| format!("neither a PI version ({versions}) nor a layout of adapters ({layouts})"))
    }

    /// Returns the newest interface of a file with this name.
    pub(crate) fn newest(file: &Path) -> Self {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.contains("ur_adapter") {
            Interface::Ur(Layout::NEWEST)
        } else {
            Interface::Pi(Version::NEWEST)
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Interface::Pi(version) => version.text(),
            Interface::Ur(layout) => layout.name(),
        }
    }
}
