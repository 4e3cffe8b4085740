//! The C API of `include/pi/pi_runtime.h`, and what objects compiled by DPC++ call: `__sycl_register_lib` and
//! `__sycl_unregister_lib`.
//!
//! Nothing panics through it, and every failure is a code with a text (`pi_runtime_error`), kept per thread.

mod binaries;
mod fail;
mod log;
mod register;
mod session;

pub use binaries::{BinaryProblem, read_binaries};
pub use fail::pi_runtime_error;
pub use register::{__sycl_register_lib, __sycl_unregister_lib, pi_runtime_add_device_global};
pub use session::{
    CArg, Session, pi_runtime_alloc, pi_runtime_cache_counts, pi_runtime_close, pi_runtime_copy_from_global,
    pi_runtime_copy_to_global, pi_runtime_free, pi_runtime_launch, pi_runtime_open, pi_runtime_prepare,
    pi_runtime_prepare_all, pi_runtime_register, pi_runtime_register_spirv, pi_runtime_set_constant,
};
