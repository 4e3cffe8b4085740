//! Buffers, sub-buffers and images.

use sycl_pi_backend::api::{check_host_ptr, check_size};

use crate::convert::{image_desc as desc_of, image_format as format_of};

stubs! {
    piMemBufferCreate(context: pi_context, flags: pi_mem_flags, size: usize, host_ptr: *mut c_void,
        ret_mem: *mut pi_mem, properties: *const pi_mem_properties) {
        let context = object(context, "context")?;
        let list = Properties::read(properties)?;
        let flags = MemFlags::from_bits_retain(flags);
        create(ret_mem, "ret_mem", || {
            check_host_ptr(flags, host_ptr)?;
            check_size(size)?;
            B::mem_buffer_create(context, flags, size, host_ptr, list)
        })
    };

    piMemImageCreate(context: pi_context, flags: pi_mem_flags, image_format: *const pi_image_format,
        image_desc: *const pi_image_desc, host_ptr: *mut c_void, ret_mem: *mut pi_mem) {
        let context = object(context, "context")?;
        let (format, desc) = (format_of(value(image_format, "image_format")?), desc_of(value(image_desc, "image_desc")?));
        let flags = MemFlags::from_bits_retain(flags);
        create(ret_mem, "ret_mem", || {
            check_host_ptr(flags, host_ptr)?;
            B::mem_image_create(context, flags, &format, &desc, host_ptr)
        })
    };

    piMemGetInfo(mem: pi_mem, param_name: pi_mem_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize)  {
        let mem = object(mem, "mem")?;
        answer(param_value_size, param_value, param_value_size_ret, |info| B::mem_info(mem, MemInfo(param_name), info))
    };

    piMemImageGetInfo(image: pi_mem, param_name: pi_image_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize)  {
        let image = object(image, "image")?;
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::mem_image_info(image, ImageInfo(param_name), info))
    };

    piMemRetain(mem: pi_mem) object::<B::Mem>(mem, "mem")?.retain();

    piMemRelease(mem: pi_mem) object::<B::Mem>(mem, "mem")?.release();

    piMemBufferPartition(buffer: pi_mem, flags: pi_mem_flags, buffer_create_type: pi_buffer_create_type,
        buffer_create_info: *mut c_void, ret_mem: *mut pi_mem) {
        let buffer = object(buffer, "buffer")?;
        if buffer_create_type != PI_BUFFER_CREATE_TYPE_REGION {
            return Err(Error::invalid_value(format!("unknown buffer_create_type {buffer_create_type:#x}")));
        }
        let region: &pi_buffer_region_struct = value(buffer_create_info.cast_const().cast(), "buffer_create_info")?;
        let region = BufferRegion { origin: region.origin, size: region.size };
        let flags = MemFlags::from_bits_retain(flags);
        create(ret_mem, "ret_mem", || B::mem_buffer_partition(buffer, flags, region))
    };

    piextMemGetNativeHandle(mem: pi_mem, dev: pi_device, native_handle: *mut pi_native_handle) {
        let (mem, device) = (object(mem, "mem")?, object_or_null(dev, "dev")?);
        put(native_handle, "nativeHandle", || B::mem_native_handle(mem, device))
    };

    piextMemGetNativeHandle_until_14_39(mem: pi_mem, native_handle: *mut pi_native_handle) {
        let mem = object(mem, "mem")?;
        put(native_handle, "nativeHandle", || B::mem_native_handle(mem, None))
    };

    piextMemCreateWithNativeHandle(native_handle: pi_native_handle, context: pi_context,
        own_native_handle: pi_cxx_bool, mem: *mut pi_mem) {
        let context = object(context, "context")?;
        create(mem, "mem", || B::mem_create_with_native_handle(native_handle, context, own_native_handle != 0))
    };

    piextMemImageCreateWithNativeHandle(native_handle: pi_native_handle, context: pi_context,
        own_native_handle: pi_cxx_bool, image_format: *const pi_image_format, image_desc: *const pi_image_desc,
        img: *mut pi_mem) {
        let context = object(context, "context")?;
        let (format, desc) = (image_format.as_ref().map(format_of), image_desc.as_ref().map(desc_of));
        create(img, "img", || B::mem_image_create_with_native_handle(native_handle, context, own_native_handle != 0,
            format.as_ref(), desc.as_ref()))
    };
}
