//! Two runtimes of different PI versions in one process. Each has its own table, both work at the same time, and one
//! tears down.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use sycl_pi_core::*;

use crate::code::Code;
use crate::host::{Host, call};
use crate::totals::Totals;

/// Pairs with different layouts: the oldest with the newest, neighbors, and those of stock releases.
const PAIRS: [(Version, Version); 4] = [
    (Version::V9_11, Version::V15_47),
    (Version::V12_27, Version::V15_47),
    (Version::V14_39, Version::V15_47),
    (Version::V11_15, Version::V12_21),
];

const ROUNDS: usize = 50;

/// Tests each pair in both orders of ending.
pub(crate) fn run(plugin: &Path, image: Option<PathBuf>) -> Result<Totals> {
    let code = Code::of(plugin, image)?;
    let mut totals = Totals::default();
    for (older, newer) in PAIRS {
        for (first, second) in [(older, newer), (newer, older)] {
            let tried = pair(plugin, &code, first, second);
            let (here, there) = (first.text(), second.text());
            match tried {
                Ok(()) => {
                    println!("PI {here} ends, PI {there} goes on: ok");
                    totals.passed += 1;
                }
                Err(error) => {
                    println!("PI {here} ends, PI {there} goes on: {error:#}");
                    totals.failed += 1;
                }
            }
        }
    }
    Ok(totals)
}

/// Tests two plugins on one driver, each with its own runtime, in both orders of ending.
pub(crate) fn of_two_files(plugin: &Path, other: &Path, image: Option<PathBuf>) -> Result<Totals> {
    let code = Code::of(plugin, image)?;
    let mut totals = Totals::default();
    for (first, second) in [(plugin, other), (other, plugin)] {
        let names = [first, second].map(|path| path.file_name().unwrap_or_default().to_string_lossy());
        let open = |path| Host::open(path, Version::NEWEST, &code);
        let tried = open(first).and_then(|ends| {
            let stays = open(second)?;
            at_once(&ends, &stays)?;
            until_both_end(&ends, &stays)
        });
        let [here, there] = names;
        match tried {
            Ok(()) => {
                println!("{here} ends, {there} goes on: ok");
                totals.passed += 1;
            }
            Err(error) => {
                println!("{here} ends, {there} goes on: {error:#}");
                totals.failed += 1;
            }
        }
    }
    Ok(totals)
}

/// Lets both work in separate threads.
fn at_once(one: &Host, other: &Host) -> Result<()> {
    std::thread::scope(|scope| {
        let threads = [scope.spawn(|| work(one)), scope.spawn(|| work(other))];
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| anyhow::bail!("a panic")))
    })
}

fn pair(plugin: &Path, code: &Code, first: Version, second: Version) -> Result<()> {
    let (ends, stays) = (Host::open(plugin, first, code)?, Host::open(plugin, second, code)?);
    // Both at the same time, and each also with the other's objects, because handles have no version.
    at_once(&ends, &stays)?;
    let shared = Host { context: ends.context, queue: ends.queue, program: ends.program, ..stays };
    work(&shared)?;
    until_both_end(&ends, &stays)
}

/// Ends one while the other works, then the other.
fn until_both_end(ends: &Host, stays: &Host) -> Result<()> {
    std::thread::scope(|scope| -> Result<()> {
        let other = scope.spawn(|| work(stays));
        ends.release()?;
        ends.tear_down()?;
        other.join().unwrap_or_else(|_| anyhow::bail!("a panic"))
    })?;
    work(stays)?;
    stays.release()?;
    stays.tear_down()?;
    let mut count = 0;
    let late = call!(stays, piPlatformsGet(0, std::ptr::null_mut(), &mut count));
    ensure!(late.is_err(), "after both have torn down, a call still succeeds");
    Ok(())
}

fn work(host: &Host) -> Result<()> {
    let kernel = host.kernel(c"add_value")?;
    for round in 0..ROUNDS as i32 {
        let mem = host.buffer(&[round; 16])?;
        let event = host.add(host.queue, kernel, mem, 7, 16)?;
        host.finish(event)?;
        let values = host.read(host.queue, mem, 16)?;
        ensure!(values == [round + 7; 16], "PI {}: {values:?}, not {}", host.version.text(), round + 7);
        call!(host, piMemRelease(mem))?;
    }
    call!(host, piKernelRelease(kernel))?;
    Ok(())
}
