//! Export of device memory. OpenCL does not have it, so every method keeps its default, "not supported by the OpenCL
//! backend".

use sycl_pi_backend::api::MemoryExportApi;

use crate::OpenCl;

impl MemoryExportApi for OpenCl {}
