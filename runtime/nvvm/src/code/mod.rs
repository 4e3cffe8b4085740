//! The code of functions, a file for each kind of instruction.

pub(crate) mod arithmetic;
pub(crate) mod async_copy;
pub(crate) mod atomics;
pub(crate) mod ballots;
pub(crate) mod bfloat16;
pub(crate) mod body;
pub(crate) mod builtin;
pub(crate) mod builtin_pointer;
pub(crate) mod call;
pub(crate) mod clock;
pub(crate) mod clusters;
pub(crate) mod compare;
pub(crate) mod composite;
pub(crate) mod control;
pub(crate) mod convert;
pub(crate) mod dispatch;
pub(crate) mod edges;
pub(crate) mod foreign;
pub(crate) mod groups;
pub(crate) mod image;
pub(crate) mod lanes;
pub(crate) mod matrix;
pub(crate) mod memory;
pub(crate) mod opencl;
pub(crate) mod pointer;
pub(crate) mod subgroups;
