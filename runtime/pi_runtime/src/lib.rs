//! The C API of `include/pi/pi_runtime.h`, with `__sycl_register_lib` and `__sycl_unregister_lib` for objects compiled
//! by DPC++.
//!
//! No panic leaves the library. Every failure is a code with a message, which `pi_runtime_error` returns per thread.

mod device_global;
mod fail;
mod register;
mod session;

pub use device_global::*;
pub use fail::pi_runtime_error;
pub use register::*;
pub use session::*;
