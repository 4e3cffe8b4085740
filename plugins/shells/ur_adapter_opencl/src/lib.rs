//! `libur_adapter_opencl.so`: Unified Runtime on top of the OpenCL backend.

sycl_ur_front::export_adapter!(sycl_pi_opencl::OpenCl, "libur_adapter_opencl");
sycl_pi_opencl::export_retains!();
sycl_pi_opencl::export_locks!();
