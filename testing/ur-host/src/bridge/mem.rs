//! Buffers and images.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::answer::{Convert, NEITHER, answer, narrow};
use super::image::{description, format, format_answer};
use super::result::refuse;
use super::stubs::stubs;

fn info(name: pi_mem_info) -> u32 {
    match name {
        PI_MEM_SIZE => UR_MEM_INFO_SIZE,
        PI_MEM_CONTEXT => UR_MEM_INFO_CONTEXT,
        _ => NEITHER,
    }
}

fn image_info(name: pi_image_info) -> (u32, Option<Convert>) {
    match name {
        PI_IMAGE_INFO_FORMAT => (UR_IMAGE_INFO_FORMAT, Some(format_answer)),
        PI_IMAGE_INFO_ELEMENT_SIZE => (UR_IMAGE_INFO_ELEMENT_SIZE, None),
        PI_IMAGE_INFO_ROW_PITCH => (UR_IMAGE_INFO_ROW_PITCH, None),
        PI_IMAGE_INFO_SLICE_PITCH => (UR_IMAGE_INFO_SLICE_PITCH, None),
        PI_IMAGE_INFO_WIDTH => (UR_IMAGE_INFO_WIDTH, None),
        PI_IMAGE_INFO_HEIGHT => (UR_IMAGE_INFO_HEIGHT, None),
        PI_IMAGE_INFO_DEPTH => (UR_IMAGE_INFO_DEPTH, None),
        _ => (NEITHER, None),
    }
}

fn owned(owns: pi_cxx_bool) -> ur_mem_native_properties_t {
    ur_mem_native_properties_t {
        stype: UR_STRUCTURE_TYPE_MEM_NATIVE_PROPERTIES,
        pNext: null_mut(),
        isNativeHandleOwned: owns,
    }
}

stubs! { ur;
    fn piMemBufferCreate(context: pi_context, flags: pi_mem_flags, size: usize, host_ptr: *mut c_void, ret_mem: *mut pi_mem, properties: *const pi_mem_properties)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let mut channel = ur_buffer_channel_properties_t {
            stype: UR_STRUCTURE_TYPE_BUFFER_CHANNEL_PROPERTIES, pNext: null_mut(), channel: 0,
        };
        let mut location = ur_buffer_alloc_location_properties_t {
            stype: UR_STRUCTURE_TYPE_BUFFER_ALLOC_LOCATION_PROPERTIES, pNext: null_mut(), location: 0,
        };
        let (mut next, mut place): (*mut c_void, _) = (null_mut(), properties);
        while !place.is_null() && *place != 0 {
            match *place {
                PI_MEM_PROPERTIES_CHANNEL => {
                    channel.channel = *place.add(1) as u32;
                    channel.pNext = next;
                    next = (&raw mut channel).cast();
                }
                PI_MEM_PROPERTIES_ALLOC_BUFFER_LOCATION => {
                    location.location = *place.add(1) as u32;
                    location.pNext = next;
                    next = (&raw mut location).cast();
                }
                _ => return refuse(PI_ERROR_INVALID_VALUE),
            }
            place = place.add(2);
        }
        let host = ur_buffer_properties_t { stype: UR_STRUCTURE_TYPE_BUFFER_PROPERTIES, pNext: next, pHost: host_ptr };
        let properties = if host_ptr.is_null() && next.is_null() { null() } else { &raw const host };
        ur.calls.urMemBufferCreate(context.cast(), narrow(flags), size, properties, ret_mem.cast())
    }
    fn piMemImageCreate(context: pi_context, flags: pi_mem_flags, image_format: *const pi_image_format, image_desc: *const pi_image_desc, host_ptr: *mut c_void, ret_mem: *mut pi_mem)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let (form, shape) = (image_format.as_ref().map(format), image_desc.as_ref().map(description));
        let (form, shape) = (form.as_ref().map_or(null(), |form| form as *const _), shape.as_ref().map_or(null(), |shape| shape as *const _));
        ur.calls.urMemImageCreate(context.cast(), narrow(flags), form, shape, host_ptr, ret_mem.cast())
    }
    fn piMemGetInfo(mem: pi_mem, param_name: pi_mem_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [mem PI_ERROR_INVALID_MEM_OBJECT]
    {
        ur.calls.urMemGetInfo(mem.cast(), info(param_name), param_value_size, param_value, param_value_size_ret)
    }
    fn piMemImageGetInfo(image: pi_mem, param_name: pi_image_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [image PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (name, convert) = image_info(param_name);
        answer(param_value_size, param_value, param_value_size_ret, convert, |size, value, reported| {
            ur.calls.urMemImageGetInfo(image.cast(), name, size, value, reported)
        })
    }
    fn piMemRetain(mem: pi_mem) [mem PI_ERROR_INVALID_MEM_OBJECT] {
        ur.calls.urMemRetain(mem.cast())
    }
    fn piMemRelease(mem: pi_mem) [mem PI_ERROR_INVALID_MEM_OBJECT] {
        ur.calls.urMemRelease(mem.cast())
    }
    fn piMemBufferPartition(buffer: pi_mem, flags: pi_mem_flags, buffer_create_type: pi_buffer_create_type, buffer_create_info: *mut c_void, ret_mem: *mut pi_mem)
        [buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        let kind = if buffer_create_type == PI_BUFFER_CREATE_TYPE_REGION { UR_BUFFER_CREATE_TYPE_REGION } else { NEITHER };
        let region = buffer_create_info.cast::<pi_buffer_region_struct>().as_ref().map(|region| ur_buffer_region_t {
            stype: UR_STRUCTURE_TYPE_BUFFER_REGION,
            pNext: null(),
            origin: region.origin,
            size: region.size,
        });
        let region = region.as_ref().map_or(null(), |region| region as *const _);
        ur.calls.urMemBufferPartition(buffer.cast(), narrow(flags), kind, region, ret_mem.cast())
    }
    fn piextMemGetNativeHandle(mem: pi_mem, dev: pi_device, nativeHandle: *mut pi_native_handle)
        [mem PI_ERROR_INVALID_MEM_OBJECT]
    {
        ur.calls.urMemGetNativeHandle(mem.cast(), dev.cast(), nativeHandle)
    }
    fn piextMemCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, mem: *mut pi_mem)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        ur.calls.urMemBufferCreateWithNativeHandle(nativeHandle, context.cast(), &owned(ownNativeHandle), mem.cast())
    }
    fn piextMemImageCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, ownNativeHandle: pi_cxx_bool, ImageFormat: *const pi_image_format, ImageDesc: *const pi_image_desc, img: *mut pi_mem)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let (form, shape) = (ImageFormat.as_ref().map(format), ImageDesc.as_ref().map(description));
        let (form, shape) = (form.as_ref().map_or(null(), |form| form as *const _), shape.as_ref().map_or(null(), |shape| shape as *const _));
        ur.calls.urMemImageCreateWithNativeHandle(nativeHandle, context.cast(), form, shape, &owned(ownNativeHandle), img.cast())
    }
}
