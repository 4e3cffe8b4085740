//! Unified shared memory.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::answer::{Convert, NEITHER, answer, narrow, number, paired};
use super::result::refuse;
use super::stubs::stubs;

const TYPES: &[(u32, u32)] = &[
    (UR_USM_TYPE_UNKNOWN, PI_MEM_TYPE_UNKNOWN),
    (UR_USM_TYPE_HOST, PI_MEM_TYPE_HOST),
    (UR_USM_TYPE_DEVICE, PI_MEM_TYPE_DEVICE),
    (UR_USM_TYPE_SHARED, PI_MEM_TYPE_SHARED),
];

fn kind(bytes: &[u8]) -> Vec<u8> {
    paired(TYPES, number(bytes)).to_ne_bytes().to_vec()
}

fn info(name: pi_mem_alloc_info) -> (u32, Option<Convert>) {
    match name {
        PI_MEM_ALLOC_TYPE => (UR_USM_ALLOC_INFO_TYPE, Some(kind)),
        PI_MEM_ALLOC_BASE_PTR => (UR_USM_ALLOC_INFO_BASE_PTR, None),
        PI_MEM_ALLOC_SIZE => (UR_USM_ALLOC_INFO_SIZE, None),
        PI_MEM_ALLOC_DEVICE => (UR_USM_ALLOC_INFO_DEVICE, None),
        _ => (NEITHER, None),
    }
}

const ADVICE: [(pi_mem_advice, ur_usm_advice_flags_t); 12] = [
    (PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY, UR_USM_ADVICE_FLAG_SET_READ_MOSTLY),
    (PI_MEM_ADVICE_CUDA_UNSET_READ_MOSTLY, UR_USM_ADVICE_FLAG_CLEAR_READ_MOSTLY),
    (PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION, UR_USM_ADVICE_FLAG_SET_PREFERRED_LOCATION),
    (PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION, UR_USM_ADVICE_FLAG_CLEAR_PREFERRED_LOCATION),
    (PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY, UR_USM_ADVICE_FLAG_SET_ACCESSED_BY_DEVICE),
    (PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY, UR_USM_ADVICE_FLAG_CLEAR_ACCESSED_BY_DEVICE),
    (PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION_HOST, UR_USM_ADVICE_FLAG_SET_PREFERRED_LOCATION_HOST),
    (PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION_HOST, UR_USM_ADVICE_FLAG_CLEAR_PREFERRED_LOCATION_HOST),
    (PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY_HOST, UR_USM_ADVICE_FLAG_SET_ACCESSED_BY_HOST),
    (PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY_HOST, UR_USM_ADVICE_FLAG_CLEAR_ACCESSED_BY_HOST),
    (PI_MEM_ADVICE_HIP_SET_COARSE_GRAINED, UR_USM_ADVICE_FLAG_SET_NON_COHERENT_MEMORY),
    (PI_MEM_ADVICE_HIP_UNSET_COARSE_GRAINED, UR_USM_ADVICE_FLAG_CLEAR_NON_COHERENT_MEMORY),
];

/// Converts advice to UR's flags. A bit unknown to PI becomes one unknown to UR.
pub(super) fn advice(pi: pi_mem_advice) -> ur_usm_advice_flags_t {
    let known = ADVICE.iter().fold(0, |all, (pi, _)| all | pi);
    let flags = ADVICE.iter().filter(|(bit, _)| pi & bit != 0).fold(0, |all, (_, ur)| all | ur);
    match (pi, pi & !known) {
        (PI_MEM_ADVICE_RESET, _) => UR_USM_ADVICE_FLAG_DEFAULT,
        (_, 0) => flags,
        _ => flags | 1 << 31,
    }
}

/// Converts the flags of a prefetch. PI's only flag is also the lowest in UR.
pub(super) fn migration(pi: pi_usm_migration_flags) -> ur_usm_migration_flags_t {
    narrow(pi)
}

/// The structures that represent PI's list of properties.
struct Description {
    usm: ur_usm_desc_t,
    device: ur_usm_device_desc_t,
    host: ur_usm_host_desc_t,
    location: ur_usm_alloc_location_desc_t,
}

