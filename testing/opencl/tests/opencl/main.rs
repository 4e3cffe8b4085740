//! Tests of the OpenCL plugin, one file per family; see the crate's library for what they stand on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking; some print what they found"
)]

mod bad_input;
mod command_buffer;
mod context;
mod device;
mod device_info;
mod enqueue;
mod event;
mod event_status;
mod image;
mod jumps;
mod kernel;
mod mem;
mod native;
mod platform;
mod plugin;
mod program;
mod queue;
mod select_binary;
mod spec_constants;
mod symbol;
mod threads;
mod usm;
mod versions;

use std::process::ExitCode;

use testing_opencl::{Registry, run};

fn main() -> ExitCode {
    let mut registry = Registry::default();
    for register in [
        platform::register,
        device::register,
        device_info::register,
        select_binary::register,
        context::register,
        queue::register,
        mem::register,
        image::register,
        program::register,
        spec_constants::register,
        kernel::register,
        enqueue::register,
        event::register,
        event_status::register,
        usm::register,
        command_buffer::register,
        symbol::register,
        threads::register,
        native::register,
        plugin::register,
        jumps::register,
        versions::register,
        bad_input::register,
    ] {
        register(&mut registry);
    }
    run(registry)
}
