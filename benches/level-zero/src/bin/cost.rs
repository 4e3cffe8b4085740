//! Measures driver calls and time per operation of two plugins in one process, by alternate sampling, on the software
//! driver.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for programs: it prints one JSON document"
)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use rustix::thread::{CpuSet, Pid, gettid, sched_getaffinity, sched_setaffinity};
use serde::Serialize;
use sycl_pi_core::PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
use testing_level_zero::operations::{Bench, NAMES};
use testing_level_zero::{Soft, fixture};
use testing_support::open;

/// Longer than the driver's threads look for more work before they sleep.
const REST: Duration = Duration::from_micros(500);

/// Counts and times operations of two Level Zero plugins on the software driver.
#[derive(Parser)]
struct Arguments {
    /// Our plugin
    #[arg(long)]
    ours: PathBuf,
    /// The plugin beside it
    #[arg(long)]
    vendor: PathBuf,
    /// Rounds of each operation on each side
    #[arg(long, default_value_t = 61)]
    rounds: usize,
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
    /// Driver calls per operation of our plugin and the other.
    calls: [f64; 2],
    /// Nanoseconds per operation in each round, of our plugin and the other.
    rounds: [Vec<f64>; 2],
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(soft) = Soft::find() else {
        eprintln!("error: ZE_ENABLE_ALT_DRIVERS does not name libsoftware_level_zero.so");
        return ExitCode::from(2);
    };
    let flags = if arguments.out_of_order { PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE } else { 0 };
    let tables = [&arguments.ours, &arguments.vendor].map(|path| open(path, fixture::VERSION));
    let mut benches = tables.map(|pi| Bench::new(pi, flags));
    let processors = Processors::find();
    if processors.is_none() {
        eprintln!("warning: host and device share the only processor");
    }
    let batch = arguments.batch;
    let mut lines = Vec::new();
    for name in NAMES {
        let mut line = Line { name, calls: [0.0; 2], rounds: [Vec::new(), Vec::new()] };
        for (bench, calls) in benches.iter_mut().zip(&mut line.calls) {
            *calls = bench.count(&soft, name, batch);
        }
        let divided = processors.as_ref().map_or(Ok(()), Processors::divide);
        if let Err(error) = divided {
            eprintln!("error: threads cannot be given processors: {error}");
            return ExitCode::from(2);
        }
        for round in 0..arguments.rounds {
            for side in [round % 2, 1 - round % 2] {
                let bench = &mut benches[side];
                bench.prepare(name, batch);
                let start = Instant::now();
                (0..batch).for_each(|_| bench.run(name));
                line.rounds[side].push(start.elapsed().as_nanos() as f64 / batch as f64);
                bench.settle();
                // The driver's threads look for more work for a while. Those of one side must not take the other's
                // time.
                std::thread::sleep(REST);
            }
        }
        lines.push(line);
    }
    drop(benches);
    match serde_json::to_string(&lines) {
        Ok(text) => println!("{text}"),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// A processor for this thread, and the others for all other threads, which belong to the device. A GPU takes no host
/// time either, and otherwise the system decides anew in each process which threads of the device share a processor.
struct Processors {
    host: CpuSet,
    device: CpuSet,
}

impl Processors {
    /// Returns those of this process, or `None` if there is only one.
    fn find() -> Option<Self> {
        let mut device = sched_getaffinity(None).ok().filter(|all| all.count() > 1)?;
        let first = (0..CpuSet::MAX_CPU).find(|processor| device.is_set(*processor))?;
        let mut host = CpuSet::new();
        host.set(first);
        device.unset(first);
        Some(Self { host, device })
    }

    /// Assigns each thread to its processors.
    fn divide(&self) -> std::io::Result<()> {
        let this = gettid();
        for task in std::fs::read_dir("/proc/self/task")? {
            let thread =
                task?.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            if let Some(thread) = thread {
                let place = if thread == this { &self.host } else { &self.device };
                sched_setaffinity(Some(thread), place)?;
            }
        }
        Ok(())
    }
}
