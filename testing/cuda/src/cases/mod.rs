//! The tests, one file per family.

use std::process::ExitCode;

use libtest_mimic::Arguments;
pub(crate) use testing_support::Case;
use testing_support::{Expected, Registry};

use crate::fixture::{devices, is_software};

mod basics;
mod buffers;
mod calls;
mod child;
mod command_buffers;
mod commands;
mod devices;
mod exported_memory;
mod images;
mod kernels;
mod launch_properties;
mod life;
mod maps;
mod missing;
mod physical_memory;
mod programs;
mod runtime;
mod shared_events;
mod spirv;
mod sweep;
mod unified_runtime;
mod usm;
mod wild_sizes;

/// Tests that order faults, ask what was counted, or leave it to the driver to refuse what could end the process.
const ON_THE_SOFTWARE_DRIVER: [&str; 11] = [
    "commands_call_the_driver_as_often_as_they_must",
    "each_driver_call_may_run_out_of_memory",
    "each_driver_call_may_lose_the_device",
    "an_older_driver_lacks_a_feature_alone",
    "nothing_leaks",
    "freed_memory_makes_room_before_memory_runs_out",
    "injected_faults_are_reported",
    "an_unmap_that_is_refused_leaves_the_buffer_mapped",
    "image_copies_of_wild_sizes_are_refused",
    "spirv_kernels_of_a_binary_check_their_arguments",
    "a_platform_that_calls_itself_opencl_takes_spirv",
];

/// Tests of one device beside another.
const ON_TWO_DEVICES: [&str; 5] = [
    "two_devices_peer_copies_take_the_link",
    "two_devices_share_a_buffer",
    "two_devices_order_by_events",
    "two_devices_peer_access_is_switched",
    "context_of_the_caller_is_put_back",
];

/// Runs the tests that the arguments ask for.
pub fn run(mut arguments: Arguments) -> ExitCode {
    if let Some(code) = missing::child() {
        return code;
    }
    let cases = [
        basics::CASES,
        commands::CASES,
        buffers::CASES,
        maps::CASES,
        usm::CASES,
        devices::CASES,
        kernels::CASES,
        programs::CASES,
        spirv::CASES,
        command_buffers::CASES,
        images::CASES,
        wild_sizes::CASES,
        runtime::CASES,
        calls::CASES,
        sweep::CASES,
        unified_runtime::CASES,
        launch_properties::CASES,
        exported_memory::CASES,
        physical_memory::CASES,
        shared_events::CASES,
        missing::CASES,
        life::CASES,
    ]
    .concat();
    let (software, several) = (is_software(), devices().len() > 1);
    // One at a time: faults are the whole driver's, and some tests break a context on purpose.
    arguments.test_threads = Some(1);
    let registry: Registry = cases.into_iter().collect();
    registry.run(&arguments, |name| match name {
        _ if !software && ON_THE_SOFTWARE_DRIVER.contains(&name) => {
            Expected::Skip("it needs the software driver".to_owned())
        }
        _ if !several && ON_TWO_DEVICES.contains(&name) => Expected::Skip("it needs two devices".to_owned()),
        _ => Expected::Pass,
    })
}
