//! `libpi_cuda.so`: the Plugin Interface and Unified Runtime on top of the CUDA backend.
#![expect(unsafe_code, reason = "a C function of its own")]

sycl_pi_front::export_plugin!(sycl_pi_cuda::Cuda, start_log);
sycl_ur_front::export_adapter!(sycl_pi_cuda::Cuda, start_log);

fn start_log() {
    sycl_ur_front::logs::start("CUDA");
}

/// Returns the `CUstream` of the native command being enqueued on this thread, or null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn pi_cuda_native_stream() -> *mut core::ffi::c_void {
    sycl_pi_cuda::native_stream::current()
}
