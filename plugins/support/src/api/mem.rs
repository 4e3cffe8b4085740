//! Buffers, sub-buffers, images.

use core::ffi::c_void;

use pi_core::*;

use crate::view::Properties;
use crate::{Info, New};

/// A host address given at the creation of a buffer or image; null where none is.
pub type HostPtr = *mut c_void;

api! {
    /// Memory objects.
    trait MemApi {
        /// A buffer of `size` bytes.
        fn piMemBufferCreate(context: &Self::Context, flags: pi_mem_flags, size: usize, host_ptr: HostPtr,
            properties: Properties<'_, pi_mem_properties>) -> New<Self::Mem>;
        /// An image.
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

stubs! {
    piMemBufferCreate(context: pi_context, flags: pi_mem_flags, size: usize, host_ptr: *mut c_void,
        ret_mem: *mut pi_mem, properties: *const pi_mem_properties) {
        let context = object(context, "context")?;
        let list = properties_list(properties)?;
        create(ret_mem, "ret_mem", || B::piMemBufferCreate(context, flags, size, host_ptr, list))
    };

    piMemImageCreate(context: pi_context, flags: pi_mem_flags, image_format: *const pi_image_format,
        image_desc: *const pi_image_desc, host_ptr: *mut c_void, ret_mem: *mut pi_mem) {
        let context = object(context, "context")?;
        let (format, desc) = (value(image_format, "image_format")?, value(image_desc, "image_desc")?);
        create(ret_mem, "ret_mem", || B::piMemImageCreate(context, flags, format, desc, host_ptr))
    };

    piMemGetInfo(mem: pi_mem, param_name: pi_mem_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let mem = object(mem, "mem")?;
        answer!(param_value_size, param_value, param_value_size_ret, |info| B::piMemGetInfo(mem, param_name, info))
    };

    piMemImageGetInfo(image: pi_mem, param_name: pi_image_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let image = object(image, "image")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piMemImageGetInfo(image, param_name, info))
    };

    piMemRetain(mem: pi_mem) B::piMemRetain(object(mem, "mem")?);

    piMemRelease(mem: pi_mem) B::piMemRelease(object(mem, "mem")?);

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
