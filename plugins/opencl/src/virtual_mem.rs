//! Virtual memory and memory of other processes: OpenCL has none, so every method keeps its default, "not supported by the OpenCL backend".

use sycl_pi_backend::api::{IpcApi, MemoryExportApi, VirtualMemApi};

use crate::OpenCl;

impl VirtualMemApi for OpenCl {}

impl IpcApi for OpenCl {}

impl MemoryExportApi for OpenCl {}
