//! Memory of every kind: its location, its mappings, and the freed blocks that are kept.

pub(crate) mod buffer;
pub(crate) mod buffer_use;
pub(crate) mod copies;
pub(crate) mod driver_handle;
pub(crate) mod freed_memory;
pub(crate) mod host_registration;
pub(crate) mod map;
pub(crate) mod mem_advice;
pub(crate) mod physical_mem_ipc;
pub(crate) mod pointer;
pub(crate) mod staging;
pub(crate) mod usm_memory;
