//! OpenCL shares no memory between processes: every method keeps its default, "not supported by the OpenCL backend".

use sycl_pi_backend::api::IpcApi;

use crate::OpenCl;

impl IpcApi for OpenCl {}