impl Description {
    /// Converts the list, or returns `None` for a key that has no structure in UR.
    ///
    /// # Safety
    /// The list is null, or pairs of a key and a value followed by a zero.
    unsafe fn new(list: *const pi_usm_mem_properties, align: u32) -> Option<Box<Self>> {
        let mut all = Box::new(Self {
            usm: ur_usm_desc_t { stype: UR_STRUCTURE_TYPE_USM_DESC, pNext: null(), hints: 0, align },
            device: ur_usm_device_desc_t {
                stype: UR_STRUCTURE_TYPE_USM_DEVICE_DESC,
                pNext: null(),
                flags: 0,
            },
            host: ur_usm_host_desc_t { stype: UR_STRUCTURE_TYPE_USM_HOST_DESC, pNext: null(), flags: 0 },
            location: ur_usm_alloc_location_desc_t {
                stype: UR_STRUCTURE_TYPE_USM_ALLOC_LOCATION_DESC,
                pNext: null(),
                location: 0,
            },
        });
        let mut place = list;
        // SAFETY: the caller's list ends with a zero; each key has a value.
        unsafe {
            while !place.is_null() && *place != 0 {
                let value = *place.add(1);
                match *place {
                    PI_MEM_ALLOC_FLAGS => {
                        let known = PI_MEM_ALLOC_WRTITE_COMBINED
                            | PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE
                            | PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST
                            | PI_MEM_ALLOC_DEVICE_READ_ONLY;
                        let flag = |pi, ur| if value & pi != 0 { ur } else { 0 };
                        all.device.flags =
                            flag(PI_MEM_ALLOC_WRTITE_COMBINED, UR_USM_DEVICE_MEM_FLAG_WRITE_COMBINED)
                                | flag(
                                    PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE,
                                    UR_USM_DEVICE_MEM_FLAG_INITIAL_PLACEMENT,
                                )
                                | flag(
                                    PI_MEM_ALLOC_DEVICE_READ_ONLY,
                                    UR_USM_DEVICE_MEM_FLAG_DEVICE_READ_ONLY,
                                )
                                | flag(!known, 1 << 31);
                        all.host.flags =
                            flag(PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST, UR_USM_HOST_MEM_FLAG_INITIAL_PLACEMENT);
                    }
                    PI_MEM_USM_ALLOC_BUFFER_LOCATION => all.location.location = value as u32,
                    _ => return None,
                }
                place = place.add(2);
            }
        }
        if !list.is_null() {
            all.usm.pNext = (&raw const all.device).cast();
            all.device.pNext = (&raw const all.host).cast();
            if all.location.location != 0 {
                all.host.pNext = (&raw const all.location).cast();
            }
        }
        Some(all)
    }
}

/// Returns the description of an allocation, or returns from the call.
macro_rules! described {
    ($properties:ident, $alignment:expr) => {
        match Description::new($properties, $alignment) {
            Some(all) => all,
            None => return refuse(PI_ERROR_INVALID_VALUE),
        }
    };
}

