//! The worker process: loads the plugin and runs the cases whose ids it reads as lines, with one reply for each.
//!
//! Drivers print to standard output. The replies therefore have a separate descriptor, and standard output is
//! redirected to standard error.

use std::ffi::c_void;
use std::fs::File;
use std::io::{BufRead, Write, stdin};
use std::os::fd::FromRawFd;
use std::process::ExitCode;
use std::ptr::null_mut;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sycl_pi_core::*;
use sycl_pi_loader::{CallError, Plugin};
use testing_ur_host::{Adapter, Layout};

use crate::case::{Case, Home};
use crate::cases;
use crate::cli::Arguments;
use crate::env::Env;
use crate::interface::Interface;
use crate::object_counter::ObjectCounter;
use crate::outcome::{Fail, Failure, Outcome, Verdict};

/// A worker's description before its first case.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// The backend's name.
    pub(crate) backend: String,
    /// The platform's name.
    pub(crate) platform: String,
    /// The device's name.
    pub(crate) device: String,
    /// The driver's version.
    pub(crate) driver: String,
}

impl Hello {
    /// Returns the driver in one line.
    pub(crate) fn driver_line(&self) -> String {
        format!("{}, {}, driver {}", self.platform, self.device, self.driver)
    }
}

/// The result of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Reply {
    pub(crate) id: String,
    pub(crate) outcome: Outcome,
    pub(crate) fail: Option<Fail>,
    pub(crate) reason: Option<String>,
    pub(crate) milliseconds: u64,
}

/// Runs cases until the input ends.
pub(crate) fn work(arguments: &Arguments, interface: Interface) -> Result<ExitCode> {
    let mut replies = own_descriptor()?;
    let mut object_counter = arguments.object_counter.as_deref().map(ObjectCounter::open).transpose()?;
    let env = Env::new(arguments, interface)?;
    // Never released, for cases in which the process ends while objects are alive.
    let env: &'static Env = Box::leak(Box::new(env));
    let hello = hello(env);
    if let Some(object_counter) = &mut object_counter {
        object_counter.begin()?;
    }
    writeln!(replies, "{}", serde_json::to_string(&hello)?)?;
    for line in stdin().lock().lines() {
        let id = line?;
        let case = cases::all().find(|case| case.id == id).with_context(|| format!("no case {id}"))?;
        let reply = run(env, case, object_counter.as_ref());
        writeln!(replies, "{}", serde_json::to_string(&reply)?)?;
        match case.home {
            Home::Shared => {}
            Home::Exit => return Ok(ExitCode::SUCCESS),
            Home::Alone => end_at_once(),
        }
    }
    env.close();
    end_at_once();
}

/// Asks the plugin which versions it supports, or the adapter which layouts, and prints their names.
pub(crate) fn questions(arguments: &Arguments) -> Result<ExitCode> {
    let mut replies = own_descriptor()?;
    let file = arguments.plugin();
    // A library with both interfaces is tested through the one in its name.
    let is_plugin = file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"libpi_"));
    // SAFETY: the file is under test, and the caller trusts it.
    let adapter = if is_plugin { None } else { unsafe { Adapter::open(file) }.ok() };
    if let Some(adapter) = adapter.filter(Adapter::has_platforms) {
        let served = Layout::ALL.into_iter().filter(|layout| adapter.connect(*layout).is_ok());
        let names: Vec<&str> = served.map(Layout::name).collect();
        writeln!(replies, "{}", serde_json::to_string(&names)?)?;
        end_at_once();
    }
    // SAFETY: the file is the plugin under test, which the caller trusts.
    let asked = unsafe { Plugin::questions(file) }?;
    let served = asked.iter().filter(|question| question.answer == sycl_pi_loader::Answer::Served);
    let texts: Vec<&str> = served.map(|question| question.version.text()).collect();
    writeln!(replies, "{}", serde_json::to_string(&texts)?)?;
    end_at_once();
}

