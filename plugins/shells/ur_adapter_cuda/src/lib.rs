//! `libur_adapter_cuda.so`: Unified Runtime before the CUDA backend.

sycl_ur_front::export_adapter!(sycl_pi_cuda::Cuda, "libur_adapter_cuda");
