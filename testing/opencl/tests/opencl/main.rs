//! Tests of the OpenCL plugin, one file per family. The crate's library has the shared code.
#![expect(unsafe_code, reason = "the tests call a plugin")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking; some print what they found"
)]

mod bad_input;
mod coarse_memory;
mod command_buffer;
mod command_calls;
mod context;
mod context_calls;
mod device;
mod device_info;
mod enqueue;
mod event;
mod event_status;
mod event_wait;
mod faults_of_pocl;
mod image;
mod kernel;
mod kernel_calls;
mod mem;
mod memory_calls;
mod native;
mod platform;
mod plugin;
mod program;
mod program_calls;
mod queue;
mod queue_end;
mod refused_kernels;
mod select_binary;
mod spec_constants;
mod sub_groups;
mod svm_calls;
mod symbol;
mod threads;
mod usm;
mod usm_turns;
mod versions;

use std::process::ExitCode;
use std::sync::LazyLock;

use libtest_mimic::Arguments;
use testing_opencl::{Driver, Registry, expectations};

fn main() -> ExitCode {
    let mut registry = Registry::default();
    for register in [
        platform::register,
        device::register,
        device_info::register,
        select_binary::register,
        context::register,
        context_calls::register,
        queue::register,
        queue_end::register,
        mem::register,
        memory_calls::register,
        image::register,
        program::register,
        program_calls::register,
        spec_constants::register,
        kernel::register,
        kernel_calls::register,
        refused_kernels::register,
        sub_groups::register,
        enqueue::register,
        event::register,
        event_status::register,
        event_wait::register,
        usm::register,
        usm_turns::register,
        coarse_memory::register,
        svm_calls::register,
        faults_of_pocl::register,
        command_buffer::register,
        command_calls::register,
        symbol::register,
        threads::register,
        native::register,
        plugin::register,
        versions::register,
        bad_input::register,
    ] {
        register(&mut registry);
    }
    let unknown = expectations::unknown(&registry);
    assert!(unknown.is_empty(), "expectations about tests that do not exist: {unknown:?}");
    let arguments = Arguments::from_args();
    let driver = LazyLock::new(|| {
        let driver = Driver::of_environment();
        if !arguments.list {
            println!("driver: {driver:?}, plugin: {}", testing_opencl::plugin_file().display());
        }
        driver
    });
    registry.run(&arguments, |name| expectations::of(*driver, name))
}
