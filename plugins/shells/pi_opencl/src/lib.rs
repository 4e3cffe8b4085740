//! `libpi_opencl.so`: the Plugin Interface on top of the OpenCL backend.

sycl_pi_front::export_plugin!(sycl_pi_opencl::OpenCl, "libpi_opencl");
sycl_pi_opencl::export_locks!();
