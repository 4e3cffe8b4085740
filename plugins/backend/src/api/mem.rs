//! Buffers, sub-buffers, images.

use core::ffi::c_void;

use sycl_pi_core::*;

use crate::view::Properties;
use crate::{Error, Info, New, Result, cold_error};

/// A host address given at the creation of a buffer or image; null where none is.
pub type HostPtr = *mut c_void;

api! {
    /// Memory objects.
    trait MemApi {
        /// A buffer of `size` bytes, not 0. The flags are known, and `host_ptr` is there if they ask for it.
        fn piMemBufferCreate(context: &Self::Context, flags: pi_mem_flags, size: usize, host_ptr: HostPtr,
            properties: Properties<'_, pi_mem_properties>) -> New<Self::Mem>;
        /// An image; flags and `host_ptr` as for a buffer.
        fn piMemImageCreate(context: &Self::Context, flags: pi_mem_flags, format: &pi_image_format,
            desc: &pi_image_desc, host_ptr: HostPtr) -> New<Self::Mem>;
        /// Size and context.
        fn piMemGetInfo(mem: &Self::Mem, name: pi_mem_info, info: Info<'_>);
        /// Format, element size, pitches, extents.
        fn piMemImageGetInfo(image: &Self::Mem, name: pi_image_info, info: Info<'_>);
        /// One reference more.
        fn piMemRetain(mem: &Self::Mem);
        /// One reference less; memory goes when no command needs it any more.
        fn piMemRelease(mem: &Self::Mem);
        /// A part of a buffer, which keeps its parent alive.
        fn piMemBufferPartition(buffer: &Self::Mem, flags: pi_mem_flags, create_type: pi_buffer_create_type,
            region: &pi_buffer_region_struct) -> New<Self::Mem>;
        /// The driver's own handle on that device (none named before PI 15.43).
        fn piextMemGetNativeHandle(mem: &Self::Mem, device: Option<&Self::Device>) -> pi_native_handle;
        /// The buffer of a driver's handle. `owned`: the plugin takes over the caller's reference.
        fn piextMemCreateWithNativeHandle(native: pi_native_handle, context: &Self::Context, owned: bool)
            -> New<Self::Mem>;
        /// The image of a driver's handle.
        fn piextMemImageCreateWithNativeHandle(native: pi_native_handle, context: &Self::Context, owned: bool,
            format: Option<&pi_image_format>, desc: Option<&pi_image_desc>) -> New<Self::Mem>;
    }
}

const ALL_FLAGS: pi_mem_flags = PI_MEM_FLAGS_ACCESS_RW
    | PI_MEM_ACCESS_READ_ONLY
    | PI_MEM_FLAGS_HOST_PTR_USE
    | PI_MEM_FLAGS_HOST_PTR_COPY
    | PI_MEM_FLAGS_HOST_PTR_ALLOC;

/// Refuses unknown flags, and a host pointer that does not fit the flags.
#[inline(always)]
fn check_host_ptr(flags: pi_mem_flags, host_ptr: HostPtr) -> Result<()> {
    let wants = flags & (PI_MEM_FLAGS_HOST_PTR_USE | PI_MEM_FLAGS_HOST_PTR_COPY) != 0;
    if flags & !ALL_FLAGS == 0 && wants != host_ptr.is_null() {
        return Ok(());
    }
    Err(cold_error(move || match flags & !ALL_FLAGS {
        0 if wants => Error::new(PI_ERROR_INVALID_HOST_PTR, "host_ptr is null, but the flags use or copy it"),
        0 => {
            Error::new(PI_ERROR_INVALID_HOST_PTR, "host_ptr is given, but the flags neither use nor copy it")
        }
        unknown => Error::invalid_value(format!("unknown memory flags {unknown:#x}")),
    }))
}

/// Refuses a buffer of nothing.
#[inline(always)]
fn check_size(size: usize) -> Result<()> {
    if size == 0 {
        return Err(cold_error(|| Error::new(PI_ERROR_INVALID_BUFFER_SIZE, "size is 0")));
    }
    Ok(())
}

stubs! {
    piMemBufferCreate(context: pi_context, flags: pi_mem_flags, size: usize, host_ptr: *mut c_void,
        ret_mem: *mut pi_mem, properties: *const pi_mem_properties) {
        let context = object(context, "context")?;
        let list = properties_list(properties)?;
        create(ret_mem, "ret_mem", || {
            check_host_ptr(flags, host_ptr)?;
            check_size(size)?;
            B::piMemBufferCreate(context, flags, size, host_ptr, list)
        })
    };

    piMemImageCreate(context: pi_context, flags: pi_mem_flags, image_format: *const pi_image_format,
        image_desc: *const pi_image_desc, host_ptr: *mut c_void, ret_mem: *mut pi_mem) {
        let context = object(context, "context")?;
        let (format, desc) = (value(image_format, "image_format")?, value(image_desc, "image_desc")?);
        create(ret_mem, "ret_mem", || {
            check_host_ptr(flags, host_ptr)?;
            B::piMemImageCreate(context, flags, format, desc, host_ptr)
        })
    };

    piMemGetInfo(mem: pi_mem, param_name: pi_mem_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) => jump, {
        let mem = object(mem, "mem")?;
        answer!(param_value_size, param_value, param_value_size_ret, |info| B::piMemGetInfo(mem, param_name, info))
    };

    piMemImageGetInfo(image: pi_mem, param_name: pi_image_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) => jump, {
        let image = object(image, "image")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piMemImageGetInfo(image, param_name, info))
    };

    piMemRetain(mem: pi_mem) => jump, B::piMemRetain(object(mem, "mem")?);

    piMemRelease(mem: pi_mem) => jump, B::piMemRelease(object(mem, "mem")?);

    piMemBufferPartition(buffer: pi_mem, flags: pi_mem_flags, buffer_create_type: pi_buffer_create_type,
        buffer_create_info: *mut c_void, ret_mem: *mut pi_mem) {
        let buffer = object(buffer, "buffer")?;
        if buffer_create_type != PI_BUFFER_CREATE_TYPE_REGION {
            return Err(Error::invalid_value(format!("unknown buffer_create_type {buffer_create_type:#x}")));
        }
        let region = value(buffer_create_info.cast_const().cast(), "buffer_create_info")?;
        create(ret_mem, "ret_mem", || B::piMemBufferPartition(buffer, flags, buffer_create_type, region))
    };

    piextMemGetNativeHandle(mem: pi_mem, dev: pi_device, native_handle: *mut pi_native_handle) {
        let (mem, device) = (object(mem, "mem")?, object_or_null(dev, "dev")?);
        put(native_handle, "nativeHandle", || B::piextMemGetNativeHandle(mem, device))
    };

    piextMemGetNativeHandle_until_14_39(mem: pi_mem, native_handle: *mut pi_native_handle) {
        let mem = object(mem, "mem")?;
        put(native_handle, "nativeHandle", || B::piextMemGetNativeHandle(mem, None))
    };

    piextMemCreateWithNativeHandle(native_handle: pi_native_handle, context: pi_context,
        own_native_handle: pi_cxx_bool, mem: *mut pi_mem) {
        let context = object(context, "context")?;
        create(mem, "mem", || B::piextMemCreateWithNativeHandle(native_handle, context, own_native_handle != 0))
    };

    piextMemImageCreateWithNativeHandle(native_handle: pi_native_handle, context: pi_context,
        own_native_handle: pi_cxx_bool, image_format: *const pi_image_format, image_desc: *const pi_image_desc,
        img: *mut pi_mem) {
        let context = object(context, "context")?;
        let (format, desc) = (image_format.as_ref(), image_desc.as_ref());
        create(img, "img", || B::piextMemImageCreateWithNativeHandle(native_handle, context, own_native_handle != 0,
            format, desc))
    };
}
