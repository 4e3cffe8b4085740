//! `libur_adapter_cuda.so`: Unified Runtime on top of the CUDA backend.
#![expect(unsafe_code, reason = "a C function of its own")]

sycl_ur_front::export_adapter!(sycl_pi_cuda::Cuda, "libur_adapter_cuda");

/// Returns the `CUstream` of the native command being enqueued on this thread, or null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn pi_cuda_native_stream() -> *mut core::ffi::c_void {
    sycl_pi_cuda::native_stream::current()
}
