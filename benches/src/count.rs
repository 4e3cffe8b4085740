//! Instructions and system calls per operation: a child process makes the calls, this one traces it.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::Which;
use crate::cases::{self, Bench, Case, works};
use crate::output::{Call, Counted, Counts, Run, Sides, SystemCalls};
use crate::tracer::{self, Instructions, Tracer};

/// Each operation is counted this often. The median counts.
const REPEATS: usize = 5;
/// Operations between two breakpoints where system calls are counted: not every one of them wakes a worker thread.
const SYSTEM_CALL_BATCH: usize = 32;
/// The vendor's plugins throw and catch C++ exceptions in these operations, which does not survive stepping. They are counted on
/// the other sides only.
const THROWING: [&str; 2] = ["device and host timer", "kernel sub-group info (maximal size)"];
/// Uncounted operations before: lazy binding, pools.
const WARM_UP: usize = 3;

/// Counts the instructions of every operation.
pub(crate) fn instructions(which: &Which) -> Result<Run<Counted>> {
    let (run, files, all) = traced(which, step_through, Tracer::next_instructions)?;
    summarize(which, run, &files, &all)
}

/// Counts the system calls of every operation on the driver alone.
pub(crate) fn system_calls(which: &Which) -> Result<Run<SystemCalls>> {
    let (run, _, all) = traced(which, run_batches, Tracer::next_system_calls)?;
    let count = |case: usize| {
        let counts = all.iter().filter(|calls| calls.case == case as u64).map(|calls| calls.count);
        counts.sum::<u64>() as f64 / SYSTEM_CALL_BATCH as f64
    };
    let calls = run.calls.into_iter().enumerate();
    let calls = calls.map(|(index, call)| SystemCalls { call, system_calls: count(index) }).collect();
    Ok(Run { version: run.version, device: run.device, calls })
}

/// What the child announces before it is measured, the files it executed, and the measurements.
type Measurements<T> = (Run<Call>, Vec<String>, Vec<T>);

/// Runs `work` in a traced child, and takes a measurement with `next` as often as there is one.
fn traced<T>(
    which: &Which,
    work: fn(&Bench, &mut [Case]),
    next: fn(&mut Tracer) -> Result<Option<T>>,
) -> Result<Measurements<T>> {
    let mut pipe = [0; 2];
    // SAFETY: writable memory for two descriptors.
    ensure!(unsafe { libc::pipe(pipe.as_mut_ptr()) } == 0, "pipe: {}", std::io::Error::last_os_error());
    // SAFETY: this process has only one thread so far.
    let pid = unsafe { libc::fork() };
    // SAFETY: both descriptors are new and have no other owner.
    let (mut read, write) = unsafe { (File::from_raw_fd(pipe[0]), File::from_raw_fd(pipe[1])) };
    if pid == 0 {
        drop(read);
        let result = child(which, write, work);
        if let Err(error) = &result {
            let _ = writeln!(std::io::stderr(), "{error:#}");
        }
        // Exit functions of drivers are not run: this is a copy of a process.
        // SAFETY: ends the process.
        unsafe { libc::_exit(i32::from(result.is_err())) };
    }
    drop(write);
    let mut tracer = Tracer::new(pid);
    let mut measurements = Vec::new();
    while let Some(measurement) = next(&mut tracer)? {
        measurements.push(measurement);
        tracer.resume()?;
    }
    let mut text = String::new();
    read.read_to_string(&mut text)?;
    Ok((serde_json::from_str(&text)?, tracer.files, measurements))
}

fn child(which: &Which, mut pipe: File, work: fn(&Bench, &mut [Case])) -> Result<()> {
    tracer::allow()?;
    let mut bench = Bench::start(which)?;
    let mut cases = std::mem::take(&mut bench.cases);
    let calls = cases.iter().map(|case| case.call.clone()).collect();
    let run: Run<Call> = Run { version: bench.version.clone(), device: bench.device(), calls };
    pipe.write_all(&serde_json::to_vec(&run)?)?;
    drop(pipe);
    work(&bench, &mut cases);
    Ok(())
}

fn step_through(bench: &Bench, cases: &mut [Case]) {
    for (index, case) in cases.iter_mut().enumerate() {
        cases::set_current(&case.call.name);
        for (side, operation) in case.sides.iter_mut().enumerate() {
            if side == 1 && (THROWING.contains(&case.call.name.as_str()) || !works(operation)) {
                continue;
            }
            operation(WARM_UP);
            bench.finish();
            for _ in 0..REPEATS {
                tracer::breakpoint(index as u64, side as u64);
                operation(1);
                tracer::breakpoint(index as u64, side as u64);
                bench.finish();
            }
        }
    }
}

fn run_batches(bench: &Bench, cases: &mut [Case]) {
    for (index, case) in cases.iter_mut().enumerate() {
        cases::set_current(&case.call.name);
        let [_, _, bare] = &mut case.sides;
        if !works(bare) {
            continue;
        }
        bare(WARM_UP);
        bench.finish();
        tracer::breakpoint(index as u64, 2);
        bare(SYSTEM_CALL_BATCH);
        tracer::breakpoint(index as u64, 2);
        bench.finish();
    }
}

fn summarize(which: &Which, run: Run<Call>, files: &[String], all: &[Instructions]) -> Result<Run<Counted>> {
    let own = std::env::current_exe()?.canonicalize()?;
    let plugins = [which.ours.canonicalize()?, which.vendor.canonicalize()?];
    let count = |instructions: &Instructions| {
        let plugin = plugins.get(instructions.side as usize);
        let mut counts = Counts::default();
        for (file, steps) in &instructions.runs {
            let path = Path::new(&files[*file]);
            let is_plugin = |path: &Path| plugin.is_some_and(|plugin| plugin == path);
            let is_driver = |path: &Path| file_name(path).starts_with("libidle_driver");
            counts.total += if path == own { 0 } else { *steps };
            counts.plugin += if is_plugin(path) { *steps } else { 0 };
            if is_driver(path) {
                counts.driver += steps;
                counts.driver_calls += 1;
            }
        }
        counts
    };
    let median = |case: usize, side: u64| {
        let of = all.iter().filter(|one| one.case == case as u64 && one.side == side);
        let mut counts: Vec<Counts> = of.map(count).collect();
        counts.sort_by_key(|counts| counts.total);
        counts.get(counts.len() / 2).copied().unwrap_or_default()
    };
    let calls = run.calls.into_iter().enumerate().map(|(index, call)| {
        let counts = Sides { ours: median(index, 0), vendor: median(index, 1), bare: median(index, 2) };
        Counted { call, counts }
    });
    Ok(Run { version: run.version, device: run.device, calls: calls.collect() })
}

fn file_name(path: &Path) -> std::borrow::Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}
