//! What needs foreign code: the process's own life, and libnvvm.

mod calls;
mod close;
mod process;

pub(crate) use calls::{NvvmCalls, NvvmProgram};
pub(crate) use process::{detach, end_after, end_never, end_with, take_streams, wait_for_input};
