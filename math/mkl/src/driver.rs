//! The required functions of NVIDIA's driver.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_int, c_uint, c_void};
use std::sync::OnceLock;

use sycl_pi_dynload::{DriverLibrary, FromDriver, driver_functions};

use crate::failure::Result;

/// One end of a copy of a box.
#[repr(C)]
struct BoxEnd {
    x: usize,
    y: usize,
    z: usize,
    level: usize,
    kind: c_uint,
    host: *const c_void,
    device: u64,
    array: *const c_void,
    reserved: *const c_void,
    pitch: usize,
    height: usize,
}

/// A box of bytes to copy: `CUDA_MEMCPY3D`.
#[repr(C)]
pub(crate) struct BoxCopy {
    from: BoxEnd,
    to: BoxEnd,
    width: usize,
    height: usize,
    depth: usize,
}

/// A function that the driver calls in stream order.
pub(crate) type HostFunction = unsafe extern "C" fn(*mut c_void);

driver_functions! {
    /// The driver's functions.
    pub(crate) struct Driver {
        fn cuDriverGetVersion(version: *mut c_int) -> c_int;
        fn cuCtxGetCurrent(context: *mut *mut c_void) -> c_int;
        fn cuMemAlloc_v2(memory: *mut u64, size: usize) -> c_int;
        fn cuMemFree_v2(memory: u64) -> c_int;
        fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, size: usize, stream: *mut c_void) -> c_int;
        fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, size: usize, stream: *mut c_void) -> c_int;
        fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, size: usize, stream: *mut c_void) -> c_int;
        fn cuMemcpy3DAsync_v2(copy: *const BoxCopy, stream: *mut c_void) -> c_int;
        fn cuMemsetD8Async(memory: u64, value: u8, size: usize, stream: *mut c_void) -> c_int;
        fn cuLaunchHostFunc(stream: *mut c_void, function: HostFunction, data: *mut c_void) -> c_int;
        fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> c_int;
    }
}

impl FromDriver<Driver> for c_int {
    type Answer = Result<()>;

    fn answer(function: &'static str, code: c_int) -> Result<()> {
        let why = match code {
            0 => return Ok(()),
            1 => "an invalid value",
            2 => "no memory on the device",
            201 => "the context is not valid",
            700 => "a kernel used a wrong address",
            719 => "a kernel failed",
            _ => "see CUresult",
        };
        Err(format!("{function} answered CUDA error {code}: {why}"))
    }

    fn missing(function: &'static str) -> Result<()> {
        Err(format!("NVIDIA's driver has no {function}: update it"))
    }
}

/// A stream and its context.
#[derive(Clone, Copy)]
pub(crate) struct Stream {
    pub(crate) raw: *mut c_void,
    /// The address of its context, which is current.
    pub(crate) context: usize,
}

impl Stream {
    pub(crate) fn address(&self) -> usize {
        self.raw.addr()
    }
}

/// Returns the driver, which our adapter has already opened.
pub(crate) fn driver() -> Result<&'static Driver> {
    static DRIVER: OnceLock<std::result::Result<Driver, String>> = OnceLock::new();
    let opened = DRIVER.get_or_init(|| {
        let library =
            // SAFETY: NVIDIA's driver may be opened at any time.
            unsafe { DriverLibrary::open_first(["libcuda.so.1"]) }.map_err(|error| error.to_string())?;
        // SAFETY: the driver's functions have the types of the rows.
        Ok(unsafe { Driver::resolve(|name| library.function(name)) })
    });
    opened.as_ref().map_err(Clone::clone)
}

/// Returns the address of the current context.
pub(crate) fn current_context() -> Result<usize> {
    let mut context = std::ptr::null_mut();
    driver()?.cuCtxGetCurrent(&mut context)?;
    if context.is_null() { Err("no CUDA context is current".into()) } else { Ok(context.addr()) }
}

/// Copies `height` rows of `width` bytes on the device; consecutive rows are `from_pitch` and `to_pitch` bytes apart.
pub(crate) fn copy_pieces(
    stream: Stream,
    (to, to_pitch): (u64, usize),
    (from, from_pitch): (u64, usize),
    width: usize,
    height: usize,
) -> Result<()> {
    let slice = |pitch: usize| pitch.max(width) * height;
    let (to, from) = ((to, to_pitch, slice(to_pitch)), (from, from_pitch, slice(from_pitch)));
    copy_slices(stream, to, from, (width, height, 1))
}

/// Works like [`copy_pieces`] for a batch. Each side is an address, the distance between rows, and the distance between
/// items of the batch, both in bytes.
pub(crate) fn copy_slices(
    stream: Stream,
    to: (u64, usize, usize),
    from: (u64, usize, usize),
    (width, height, depth): (usize, usize, usize),
) -> Result<()> {
    const DEVICE: c_uint = 2;
    if width == 0 || height == 0 || depth == 0 {
        return Ok(());
    }
    let is_whole =
        |(_, pitch, slice): (u64, usize, usize)| slice % pitch.max(width) == 0 && slice >= pitch * height;
    if depth > 1 && !(is_whole(to) && is_whole(from)) {
        let one = |(start, pitch, slice): (u64, usize, usize), index: usize| {
            (start + (index * slice) as u64, pitch)
        };
        return (0..depth)
            .try_for_each(|index| copy_pieces(stream, one(to, index), one(from, index), width, height));
    }
    let end = |(device, pitch, slice): (u64, usize, usize)| {
        let (null, pitch) = (std::ptr::null(), pitch.max(width));
        BoxEnd {
            x: 0,
            y: 0,
            z: 0,
            level: 0,
            kind: DEVICE,
            host: null,
            device,
            array: null,
            reserved: null,
            pitch,
            height: slice / pitch,
        }
    };
    let copy = BoxCopy { from: end(from), to: end(to), width, height, depth };
    driver()?.cuMemcpy3DAsync_v2(&copy, stream.raw)
}

/// Writes bytes to the device. The host's bytes are kept until the stream has read them.
pub(crate) fn upload(stream: Stream, bytes: Vec<u8>, to: u64) -> Result<()> {
    let bytes = Box::new(bytes);
    driver()?.cuMemcpyHtoDAsync_v2(to, bytes.as_ptr().cast(), bytes.len(), stream.raw)?;
    driver()?.cuLaunchHostFunc(stream.raw, forget_bytes, Box::into_raw(bytes).cast())
}

/// # Safety
/// `bytes` is the box of [`upload`], whose bytes the stream has read. Nothing uses it after this call.
unsafe extern "C" fn forget_bytes(bytes: *mut c_void) {
    // SAFETY: the box of `upload`.
    drop(unsafe { Box::from_raw(bytes.cast::<Vec<u8>>()) });
}
