//! Values that C callers read byte by byte.
#![expect(unsafe_code, reason = "values as bytes")]

/// Types whose bytes can be passed to a C caller unchanged, because they have no padding and no invariants for the
/// reader.
///
/// # Safety
///
/// The type must have no padding bytes and no pointers into Rust-owned memory.
pub unsafe trait Plain: Copy {}
macro_rules! plain {
    ($($ty:ty)*) => { $(
        // SAFETY: a primitive number has no padding.
        unsafe impl Plain for $ty {}
    )* };
}
plain!(u8 i8 u16 i16 u32 i32 u64 i64 usize isize f32 f64);
// SAFETY: an array of values without padding has no padding.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}
// SAFETY: handles are addresses of driver objects, or of counted objects that the caller releases.
unsafe impl<T> Plain for *mut T {}
