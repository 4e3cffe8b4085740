//! `pi bench`: the cost of calls on this machine with the environment's OpenCL plugin or adapter, and with ours.
//!
//! The program `pi-bench` next to `pi` measures in a separate process. It calls both libraries and the driver alone in
//! turn.

mod comparison;
mod picture;

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;
use sycl_pi_loader::Environment;
use sycl_pi_loader::search::executable_folder;

use crate::install::{TreeArguments, VendorPair, active_or_named};
use crate::output::{CommandStatus, Output};
use crate::waiting::Waiting;
use crate::written::Written;
use crate::{child, opencl, regular};
use comparison::Comparison;

/// The measuring program.
const PROGRAM: &str = "pi-bench";

/// The largest size of a stored result.
const LARGEST_RESULT: u64 = 1 << 20;

#[derive(Args)]
pub struct BenchArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Write a picture of the result to this file, too.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Show the result that pi bench --json wrote to this file, instead of measuring.
    #[arg(long, value_name = "FILE", conflicts_with = "plugin")]
    pub from: Option<PathBuf>,
    /// The plugin or adapter to compare with the vendor's. Default: the one next to pi that fits.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

/// `pi bench DIR`
pub fn run(arguments: &BenchArguments, output: &mut Output) -> Result<CommandStatus> {
    let (measured, pair) = match &arguments.from {
        Some(file) => {
            let text = regular::read_at_most(file, LARGEST_RESULT)
                .with_context(|| format!("{} cannot be read", file.display()))?;
            let kept = serde_json::from_slice(&text);
            (kept.with_context(|| format!("{} is not a result of pi bench --json", file.display()))?, None)
        }
        None => {
            let root = active_or_named(arguments.tree.folder.as_ref())?;
            let pair = VendorPair::find(&root, &arguments.plugin)?;
            (measure(&pair, output)?, Some(pair))
        }
    };
    if let Some(file) = &arguments.svg {
        let text = picture::svg(&measured);
        let mut written = Written::apart_from(arguments.from.as_deref());
        written.add(file, text.as_bytes())?;
        written.finish()?;
    }
    if output.is_json() {
        output.value(&measured)?;
    } else {
        show(&measured, pair.as_ref(), output)?;
    }
    Ok(CommandStatus::Fine)
}

fn measure(pair: &VendorPair, output: &Output) -> Result<Comparison> {
    // Never runs a program from the current directory.
    let folder = executable_folder().context("pi cannot find its own folder")?;
    let program = folder.join(PROGRAM);
    if !program.exists() {
        bail!(
            "{PROGRAM} is not next to pi ({}): the packages contain it, and a checkout builds it with cargo build --release -p pi-benches",
            folder.display()
        );
    }
    let mut command = Command::new(&program);
    command.arg("compare").arg("--ours").arg(&pair.ours).arg("--vendor").arg(&pair.vendor);
    if let Some(release) = &pair.release {
        command.args(["--release", release]);
    }
    command.env(child::LIBRARIES, child::library_path(&pair.folder, std::env::var_os(child::LIBRARIES))?);
    command.envs(opencl::variables(&pair.folder, &Environment::from_env()));
    let waiting = Waiting::start(output);
    waiting.on("measuring the vendor's file, ours and the driver: at most half a minute");
    // A message is more useful here than stack frames.
    let done = command
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .output()
        .context("the measuring program cannot be started")?;
    drop(waiting);
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let words: Vec<&str> = said.split_whitespace().collect();
        bail!("nothing was measured ({}): {}; pi doctor may explain it", done.status, words.join(" "));
    }
    serde_json::from_slice(&done.stdout).context("the measuring program's output cannot be read")
}

fn show(measured: &Comparison, pair: Option<&VendorPair>, output: &mut Output) -> Result<()> {
    output.hanging(8, &format!("{}, {}", measured.device, measured.version))?;
    if let Some(pair) = pair {
        output.line(format!("vendor  {}", pair.vendor.display()))?;
        output.line(format!("ours    {}", pair.ours.display()))?;
        output.line("")?;
    }
    let rows = measured.calls.iter().map(|call| {
        let ratio = call.ours / call.vendor;
        let mut row = vec![call.name.clone()];
        row.extend([call.vendor, call.ours, call.bare].map(|nanoseconds| format!("{nanoseconds:.0}")));
        row.push(format!("{ratio:.2}"));
        row
    });
    output.table(&["operation, in ns", "vendor", "ours", "driver alone", "ours / vendor"], rows.collect())?;
    let mut ratios: Vec<f64> = measured.calls.iter().map(|call| call.ours / call.vendor).collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
    output.line(format!("{} operations; ours / vendor in the middle: {median:.2}", ratios.len()))
}
