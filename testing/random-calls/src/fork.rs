//! A forked child. It lacks the threads of plugin and driver, so it only makes queries that need none, and exits.
//! The process that started this one detects a call that never returns.

use anyhow::{Result, bail};
use sycl_pi_core::PI_EXT_ONEAPI_QUEUE_INFO_EMPTY;
use sycl_pi_core::table::names_by_slot;
use sycl_pi_loader::Backend;

use crate::fixture::Fixture;
use crate::invoke;
use crate::journal::Journal;

/// The number of calls of a child.
const CALLS: usize = 8;

/// Forks if the system has enough memory. The child makes some queries.
pub(crate) fn ask_in_child(
    fixture: &mut Fixture,
    journal: &Journal,
    may_exit: bool,
    trace: bool,
) -> Result<()> {
    let exits = may_exit && fixture.random.one_in(2);
    // SAFETY: this program has one thread of its own.
    match unsafe { libc::fork() } {
        -1 => match std::io::Error::last_os_error() {
            // Memory that was allocated and is not yet used counts twice.
            error if error.raw_os_error() == Some(libc::ENOMEM) => Ok(()),
            error => bail!("no fork: {error}"),
        },
        0 => {
            // SAFETY: the child is killed with this process if one of its calls waits forever.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
            ask(fixture, journal, trace);
            if exits {
                journal.begin("the end of a forked child");
                // SAFETY: ends this process with its exit handlers.
                unsafe { libc::exit(0) }
            }
            // SAFETY: ends this process without exit handlers.
            unsafe { libc::_exit(0) }
        }
        child => {
            let mut status = 0;
            // SAFETY: this process's child, and room for its status.
            while unsafe { libc::waitpid(child, &mut status, 0) } < 0 {
                let error = std::io::Error::last_os_error();
                if error.kind() != std::io::ErrorKind::Interrupted {
                    bail!("no child: {error}");
                }
            }
            if status != 0 {
                bail!("a forked child ended with status {status:#x}");
            }
            Ok(())
        }
    }
}

fn ask(fixture: &mut Fixture, journal: &Journal, trace: bool) {
    let queries: Vec<_> = names_by_slot(fixture.version)
        .filter(|(_, entry)| entry.name.ends_with("GetInfo") || entry.name == "piDevicesGet")
        .map(|(_, entry)| entry)
        .collect();
    for _ in 0..CALLS {
        let Some(entry) = fixture.random.of(&queries) else { return };
        let call = fixture.arguments(entry);
        // On OpenCL, a command determines whether a queue is empty. PoCL's threads may hold the queue's lock when
        // the process forks.
        let is_empty = entry.name == "piQueueGetInfo"
            && call.words.get(1) == Some(&u64::from(PI_EXT_ONEAPI_QUEUE_INFO_EMPTY));
        if is_empty && fixture.backend == Backend::OpenCl {
            continue;
        }
        let text = format!("in a forked child: {}", call.text(&fixture.memory));
        journal.begin(&text);
        if trace {
            eprintln!("{text}");
        }
        // SAFETY: the arguments are within the contract, as far as this program can ensure.
        let _ = unsafe { invoke::call(fixture.pi, entry.name, &call.words) };
    }
}
