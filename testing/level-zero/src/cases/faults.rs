//! Injects faults into every driver function that a workload calls, at each of its calls in turn. The result must be an
//! error with the driver's message. Nothing may crash or hang, and everything must be freed.

use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::Case;
use crate::cases::workload::{Failure, work};
use crate::soft::Report;
use crate::{Soft, fixture};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("a_fault_at_any_call_is_an_error_and_nothing_leaks", out_of_memory),
    ("a_device_lost_at_any_call_is_reported_from_then_on", lost),
    ("a_device_lost_under_a_command_is_reported_from_then_on", lost_under_a_command),
    ("a_fault_at_start_up_is_an_error", start_up),
];

/// Functions whose failure need not be reported: hints, suggestions, frees, and messages about errors.
const QUIET: [&str; 11] = [
    "zeKernelSuggestGroupSize",
    "zeCommandListAppendMemoryPrefetch",
    "zeCommandListAppendMemAdvise",
    "zeContextMakeMemoryResident",
    "zeModuleBuildLogGetString",
    "zeModuleBuildLogDestroy",
    "zeDriverGetLastErrorDescription",
    "zeDeviceGetGlobalTimestamps",
    "zeMemFree",
    "zeCommandListReset",
    "zeEventQueryStatus",
];

/// Each call number up to this one is tested. Beyond it, every other power of two.
const ALL_UP_TO: u64 = 12;
/// Far longer than anything in the workload takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// The current test, for the watchdog.
static TRYING: Mutex<Option<(Instant, String)>> = Mutex::new(None);

fn watch() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let trying = TRYING.lock().unwrap();
                if let Some((since, what)) = &*trying
                    && since.elapsed() > PATIENCE
                {
                    eprintln!("hangs: {what}");
                    std::process::exit(3);
                }
            }
        });
    });
}

/// Runs the workload with a fault, and returns its result and the driver's report.
fn with(soft: &Soft, fault: &str, lost: bool) -> (Result<(), Failure>, Report) {
    watch();
    *TRYING.lock().unwrap() = Some((Instant::now(), fault.to_owned()));
    soft.reset();
    // Objects that the driver did not take back in earlier runs remain.
    let before = soft.report().alive;
    soft.fault(fault);
    let result = work(fixture::plugin(), lost);
    let mut report = soft.report();
    for (kind, alive) in &mut report.alive {
        *alive = alive.saturating_sub(before.get(kind).copied().unwrap_or(0));
    }
    soft.fault("");
    *TRYING.lock().unwrap() = None;
    (result, report)
}

/// Compares the workload's calls and its remaining objects of the driver and of devices with the expected ones.
fn usual(soft: &Soft) -> Report {
    for _ in 0..2 {
        let (result, report) = with(soft, "", false);
        result.unwrap_or_else(|failure| panic!("without a fault: {failure:?}"));
        assert!(report.complaints.is_empty(), "{:?}", report.complaints);
    }
    with(soft, "", false).1
}

fn numbers(count: u64) -> Vec<u64> {
    let beyond = (0..).map(|power| 16 << (2 * power)).take_while(|number| *number <= count);
    (1..=count.min(ALL_UP_TO)).chain(beyond).collect()
}

fn gives_back(function: &str) -> bool {
    function.ends_with("Destroy") || function == "zeMemFree"
}

