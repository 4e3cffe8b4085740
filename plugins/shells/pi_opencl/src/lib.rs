//! `libpi_opencl.so`: the Plugin Interface and Unified Runtime on top of the OpenCL backend.

sycl_pi_front::export_plugin!(sycl_pi_opencl::OpenCl, start_log);
sycl_ur_front::export_adapter!(sycl_pi_opencl::OpenCl, start_log);
sycl_pi_opencl::export_retains!();
sycl_pi_opencl::export_locks!();

fn start_log() {
    sycl_ur_front::logs::start("OPENCL");
}
