//! `libpi_cuda.so`: the Plugin Interface on top of the CUDA backend.

sycl_pi_front::export_plugin!(sycl_pi_cuda::Cuda, "libpi_cuda");