fn out_of_memory() {
    let soft = Soft::find().unwrap();
    let usual = usual(&soft);
    let (mut tried, mut wrong) = (0, Vec::new());
    for (function, count) in &usual.calls {
        for number in numbers(*count) {
            let fault = format!("{function}:{number}=ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY");
            let (result, report) = with(&soft, &fault, false);
            tried += 1;
            let hit = report.calls.get(function).copied().unwrap_or(0) >= number;
            match &result {
                Ok(()) if hit && !QUIET.contains(&function.as_str()) && !gives_back(function) => {
                    wrong.push(format!("{fault}: nobody was reported"));
                }
                Err(failure) if !failure.text.contains("ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY") => {
                    wrong.push(format!("{fault}: {failure:?} has not the driver's words"));
                }
                _ => {}
            }
            // Objects that the driver refuses to take back remain.
            if !gives_back(function) {
                wrong.extend(leaks(&fault, &report));
            }
        }
    }
    println!("{tried} faults at {} functions", usual.calls.len());
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Checks what a run left behind, and the driver's complaints.
fn leaks(fault: &str, report: &Report) -> Vec<String> {
    let kinds = report.alive.iter().filter(|(_, alive)| **alive > 0);
    let mut wrong: Vec<String> =
        kinds.map(|(kind, alive)| format!("{fault}: {alive} of {kind} left")).collect();
    wrong.extend(report.complaints.iter().map(|complaint| format!("{fault}: {complaint}")));
    wrong
}

fn lost() {
    let soft = Soft::find().unwrap();
    let usual = usual(&soft);
    let (mut tried, mut wrong) = (0, Vec::new());
    for (function, count) in &usual.calls {
        for number in numbers(*count).into_iter().step_by(2) {
            let fault = format!("{function}:{number}=ZE_RESULT_ERROR_DEVICE_LOST");
            let (result, report) = with(&soft, &fault, true);
            tried += 1;
            reported_for_good(&fault, &result, &mut wrong);
            if !gives_back(function) {
                wrong.extend(leaks(&fault, &report));
            }
        }
    }
    println!("{tried} losses at {} functions", usual.calls.len());
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}

fn reported_for_good(fault: &str, result: &Result<(), Failure>, wrong: &mut Vec<String>) {
    if let Err(failure) = result
        && failure.later.is_some_and(|later| later != PI_ERROR_DEVICE_NOT_AVAILABLE)
    {
        wrong.push(format!("{fault}: a later command answers {:?} after {failure:?}", failure.later));
    }
}

fn lost_under_a_command() {
    let soft = Soft::find().unwrap();
    usual(&soft);
    let mut wrong = Vec::new();
    for number in 1..=24 {
        let fault = format!("execute:{number}=ZE_RESULT_ERROR_DEVICE_LOST");
        let (result, report) = with(&soft, &fault, true);
        match &result {
            Ok(()) => wrong.push(format!("{fault}: nobody was reported")),
            Err(failure) if failure.code != PI_ERROR_DEVICE_NOT_AVAILABLE => {
                wrong.push(format!("{fault}: {failure:?}"));
            }
            Err(_) => {}
        }
        reported_for_good(&fault, &result, &mut wrong);
        wrong.extend(leaks(&fault, &report));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The variable for the child processes of `start_up`.
pub const CHILD: &str = "PI_TEST_FAULT_CHILD";

/// The child process: runs the workload in a process whose environment has a fault.
pub fn child() -> ExitCode {
    match work(fixture::plugin(), false) {
        Ok(()) => println!("done"),
        Err(failure) => println!("refused {} {}", failure.code, failure.text),
    }
    ExitCode::SUCCESS
}

/// Calls that the plugin makes once per process, when the first platforms are listed.
fn start_up() {
    let mut wrong = Vec::new();
    let functions = [
        "zeInit",
        "zeDriverGet",
        "zeDriverGetApiVersion",
        "zeDriverGetProperties",
        "zeDriverGetExtensionProperties",
        "zeDeviceGet",
        "zeDeviceGetSubDevices",
        "zeDeviceGetProperties",
        "zeDeviceGetComputeProperties",
        "zeDeviceGetModuleProperties",
        "zeDeviceGetCommandQueueGroupProperties",
        "zeDeviceGetMemoryProperties",
        "zeDeviceGetMemoryAccessProperties",
        "zeDeviceGetCacheProperties",
        "zeDeviceGetImageProperties",
    ];
    for function in functions {
        for code in ["ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY", "ZE_RESULT_ERROR_UNINITIALIZED"] {
            let fault = format!("{function}:1={code}");
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.env(CHILD, "1").env("PI_SOFT_ZE_FAULT", &fault);
            let finished = testing_support::process::run(&mut command, Duration::from_secs(60)).unwrap();
            let text = finished.stdout_text();
            let end = text.lines().last().unwrap_or_default();
            if !finished.end.is_success() || !(end == "done" || end.starts_with("refused -")) {
                wrong.push(format!("{fault}: {}, {end:?}", finished.end));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
