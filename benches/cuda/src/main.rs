//! Measures the time of the plugin's or an adapter's calls compared with plain calls of the driver, in one process, by
//! alternate sampling.
#![expect(unsafe_code, reason = "measures C functions")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark fails by panicking, and prints its table"
)]

use std::path::PathBuf;

use clap::Parser;
use testing_ur_host::Layout;

/// Calls a function of the driver, which must succeed.
macro_rules! cu {
    ($driver:ident.$name:ident($($arg:expr),*)) => {
        // SAFETY: `driver!` declares the signature. The handles are live, and memory outlives the command that uses it.
        assert_eq!(unsafe { ($driver.$name)($($arg),*) }, 0, stringify!($name))
    };
}

mod driver;
mod marks;
mod measure;
mod pi;
mod rates;
mod ur;

use driver::Driver;

/// Times calls beside the driver's own. PI_TEST_PLUGIN names the plugin, PI_TEST_IMAGES the folder of kernels.
#[derive(Parser)]
struct Cli {
    /// Write the numbers to this file, as JSON
    out: Option<PathBuf>,
    /// Time this adapter instead of the plugin
    #[arg(long, requires = "layout")]
    adapter: Option<PathBuf>,
    /// The layout to load the adapter for, such as 2026.2
    #[arg(long, value_parser = layout)]
    layout: Option<Layout>,
    /// Only do one of the ways, so often and untimed, for tools that count instructions
    #[arg(long, num_args = 2, value_names = ["WAY", "COUNT"])]
    repeat: Option<Vec<String>>,
    /// Only time the plugin's large copies
    #[arg(long, conflicts_with = "adapter")]
    rates: bool,
}

fn layout(name: &str) -> Result<Layout, String> {
    testing_ur_host::layout_of_name(name).ok_or_else(|| format!("there is no layout {name:?}"))
}

fn main() {
    let cli = Cli::parse();
    let driver: &'static Driver = Box::leak(Box::new(Driver::open()));
    cu!(driver.cuInit(0));
    let repeated = cli.repeat.as_deref().and_then(|words| match words {
        [way, count] => Some((way.as_str(), count.parse().expect("a count"))),
        _ => None,
    });
    let json = match (&cli.adapter, cli.layout) {
        _ if cli.rates => rates::of_plugin(driver),
        (Some(adapter), Some(layout)) => ur::run(driver, adapter, layout, repeated),
        _ => pi::run(driver, repeated),
    };
    if let Some(path) = cli.out {
        std::fs::write(path, format!("[{}]\n", json.join(",\n"))).unwrap();
    }
    // No driver is torn down.
    std::process::exit(0);
}