stubs! { ur;
    fn piextUSMHostAlloc(result_ptr: *mut *mut c_void, context: pi_context, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let all = described!(properties, alignment);
        ur.calls.urUSMHostAlloc(context.cast(), &all.usm, null_mut(), size, result_ptr)
    }
    fn piextUSMDeviceAlloc(result_ptr: *mut *mut c_void, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32)
        [context PI_ERROR_INVALID_CONTEXT, device PI_ERROR_INVALID_DEVICE]
    {
        let all = described!(properties, alignment);
        ur.calls.urUSMDeviceAlloc(context.cast(), device.cast(), &all.usm, null_mut(), size, result_ptr)
    }
    fn piextUSMSharedAlloc(result_ptr: *mut *mut c_void, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32)
        [context PI_ERROR_INVALID_CONTEXT, device PI_ERROR_INVALID_DEVICE]
    {
        let all = described!(properties, alignment);
        ur.calls.urUSMSharedAlloc(context.cast(), device.cast(), &all.usm, null_mut(), size, result_ptr)
    }
    fn piextUSMPitchedAlloc(result_ptr: *mut *mut c_void, result_pitch: *mut usize, context: pi_context, device: pi_device, properties: *mut pi_usm_mem_properties, width_in_bytes: usize, height: usize, element_size_bytes: c_uint)
        [context PI_ERROR_INVALID_CONTEXT, device PI_ERROR_INVALID_DEVICE]
    {
        let all = described!(properties, 0);
        ur.calls.urUSMPitchedAllocExp(context.cast(), device.cast(), &all.usm, null_mut(), width_in_bytes, height, element_size_bytes as usize, result_ptr, result_pitch)
    }
    fn piextUSMFree(context: pi_context, ptr: *mut c_void)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        // UR's code for memory that is not an allocation is PI's code for buffers.
        match ur.calls.urUSMFree(context.cast(), ptr) {
            UR_RESULT_ERROR_INVALID_MEM_OBJECT => UR_RESULT_ERROR_INVALID_VALUE,
            other => other,
        }
    }
    fn piextUSMGetMemAllocInfo(context: pi_context, ptr: *const c_void, param_name: pi_mem_alloc_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let (name, convert) = info(param_name);
        answer(param_value_size, param_value, param_value_size_ret, convert, |size, value, reported| {
            ur.calls.urUSMGetMemAllocInfo(context.cast(), ptr, name, size, value, reported)
        })
    }
    fn piextUSMEnqueueMemset(queue: pi_queue, ptr: *mut c_void, value: pi_int32, count: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE]
    {
        let byte = value as u8;
        ur.calls.urEnqueueUSMFill(queue.cast(), ptr, 1, (&raw const byte).cast(), count, num_events_in_waitlist, events_waitlist.cast(), event.cast())
    }
    fn piextUSMEnqueueMemcpy(queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE]
    {
        ur.calls.urEnqueueUSMMemcpy(queue.cast(), u8::from(blocking != 0), dst_ptr, src_ptr, size, num_events_in_waitlist, events_waitlist.cast(), event.cast())
    }
    fn piextUSMEnqueuePrefetch(queue: pi_queue, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE]
    {
        ur.calls.urEnqueueUSMPrefetch(queue.cast(), ptr, size, migration(flags), num_events_in_waitlist, events_waitlist.cast(), event.cast())
    }
    fn piextUSMEnqueueMemAdvise(queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE]
    {
        ur.calls.urEnqueueUSMAdvise(queue.cast(), ptr, length, self::advice(advice), event.cast())
    }
    fn piextUSMEnqueueFill2D(queue: pi_queue, ptr: *mut c_void, pitch: usize, pattern_size: usize, pattern: *const c_void, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE]
    {
        ur.calls.urEnqueueUSMFill2D(queue.cast(), ptr, pitch, pattern_size, pattern, width, height, num_events_in_waitlist, events_waitlist.cast(), event.cast())
    }
    fn piextUSMEnqueueMemset2D(queue: pi_queue, ptr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE]
    {
        let byte = value as u8;
        ur.calls.urEnqueueUSMFill2D(queue.cast(), ptr, pitch, 1, (&raw const byte).cast(), width, height, num_events_in_waitlist, events_waitlist.cast(), event.cast())
    }
    fn piextUSMEnqueueMemcpy2D(queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, dst_pitch: usize, src_ptr: *const c_void, src_pitch: usize, width: usize, height: usize, num_events_in_waitlist: pi_uint32, events_waitlist: *const pi_event, event: *mut pi_event)
        [queue PI_ERROR_INVALID_QUEUE]
    {
        ur.calls.urEnqueueUSMMemcpy2D(queue.cast(), u8::from(blocking != 0), dst_ptr, dst_pitch, src_ptr, src_pitch, width, height, num_events_in_waitlist, events_waitlist.cast(), event.cast())
    }
    fn piextUSMImport(ptr: *const c_void, size: usize, context: pi_context)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        ur.calls.urUSMImportExp(context.cast(), ptr.cast_mut(), size)
    }
    fn piextUSMRelease(ptr: *const c_void, context: pi_context)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        ur.calls.urUSMReleaseExp(context.cast(), ptr.cast_mut())
    }
}
