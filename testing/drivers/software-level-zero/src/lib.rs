//! `libsoftware_level_zero.so`: a Level Zero driver for tests on machines without a GPU. It is never shipped.
//!
//! The stock loader loads it with `ZE_ENABLE_ALT_DRIVERS=<path>`. Device memory is host memory. Any OpenCL CPU runtime
//! that supports SPIR-V builds modules and executes kernels. Every queue and immediate command list has a separate
//! thread, so that events, fences and barriers are as asynchronous as on a GPU.
//!
//! It is stricter than a vendor's driver: violations of the specification are recorded (`report`), and failures can be
//! injected (`faults`). `config` lists the environment variables, `control` the functions for tests.
#![expect(unsafe_code, reason = "a driver is C functions")]
#![allow(non_snake_case)]

mod allocations;
mod caller;
mod cl;
mod clock;
mod command;
mod complaints;
mod config;
mod control;
mod ddi;
mod entry;
mod faults;
mod line;
mod loader;
mod object;
mod poll;
mod report;
mod requests;
mod shared_pages;
mod spirv;
mod worker;
