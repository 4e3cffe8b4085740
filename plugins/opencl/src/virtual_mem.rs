//! Virtual memory. OpenCL does not have it, so every method keeps its default, "not supported by the OpenCL backend".

use sycl_pi_backend::api::VirtualMemApi;

use crate::OpenCl;

impl VirtualMemApi for OpenCl {}
