//! Engines.
#![expect(unsafe_code, reason = "C functions")]

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use crate::forward::functions;
use crate::object::{Head, Object, put};
use crate::status::Status;

/// The drop-in's functions for SYCL's objects: `pi_dnn_rim` of `rim/pi_dnn.hpp`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rim {
    /// Releases a device and a context.
    pub(crate) drop_engine: unsafe extern "C" fn(*mut c_void, *mut c_void),
    /// Creates a queue for a stream.
    pub(crate) make_queue:
        unsafe extern "C" fn(*mut c_void, *mut c_void, in_order: c_int, *mut *mut c_void) -> Status,
    /// Waits for a queue.
    pub(crate) wait: unsafe extern "C" fn(*mut c_void) -> Status,
    /// Releases a queue.
    pub(crate) drop_queue: unsafe extern "C" fn(*mut c_void),
    /// Allocates device memory. Returns null if there is none.
    pub(crate) allocate: unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void,
    /// Frees it.
    pub(crate) free: unsafe extern "C" fn(*mut c_void, *mut c_void),
}

/// An engine on an NVIDIA GPU. Its streams, memories and primitives keep it alive.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Engine {
    head: Head,
    pub(crate) rim: Rim,
    pub(crate) device: *mut c_void,
    pub(crate) context: *mut c_void,
}

// SAFETY: it begins with a head.
unsafe impl Object for Engine {}
// SAFETY: the drop-in's objects may be used by any thread, like all of SYCL's.
unsafe impl Send for Engine {}
// SAFETY: as above.
unsafe impl Sync for Engine {}

impl Engine {
    /// Returns a further reference.
    pub(crate) fn keep(&self) -> Arc<Self> {
        let engine: *const Self = self;
        // SAFETY: all engines are of `pi_dnn_engine`, and the caller's is alive.
        unsafe {
            Arc::increment_strong_count(engine);
            Arc::from_raw(engine)
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the drop-in's objects, which nothing else uses.
        unsafe { (self.rim.drop_engine)(self.device, self.context) };
    }
}

/// Creates an engine from the drop-in's copies of a device and a context.
///
/// # Safety
/// `rim` is the drop-in's, and `device` and `context` are from it.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn pi_dnn_engine(
    rim: *const Rim,
    device: *mut c_void,
    context: *mut c_void,
) -> *mut c_void {
    // SAFETY: guaranteed by the caller.
    let rim = unsafe { *rim };
    Arc::into_raw(Arc::new(Engine { head: Head::new(), rim, device, context })).cast_mut().cast()
}

/// Gets the device and the context of an engine of ours. Returns whether it is one.
///
/// # Safety
/// `engine` is null or an engine of oneDNN, and the others have room for a pointer.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn pi_dnn_engine_parts(
    engine: *const c_void,
    device: *mut *mut c_void,
    context: *mut *mut c_void,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    let Some(engine) = (unsafe { crate::object::ours::<Engine>(engine) }) else { return 0 };
    // SAFETY: as above.
    unsafe {
        device.write(engine.device);
        context.write(engine.context);
    }
    1
}

/// `dnnl_gpu`.
const GPU: c_int = 2;

functions! {
    /// Returns the kind of an engine.
    fn dnnl_engine_get_kind(engine: *mut c_void, kind: *mut c_int) of engine: Engine = {
        let _ = engine;
        // SAFETY: guaranteed by the caller.
        unsafe { put(kind, GPU) }
    };
    /// Releases an engine.
    fn dnnl_engine_destroy(engine: *mut c_void) of engine: Engine = {
        // SAFETY: the caller gives up its reference.
        drop(unsafe { Arc::from_raw(std::ptr::from_ref(engine)) });
        Ok(())
    };
    /// Returns the `sycl::device`.
    fn dnnl_sycl_interop_engine_get_device(engine: *mut c_void, device: *mut *mut c_void) of engine: Engine =
        // SAFETY: guaranteed by the caller.
        unsafe { put(device, engine.device) };
    /// Returns the `sycl::context`.
    fn dnnl_sycl_interop_engine_get_context(engine: *mut c_void, context: *mut *mut c_void) of engine: Engine =
        // SAFETY: guaranteed by the caller.
        unsafe { put(context, engine.context) };
}
