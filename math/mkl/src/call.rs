//! The entry and exit of calls from C++.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null;
use std::sync::OnceLock;

use sycl_pi_dynload::{find_loaded, loaded_files};

use crate::driver::{self, Stream};
use crate::failure::Result;

/// A function that an adapter exports. It returns the stream of the native command that is being enqueued on this
/// thread, or null.
type StreamOf = unsafe extern "C" fn() -> *mut c_void;

thread_local! {
    static TEXT: RefCell<CString> = RefCell::default();
}

/// Runs a call. Returns null, or a text that is valid until the thread's next call.
///
/// Calls come from native commands, within a call of the adapter. A fork in another thread waits for that one.
pub(crate) fn answer(work: impl FnOnce() -> Result<()>) -> *const c_char {
    let fenced = catch_unwind(AssertUnwindSafe(work));
    let Err(text) = fenced.unwrap_or_else(|_| Err("libpi_math.so: internal error".into())) else {
        return null();
    };
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    TEXT.with(|kept| {
        *kept.borrow_mut() = text;
        kept.borrow().as_ptr()
    })
}

/// Returns the stream of the current native command, in the current CUDA context.
pub(crate) fn stream() -> Result<Stream> {
    let found = hooks().iter().find_map(|hook| {
        // SAFETY: the adapter's own function, which takes no arguments.
        let stream = unsafe { hook() };
        (!stream.is_null()).then_some(stream)
    });
    let raw = found.ok_or("oneMKL on NVIDIA: not called from a native command of our CUDA adapter")?;
    Ok(Stream { raw, context: driver::current_context()? })
}

/// Returns the functions of all our loaded adapters, of which one may be loaded under two names. They are loaded before
/// a queue exists.
fn hooks() -> &'static [StreamOf] {
    static FOUND: OnceLock<Vec<StreamOf>> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return found;
    }
    let mut hooks = Vec::new();
    for file in loaded_files() {
        let name = file.to_string_lossy();
        if !(name.contains("libur_adapter") || name.contains("libpi_")) {
            continue;
        }
        if let Some(address) = find_loaded(c"pi_cuda_native_stream", |path| path == file.as_c_str()) {
            // SAFETY: our adapters export it with this type.
            let hook = unsafe { std::mem::transmute::<*mut c_void, StreamOf>(address.as_ptr()) };
            hooks.push(hook);
        }
    }
    hooks.sort_by_key(|hook| *hook as usize);
    hooks.dedup_by_key(|hook| *hook as usize);
    if hooks.is_empty() { &[] } else { FOUND.get_or_init(|| hooks) }
}

/// Returns whether one of our adapters that reports its streams is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_is_here() -> c_int {
    c_int::from(catch_unwind(|| !hooks().is_empty()).unwrap_or(false))
}
