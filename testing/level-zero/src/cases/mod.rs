//! The tests, one file per family.

use std::process::ExitCode;

use libtest_mimic::Arguments;
pub(crate) use testing_support::Case;
use testing_support::{Expected, Registry};

use crate::{Soft, fixture};

mod buffers;
mod command_buffers;
mod commands;
mod costs;
mod device_info;
mod endurance;
mod engines;
mod errors;
mod exported_memory;
mod exports;
pub mod faults;
mod images;
mod intel;
mod kernels;
mod memory;
mod native_objects;
mod out_of_order;
mod refusals;
mod samplers;
pub mod unified_runtime;
mod updates;
mod virtual_memory;
pub mod workload;

/// Runs the tests that the arguments select. The driver determines which apply. Without a driver, all are listed and
/// count as ignored.
pub fn run(mut arguments: Arguments) -> ExitCode {
    let on_software = [
        device_info::CASES,
        engines::CASES,
        memory::CASES,
        kernels::CASES,
        commands::CASES,
        buffers::CASES,
        images::CASES,
        native_objects::CASES,
        refusals::CASES,
        samplers::CASES,
        errors::CASES,
        command_buffers::CASES,
        out_of_order::CASES,
        out_of_order::SEVERAL_LISTS,
        costs::CASES,
        endurance::CASES,
        faults::CASES,
        unified_runtime::CASES,
        updates::CASES,
        exported_memory::CASES,
        virtual_memory::CASES,
        exports::CASES,
    ]
    .concat();
    let ready = fixture::is_ready();
    let cases = match (ready, Soft::find()) {
        (true, Some(_)) => on_software,
        (true, None) => intel::CASES.to_vec(),
        (false, _) => [on_software, intel::CASES.to_vec()].concat(),
    };
    let several = fixture::keeps_order();
    // One at a time, because faults affect the whole driver, and some tests break a context on purpose.
    arguments.test_threads = Some(1);
    let registry: Registry = cases.into_iter().collect();
    registry.run(&arguments, |name| match out_of_order::SEVERAL_LISTS.iter().any(|(of, _)| *of == name) {
        _ if !ready => Expected::Skip("the environment names no plugin with a driver".to_owned()),
        true if !several => Expected::Skip("the driver does not keep lists in order".to_owned()),
        _ => Expected::Pass,
    })
}
