//! Streams.
#![expect(unsafe_code, reason = "C functions")]

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;

use crate::engine::Engine;
use crate::forward::functions;
use crate::object::{Head, Object, handle, ours, put};
use crate::status::{INVALID_ARGUMENTS, Result, UNIMPLEMENTED, check};

/// A stream, which is a queue of the drop-in.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Stream {
    head: Head,
    pub(crate) engine: Arc<Engine>,
    pub(crate) queue: *mut c_void,
}

// SAFETY: it begins with a head.
unsafe impl Object for Stream {}

impl Stream {
    fn boxed(engine: &Engine, queue: *mut c_void) -> *mut c_void {
        Box::into_raw(Box::new(Self { head: Head::new(), engine: engine.keep(), queue })).cast()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the drop-in's queue, which nothing else uses.
        unsafe { (self.engine.rim.drop_queue)(self.queue) };
    }
}

/// Creates a stream from the drop-in's queue.
///
/// # Safety
/// `engine` is an engine of ours, and `queue` is from the drop-in.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn pi_dnn_stream(engine: *mut c_void, queue: *mut c_void) -> *mut c_void {
    // SAFETY: guaranteed by the caller.
    unsafe { ours::<Engine>(engine) }.map_or(std::ptr::null_mut(), |engine| Stream::boxed(engine, queue))
}

const IN_ORDER: c_uint = 1;
const OUT_OF_ORDER: c_uint = 2;

/// Makes a stream with a queue of its own.
///
/// # Safety
/// `stream` is null or has room for a pointer.
unsafe fn create(engine: &Engine, flags: c_uint, stream: *mut *mut c_void) -> Result<()> {
    if stream.is_null() {
        return Err(INVALID_ARGUMENTS);
    }
    if flags & !(IN_ORDER | OUT_OF_ORDER) != 0 {
        return Err(UNIMPLEMENTED);
    }
    let (mut queue, in_order) = (std::ptr::null_mut(), c_int::from(flags & OUT_OF_ORDER == 0));
    // SAFETY: the engine's device and context, and room for a queue.
    check(unsafe { (engine.rim.make_queue)(engine.device, engine.context, in_order, &mut queue) })?;
    // SAFETY: guaranteed by the caller.
    unsafe { put(stream, Stream::boxed(engine, queue)) }
}

functions! {
    /// Makes a stream with a queue of its own.
    fn dnnl_stream_create(stream: *mut *mut c_void, engine: *mut c_void, flags: c_uint) of engine: Engine =
        // SAFETY: guaranteed by the caller.
        unsafe { create(engine, flags, stream) };
    /// Returns the engine of a stream.
    fn dnnl_stream_get_engine(stream: *const c_void, engine: *mut *mut c_void) of stream: Stream =
        // SAFETY: guaranteed by the caller.
        unsafe { put(engine, handle(&*stream.engine)) };
    /// Returns the `sycl::queue`.
    fn dnnl_sycl_interop_stream_get_queue(stream: *mut c_void, queue: *mut *mut c_void) of stream: Stream =
        // SAFETY: guaranteed by the caller.
        unsafe { put(queue, stream.queue) };
    /// Waits for all work of a stream.
    fn dnnl_stream_wait(stream: *mut c_void) of stream: Stream =
        // SAFETY: the stream's queue.
        check(unsafe { (stream.engine.rim.wait)(stream.queue) });
    /// Destroys a stream.
    fn dnnl_stream_destroy(stream: *mut c_void) of stream: Stream = {
        // SAFETY: the box comes from `Stream::boxed`, and the caller gives it up.
        drop(unsafe { Box::from_raw(handle(stream).cast::<Stream>()) });
        Ok(())
    };
    /// Times are not measured here.
    fn dnnl_query_profiling_data(stream: *mut c_void, kind: c_int, count: *mut c_int, data: *mut u64)
        of stream: Stream = { let _ = (stream, kind, count, data); Err(UNIMPLEMENTED) };
    /// Times are not measured here.
    fn dnnl_reset_profiling(stream: *mut c_void) of stream: Stream = { let _ = stream; Err(UNIMPLEMENTED) };
}
