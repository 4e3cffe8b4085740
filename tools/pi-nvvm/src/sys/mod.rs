//! Foreign code: the lifetime of the process, and libnvvm.
#![expect(unsafe_code, reason = "the functions of libnvvm, and of the system")]

mod calls;
mod close;
mod process;

pub(crate) use calls::{NvvmCalls, NvvmProgram};
pub(crate) use process::{detach, end_now, end_with, processor_time, take_streams, wait_for_input};
