//! Counts driver calls per operation of an adapter, on the software driver.
#![expect(unsafe_code, reason = "measures C functions")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for programs: it prints one JSON document"
)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use serde::Serialize;
use sycl_pi_core::PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
use testing_level_zero::Soft;
use testing_level_zero::operations::{Bench, NAMES};
use testing_ur_host::{Layout, layout_of_release};

/// Counts the driver calls of operations of a Level Zero adapter.
#[derive(Parser)]
struct Arguments {
    /// The adapter
    #[arg(long)]
    adapter: PathBuf,
    /// The release of DPC++ to load it for, such as 2025.3.3
    #[arg(long = "release", value_parser = layout_of_release)]
    layout: Layout,
    /// Operations in a round
    #[arg(long, default_value_t = 100)]
    batch: usize,
    /// Queues that are out of order
    #[arg(long)]
    out_of_order: bool,
}

/// One operation.
#[derive(Serialize)]
struct Line {
    name: &'static str,
    /// Driver calls per operation.
    calls: f64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match count(&arguments) {
        Ok(lines) => {
            println!("{lines}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn count(arguments: &Arguments) -> Result<String, Box<dyn std::error::Error>> {
    let soft = Soft::find().ok_or("ZE_ENABLE_ALT_DRIVERS does not name libsoftware_level_zero.so")?;
    let flags = if arguments.out_of_order { PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE } else { 0 };
    // SAFETY: an adapter, named by the person who counts.
    let (plugin, _) = unsafe { testing_ur_host::open(&arguments.adapter, arguments.layout) }?;
    let mut bench = Bench::new(Box::leak(Box::new(plugin)).table(), flags);
    let lines: Vec<Line> = NAMES
        .into_iter()
        .map(|name| Line { name, calls: bench.count(&soft, name, arguments.batch) })
        .collect();
    Ok(serde_json::to_string(&lines)?)
}
