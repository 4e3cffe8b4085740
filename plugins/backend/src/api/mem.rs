//! Buffers, sub-buffers and images.

use core::ffi::c_void;

use crate::types::*;
use crate::{Error, Info, New, Properties, Result, cold_error};

/// A host address given at the creation of a buffer or image, or null.
pub type HostPtr = *mut c_void;

api! {
    /// Memory objects.
    trait MemApi {
        /// Creates a buffer of `size` bytes, which is not 0. The flags are valid, and `host_ptr` is non-null if they
        /// require it.
        #[doc(alias = "piMemBufferCreate")]
        #[doc(alias = "urMemBufferCreate")]
        fn mem_buffer_create(context: &Self::Context, flags: MemFlags, size: usize, host_ptr: HostPtr,
            properties: Properties<'_, u64>) -> New<Self::Mem>;
        /// Creates an image. Flags and `host_ptr` are as for a buffer.
        #[doc(alias = "piMemImageCreate")]
        #[doc(alias = "urMemImageCreate")]
        fn mem_image_create(context: &Self::Context, flags: MemFlags, format: &ImageFormat,
            desc: &ImageDesc, host_ptr: HostPtr) -> New<Self::Mem>;
        /// Answers queries for size and context.
        #[doc(alias = "piMemGetInfo")]
        #[doc(alias = "urMemGetInfo")]
        fn mem_info(mem: &Self::Mem, name: MemInfo, info: Info<'_>);
        /// Answers queries for format, element size, pitches and extents.
        #[doc(alias = "piMemImageGetInfo")]
        #[doc(alias = "urMemImageGetInfo")]
        fn mem_image_info(image: &Self::Mem, name: ImageInfo, info: Info<'_>);
        /// Creates a sub-buffer, which keeps its parent alive.
        #[doc(alias = "piMemBufferPartition")]
        #[doc(alias = "urMemBufferPartition")]
        fn mem_buffer_partition(buffer: &Self::Mem, flags: MemFlags, region: BufferRegion) -> New<Self::Mem>;
        /// Returns the native handle on the given device, which is `None` before PI 15.43.
        #[doc(alias = "piextMemGetNativeHandle")]
        #[doc(alias = "urMemGetNativeHandle")]
        fn mem_native_handle(mem: &Self::Mem, device: Option<&Self::Device>) -> NativeHandle;
        /// Creates a buffer from a native handle. If `owned`, the plugin takes over the caller's reference.
        #[doc(alias = "piextMemCreateWithNativeHandle")]
        #[doc(alias = "urMemBufferCreateWithNativeHandle")]
        fn mem_create_with_native_handle(native: NativeHandle, context: &Self::Context, owned: bool)
            -> New<Self::Mem>;
        /// Creates an image from a native handle.
        #[doc(alias = "piextMemImageCreateWithNativeHandle")]
        #[doc(alias = "urMemImageCreateWithNativeHandle")]
        fn mem_image_create_with_native_handle(native: NativeHandle, context: &Self::Context, owned: bool,
            format: Option<&ImageFormat>, desc: Option<&ImageDesc>) -> New<Self::Mem>;
    }
}

/// Refuses unknown flags, and a host pointer that does not match the flags.
///
/// # Errors
///
/// `INVALID_VALUE` or `INVALID_HOST_PTR`.
#[inline(always)]
pub fn check_host_ptr(flags: MemFlags, host_ptr: HostPtr) -> Result<()> {
    let uses_host_ptr = flags.intersects(MemFlags::HOST_PTR_USE | MemFlags::HOST_PTR_COPY);
    if MemFlags::all().contains(flags) && uses_host_ptr != host_ptr.is_null() {
        return Ok(());
    }
    Err(cold_error(move || {
        let unknown = flags - MemFlags::all();
        if !unknown.is_empty() {
            return Error::invalid_value(format!("unknown memory flags {unknown:#x}"));
        }
        let text = if uses_host_ptr {
            "the flags use or copy memory of the host, but there is none"
        } else {
            "memory of the host is given, but the flags neither use nor copy it"
        };
        Error::new(ErrorCode::INVALID_HOST_PTR, text)
    }))
}

/// Refuses an empty buffer.
///
/// # Errors
///
/// `INVALID_BUFFER_SIZE`.
#[inline(always)]
pub fn check_size(size: usize) -> Result<()> {
    if size == 0 {
        return Err(cold_error(|| Error::new(ErrorCode::INVALID_BUFFER_SIZE, "size is 0")));
    }
    Ok(())
}
