//! Instructions per operation: a child process makes the calls, this one steps through them.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::Which;
use crate::cases::{Bench, works};
use crate::output::{Call, Counted, Counts, Run, Sides};
use crate::trace::{self, Stretch, Traced};

/// Each operation is counted this often; the median stands.
const REPEATS: usize = 5;
/// Calls in which shipped plugins throw and catch C++ exceptions, which does not survive stepping: counted on the other
/// sides only.
const THROWING: [&str; 2] = ["device and host timer", "kernel sub-group info (maximal size)"];
/// Uncounted operations before: lazy binding, pools.
const WARM_UP: usize = 3;

/// Counts every call.
pub(crate) fn run(which: &Which) -> Result<Run<Counted>> {
    let mut pipe = [0; 2];
    // SAFETY: room for two descriptors.
    ensure!(unsafe { libc::pipe(pipe.as_mut_ptr()) } == 0, "pipe: {}", std::io::Error::last_os_error());
    // SAFETY: this process has one thread yet, and the child goes on as if it were the only one.
    let pid = unsafe { libc::fork() };
    // SAFETY: both descriptors are new and have no other owner.
    let (mut read, write) = unsafe { (File::from_raw_fd(pipe[0]), File::from_raw_fd(pipe[1])) };
    if pid == 0 {
        drop(read);
        let result = child(which, write);
        if let Err(error) = &result {
            let _ = writeln!(std::io::stderr(), "{error:#}");
        }
        // Without the exit functions of drivers: this is a copy of a process.
        // SAFETY: ends the process.
        unsafe { libc::_exit(i32::from(result.is_err())) };
    }
    drop(write);
    let mut traced = Traced::new(pid);
    let mut stretches = Vec::new();
    while let Some(stretch) = traced.next()? {
        stretches.push(stretch);
        traced.resume()?;
    }
    let mut text = String::new();
    read.read_to_string(&mut text)?;
    let hello: Run<Call> = serde_json::from_str(&text)?;
    summarize(which, hello, &traced.files, &stretches)
}

fn child(which: &Which, mut pipe: File) -> Result<()> {
    trace::allow()?;
    let mut bench = Bench::start(which)?;
    let calls = bench.cases.iter().map(|case| case.call.clone()).collect();
    let hello: Run<Call> = Run { pi: bench.pi(), device: bench.device(), calls };
    pipe.write_all(&serde_json::to_vec(&hello)?)?;
    drop(pipe);
    let mut cases = std::mem::take(&mut bench.cases);
    for (index, case) in cases.iter_mut().enumerate() {
        crate::cases::set_current(&case.call.name);
        for (side, body) in case.bodies.iter_mut().enumerate().take(3) {
            if side == 1 && (THROWING.contains(&case.call.name.as_str()) || !works(body)) {
                continue;
            }
            body(WARM_UP);
            bench.settle();
            for _ in 0..REPEATS {
                trace::mark(index as u64, side as u64);
                body(1);
                trace::mark(index as u64, side as u64);
                bench.settle();
            }
        }
    }
    Ok(())
}

fn summarize(
    which: &Which,
    hello: Run<Call>,
    files: &[String],
    stretches: &[Stretch],
) -> Result<Run<Counted>> {
    let own = std::env::current_exe()?.canonicalize()?;
    let plugins = [which.ours.canonicalize()?, which.vendor.canonicalize()?];
    let count = |stretch: &Stretch| {
        let plugin = plugins.get(stretch.side as usize);
        let mut counts = Counts::default();
        for (file, steps) in &stretch.runs {
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
        let of = stretches.iter().filter(|stretch| stretch.case == case as u64 && stretch.side == side);
        let mut counts: Vec<Counts> = of.map(count).collect();
        counts.sort_by_key(|counts| counts.total);
        counts.get(counts.len() / 2).copied().unwrap_or_default()
    };
    let calls = hello.calls.into_iter().enumerate().map(|(index, call)| {
        let counts = Sides { ours: median(index, 0), vendor: median(index, 1), bare: median(index, 2) };
        Counted { call, counts }
    });
    Ok(Run { pi: hello.pi, device: hello.device, calls: calls.collect() })
}

fn file_name(path: &Path) -> std::borrow::Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}
