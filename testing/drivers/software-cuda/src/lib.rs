//! A software libcuda.so.1: the driver's calls with threads and host memory, for tests on machines without a GPU.
//!
//! Streams are threads, so that work is really asynchronous. A module's image is a shared object of this machine.
//! Kernels and variables are its symbols (see testing/kernels/cuda/kernels.c for the ABI), and kernels are really
//! executed over grid and block. Text from the fake libnvvm (`testing/drivers/software-nvvm`) is an image too:
//! `src/gpu` contains the functions that its code calls.
//!
//! - `PI_SOFTWARE_CUDA_DEVICES`: the number of devices (default 2).
//! - `PI_SOFTWARE_CUDA_FAIL`: `name:n:code`, several separated by `;`: the n-th call of that function returns `code`.
//!   With a `!` appended, every later call does too, as after a kernel that failed.
//! - `PI_SOFTWARE_CUDA_ATTRIBUTES`: `number=value`, several separated by `;`: attributes of the devices that differ.
//! - `PI_SOFTWARE_CUDA_VERSION`: the driver's version (default 12040).
//! - `softwareCudaLive()`: the number of objects that were created and not released. `softwareCudaCalls(name)`: the
//!   number of calls so far. `softwareCudaNoted(name)`: what the last call was asked for (see the calls of `note`).
#![expect(unsafe_code, reason = "a driver is C functions")]
#![allow(
    non_snake_case,
    missing_docs,
    unreachable_pub,
    clippy::missing_safety_doc,
    clippy::not_unsafe_ptr_arg_deref,
    clippy::too_many_arguments,
    reason = "the C functions of a driver's library, documented by their vendor"
)]

mod array;
mod attributes;
mod context;
mod current;
mod event;
mod event_ipc;
mod event_page;
mod external;
mod faults;
mod gpu;
mod graph;
mod image;
mod ipc;
mod late;
mod memory;
mod module;
mod names;
mod stream;
mod virtual_memory;

pub(crate) type Code = u32;

pub(crate) const SUCCESS: Code = 0;
pub(crate) const INVALID_VALUE: Code = 1;
pub(crate) const OUT_OF_MEMORY: Code = 2;
pub(crate) const INVALID_DEVICE: Code = 101;
pub(crate) const INVALID_IMAGE: Code = 200;
pub(crate) const INVALID_CONTEXT: Code = 201;
pub(crate) const INVALID_PTX: Code = 218;
pub(crate) const INVALID_HANDLE: Code = 400;
pub(crate) const NOT_FOUND: Code = 500;
pub(crate) const NOT_READY: Code = 600;

/// Declares functions of the library. Each counts its calls, and first returns an injected or a sticky error.
macro_rules! entries {
    ($($name:ident($($arg:ident: $ty:ty),* $(,)?) $body:expr;)*) => { $(
        #[unsafe(no_mangle)]
        #[allow(clippy::macro_metavars_in_unsafe)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) -> $crate::Code {
            if let Some(code) = $crate::faults::before(stringify!($name)) {
                return code;
            }
            let run = move || -> Result<(), $crate::Code> {
                #[allow(unused_unsafe)]
                // SAFETY: the caller of a driver's function guarantees that its pointers are valid.
                unsafe { $body }
            };
            match run() {
                Ok(()) => $crate::SUCCESS,
                Err(code) => code,
            }
        }
    )* };
}
pub(crate) use entries;

/// Locks a mutex, even if another thread panicked.
pub(crate) fn lock<T: ?Sized>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Writes to the caller's pointer, which must not be null.
///
/// # Safety
///
/// `out` is null or writable.
pub(crate) unsafe fn put<T>(out: *mut T, value: T) -> Result<(), Code> {
    if out.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: not null, and therefore writable.
    unsafe { out.write(value) };
    Ok(())
}
