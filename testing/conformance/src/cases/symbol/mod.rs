//! Objects of programs that are found by name: device globals, function pointers, host pipes.

mod device_global;
mod device_global_bad;
mod device_global_order;
mod function_pointer;
mod host_pipe;
mod variable_pointer;

use crate::case::Case;

pub(super) const CASES: &[&[Case]] = &[
    function_pointer::CASES,
    variable_pointer::CASES,
    device_global::CASES,
    device_global_bad::CASES,
    device_global_order::CASES,
    host_pipe::CASES,
];
