//! Injected failures: `function:when=ZE_RESULT_...`, several separated by `;`.
//!
//! `when` is `3` (the third call), `3+` (the third and all later ones) or `*`. The function `execute` means a command's
//! execution on the device. A lost device remains lost.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use level_zero_sys::*;
use parking_lot::{RwLock, RwLockReadGuard};

use crate::config::config;

struct Fault {
    function: String,
    from: u64,
    to: u64,
    result: ze_result_t,
    seen: AtomicU64,
}

static FAULTS: RwLock<Vec<Fault>> = RwLock::new(Vec::new());
static ANY: AtomicBool = AtomicBool::new(false);
static LOST: AtomicBool = AtomicBool::new(false);
/// Shared by the commands that are being executed.
static EXECUTING: RwLock<()> = RwLock::new(());

/// Reads the faults from the environment.
pub(crate) fn init() {
    if !config().faults.is_empty() {
        set(&config().faults);
    }
}

/// Replaces all faults, and restores a lost device. Parts that cannot be parsed are reported.
pub(crate) fn set(text: &str) {
    let faults: Vec<Fault> =
        text.split(';').map(str::trim).filter(|part| !part.is_empty()).filter_map(parse).collect();
    ANY.store(!faults.is_empty(), Ordering::Release);
    LOST.store(false, Ordering::Release);
    *FAULTS.write() = faults;
}

fn parse(part: &str) -> Option<Fault> {
    let read = || {
        let (call, result) = part.split_once('=')?;
        let (function, when) = call.split_once(':').unwrap_or((call, "1"));
        let (from, to) = match when.trim() {
            "*" => (1, u64::MAX),
            when => match when.strip_suffix('+') {
                Some(from) => (from.parse().ok()?, u64::MAX),
                None => (when.parse().ok()?, when.parse().ok()?),
            },
        };
        let result = code(result.trim())?;
        Some(Fault { function: function.trim().to_owned(), from, to, result, seen: AtomicU64::new(0) })
    };
    let fault = read();
    if fault.is_none() {
        crate::complaints::complain("PI_SOFT_ZE_FAULT", format!("cannot read {part:?}"));
    }
    fault
}

/// Returns a result by its name or number.
fn code(text: &str) -> Option<ze_result_t> {
    if let Some(hex) = text.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).ok().map(ze_result_t);
    }
    let groups = [0, 0x7000_0000, 0x7001_0000, 0x7002_0000, 0x7800_0000, 0x7ff0_0000, 0x7fff_fff0];
    groups
        .iter()
        .flat_map(|group| *group..group + 0x40)
        .map(ze_result_t)
        .find(|result| result.name() == Some(text))
}

/// Returns the result of this call of `function` if it must not be executed.
#[inline]
pub(crate) fn next(function: &str) -> Option<ze_result_t> {
    if !ANY.load(Ordering::Relaxed) {
        return None;
    }
    find(function)
}

#[cold]
fn find(function: &str) -> Option<ze_result_t> {
    let mut answer = None;
    for fault in FAULTS.read().iter().filter(|fault| fault.function == function) {
        let call = fault.seen.fetch_add(1, Ordering::Relaxed) + 1;
        if (fault.from..=fault.to).contains(&call) {
            answer.get_or_insert(fault.result);
        }
    }
    if answer == Some(ZE_RESULT_ERROR_DEVICE_LOST) {
        lose();
    }
    answer
}

/// Loses the device. From then on it executes no command, so that a client may free the commands' memory. The calling
/// thread must not be executing one.
pub(crate) fn lose() {
    LOST.store(true, Ordering::Release);
    drop(EXECUTING.write());
}

/// Returns a guard for executing a command, or `None` if the device is lost.
pub(crate) fn executing() -> Option<RwLockReadGuard<'static, ()>> {
    let executing = EXECUTING.read();
    (!lost()).then_some(executing)
}

/// Returns whether the device is lost.
#[inline]
pub(crate) fn lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Fails if the device is lost.
#[inline]
pub(crate) fn alive() -> Result<(), ze_result_t> {
    if lost() { Err(ZE_RESULT_ERROR_DEVICE_LOST) } else { Ok(()) }
}
