//! Queues.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::Bridge;
use super::answer::{Convert, NEITHER, answer, bool_of, narrow, wide};
use super::result::refuse;
use super::stubs::stubs;

fn info(name: pi_queue_info) -> (u32, Option<Convert>) {
    match name {
        PI_QUEUE_INFO_CONTEXT => (UR_QUEUE_INFO_CONTEXT, None),
        PI_QUEUE_INFO_DEVICE => (UR_QUEUE_INFO_DEVICE, None),
        PI_QUEUE_INFO_DEVICE_DEFAULT => (UR_QUEUE_INFO_DEVICE_DEFAULT, None),
        PI_QUEUE_INFO_PROPERTIES => (UR_QUEUE_INFO_FLAGS, Some(wide)),
        PI_QUEUE_INFO_REFERENCE_COUNT => (UR_QUEUE_INFO_REFERENCE_COUNT, None),
        PI_QUEUE_INFO_SIZE => (UR_QUEUE_INFO_SIZE, None),
        PI_EXT_ONEAPI_QUEUE_INFO_EMPTY => (UR_QUEUE_INFO_EMPTY, Some(bool_of)),
        _ => (NEITHER, None),
    }
}

/// Returns the flags and the compute index in PI's list of properties, or `None` for a key that has no structure in UR.
///
/// # Safety
/// The list is null, or pairs of a key and a value followed by a zero.
unsafe fn properties(list: *const pi_queue_properties) -> Option<(u64, Option<u32>)> {
    let (mut flags, mut index) = (0, None);
    let mut place = list;
    // SAFETY: the caller's list ends with a zero; each key has a value.
    unsafe {
        while !place.is_null() && *place != 0 {
            match *place {
                PI_QUEUE_FLAGS => flags = *place.add(1),
                PI_QUEUE_COMPUTE_INDEX => index = Some(*place.add(1) as u32),
                _ => return None,
            }
            place = place.add(2);
        }
    }
    Some((flags, index))
}

/// Creates a queue in UR.
///
/// # Safety
/// Context and device are null or live handles of this adapter, and `queue` is null or valid for writing a handle.
unsafe fn create(
    ur: &Bridge,
    context: pi_context,
    device: pi_device,
    flags: u64,
    index: Option<u32>,
    queue: *mut pi_queue,
) -> ur_result_t {
    let mut chosen = ur_queue_index_properties_t {
        stype: UR_STRUCTURE_TYPE_QUEUE_INDEX_PROPERTIES,
        pNext: null_mut(),
        computeIndex: index.unwrap_or_default(),
    };
    let properties = ur_queue_properties_t {
        stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES,
        pNext: if index.is_some() { (&raw mut chosen).cast() } else { null_mut() },
        flags: narrow(flags),
    };
    // SAFETY: the caller's handles and place; the structures are complete.
    unsafe { ur.calls.urQueueCreate(context.cast(), device.cast(), &properties, queue.cast()) }
}

stubs! { ur;
    fn piQueueCreate(context: pi_context, device: pi_device, properties: pi_queue_properties, queue: *mut pi_queue)
        [context PI_ERROR_INVALID_CONTEXT, device PI_ERROR_INVALID_DEVICE]
    {
        create(ur, context, device, properties, None, queue)
    }
    fn piextQueueCreate(context: pi_context, device: pi_device, list: *mut pi_queue_properties, queue: *mut pi_queue)
        [context PI_ERROR_INVALID_CONTEXT, device PI_ERROR_INVALID_DEVICE]
    {
        match properties(list) {
            Some((flags, index)) => create(ur, context, device, flags, index, queue),
            None => return refuse(PI_ERROR_INVALID_VALUE),
        }
    }
    fn piQueueGetInfo(command_queue: pi_queue, param_name: pi_queue_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [command_queue PI_ERROR_INVALID_QUEUE]
    {
        let (name, convert) = info(param_name);
        answer(param_value_size, param_value, param_value_size_ret, convert, |size, value, reported| {
            ur.calls.urQueueGetInfo(command_queue.cast(), name, size, value, reported)
        })
    }
    fn piQueueFinish(command_queue: pi_queue) [command_queue PI_ERROR_INVALID_QUEUE] {
        ur.calls.urQueueFinish(command_queue.cast())
    }
    fn piQueueFlush(command_queue: pi_queue) [command_queue PI_ERROR_INVALID_QUEUE] {
        ur.calls.urQueueFlush(command_queue.cast())
    }
    fn piQueueRetain(command_queue: pi_queue) [command_queue PI_ERROR_INVALID_QUEUE] {
        ur.calls.urQueueRetain(command_queue.cast())
    }
    fn piQueueRelease(command_queue: pi_queue) [command_queue PI_ERROR_INVALID_QUEUE] {
        ur.calls.urQueueRelease(command_queue.cast())
    }
    fn piextQueueGetNativeHandle(queue: pi_queue, nativeHandle: *mut pi_native_handle, nativeHandleDesc: *mut i32)
        [queue PI_ERROR_INVALID_QUEUE]
    {
        let mut kind = ur_queue_native_desc_t {
            stype: UR_STRUCTURE_TYPE_QUEUE_NATIVE_DESC,
            pNext: std::ptr::null(),
            pNativeData: nativeHandleDesc.cast(),
        };
        ur.calls.urQueueGetNativeHandle(queue.cast(), &mut kind, nativeHandle)
    }
    fn piextQueueCreateWithNativeHandle(nativeHandle: pi_native_handle, nativeHandleDesc: i32, context: pi_context, device: pi_device, pluginOwnsNativeHandle: pi_cxx_bool, _Properties: *mut pi_queue_properties, queue: *mut pi_queue)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let mut kind = nativeHandleDesc;
        let mut desc = ur_queue_native_desc_t {
            stype: UR_STRUCTURE_TYPE_QUEUE_NATIVE_DESC,
            pNext: std::ptr::null(),
            pNativeData: (&raw mut kind).cast(),
        };
        let owned = ur_queue_native_properties_t {
            stype: UR_STRUCTURE_TYPE_QUEUE_NATIVE_PROPERTIES,
            pNext: (&raw mut desc).cast(),
            isNativeHandleOwned: pluginOwnsNativeHandle,
        };
        ur.calls.urQueueCreateWithNativeHandle(nativeHandle, context.cast(), device.cast(), &owned, queue.cast())
    }
}
