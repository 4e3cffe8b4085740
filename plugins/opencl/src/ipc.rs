//! Memory sharing between processes. OpenCL does not have it, so every method keeps its default, "not supported by the
//! OpenCL backend".

use sycl_pi_backend::api::IpcApi;

use crate::OpenCl;

impl IpcApi for OpenCl {}