/// Moves the replies away from standard output.
fn own_descriptor() -> Result<File> {
    // SAFETY: plain descriptors of this process, before any other thread exists.
    let replies = unsafe { libc::fcntl(1, libc::F_DUPFD_CLOEXEC, 3) };
    // SAFETY: the same as above.
    if replies < 0 || unsafe { libc::dup2(2, 1) } < 0 {
        bail!("standard output cannot be moved");
    }
    // SAFETY: the descriptor was just created, and nothing else owns it.
    Ok(unsafe { File::from_raw_fd(replies) })
}

/// Ends without exit handlers. Other cases test the behaviour of a plugin in these.
fn end_at_once() -> ! {
    // SAFETY: there is nothing left to do.
    unsafe { libc::_exit(0) }
}

fn hello(env: &Env) -> Hello {
    let device = |name| {
        lenient(|size, value, reported| call!(env, piDeviceGetInfo(env.device, name, size, value, reported)))
    };
    Hello {
        backend: env.backend.to_string(),
        platform: lenient(|size, value, reported| {
            call!(env, piPlatformGetInfo(env.platform, PI_PLATFORM_INFO_NAME, size, value, reported))
        }),
        device: device(PI_DEVICE_INFO_NAME),
        driver: device(PI_DEVICE_INFO_DRIVER_VERSION),
    }
}

/// Returns a string for display, even if it is not valid.
fn lenient(ask: impl Fn(usize, *mut c_void, *mut usize) -> Result<(), CallError>) -> String {
    let mut size = 0;
    if ask(0, null_mut(), &mut size).is_err() || size > 1 << 20 {
        return String::new();
    }
    let mut room = vec![0_u8; size];
    if ask(size, room.as_mut_ptr().cast(), null_mut()).is_err() {
        return String::new();
    }
    let bytes: Vec<u8> = room.into_iter().take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

fn run(env: &Env, case: &Case, object_counter: Option<&ObjectCounter>) -> Reply {
    let start = Instant::now();
    let object_counter = object_counter.filter(|_| case.home == Home::Shared);
    let objects = object_counter.map(|object_counter| object_counter.before_case(env)).unwrap_or_default();
    let before = env.counts();
    let verdict = (case.body)(env).and_then(|()| {
        if case.home == Home::Shared {
            env.settle()?;
            balance(env, before)?;
        }
        Ok(())
    });
    let verdict = match (verdict, object_counter) {
        (Ok(()), Some(object_counter)) => object_counter.balance(env, case.call, &objects),
        (verdict, _) => verdict,
    };
    let (outcome, fail, reason) = match verdict {
        Ok(()) => (Outcome::Passed, None, None),
        Err(Failure::Skip(reason)) => (Outcome::Skipped, None, Some(reason)),
        Err(Failure::Fail(mut fail)) => {
            if fail.call.is_empty() {
                fail.call = case.call.to_owned();
            }
            (Outcome::Failed, Some(*fail), None)
        }
    };
    if case.home == Home::Shared && outcome != Outcome::Passed {
        // Leftovers of a failure must not affect the next case.
        let _ = env.settle();
        let _ = env.settle();
    }
    let milliseconds = start.elapsed().as_millis() as u64;
    Reply { id: case.id.to_owned(), outcome, fail, reason, milliseconds }
}

/// Checks that no reference is leaked. A driver may take a moment to release them.
fn balance(env: &Env, before: [Option<u32>; 3]) -> Verdict {
    let start = Instant::now();
    loop {
        let after = env.counts();
        // A shared object that was first needed by this case holds others.
        if before.iter().zip(after).any(|(before, after)| before.is_none() && after.is_some()) {
            return Ok(());
        }
        // Fewer than before: the driver was still busy with the previous case.
        let leaked = before.iter().zip(after).any(|(before, after)| after > *before);
        if !leaked {
            return Ok(());
        }
        if start.elapsed() > Duration::from_millis(500) {
            return Err(Failure::Fail(Box::new(Fail::leak(&before, &after))));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
