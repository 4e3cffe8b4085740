//! Unified shared memory.

use super::prelude::*;
use sycl_pi_backend::Result;
use sycl_pi_backend::api::{UsmRequest, check_2d, check_advice, check_migration};

#[entry]
pub unsafe extern "C" fn piextUSMHostAlloc<B: Backend>(
    result_ptr: *mut *mut c_void, context: pi_context, properties: *mut pi_usm_mem_properties, size: usize,
    alignment: pi_uint32,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `result_ptr` is null or writable.
    unsafe {
        put(result_ptr, "result_ptr", || {
            let request = request(properties, size, alignment)?;
            Ok(B::usm_host_alloc(context, request)?.as_ptr())
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextUSMDeviceAlloc<B: Backend>(
    result_ptr: *mut *mut c_void, context: pi_context, device: pi_device,
    properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // SAFETY: `result_ptr` is null or writable.
    unsafe {
        put(result_ptr, "result_ptr", || {
            let request = request(properties, size, alignment)?;
            Ok(B::usm_device_alloc(context, device, request)?.as_ptr())
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextUSMSharedAlloc<B: Backend>(
    result_ptr: *mut *mut c_void, context: pi_context, device: pi_device,
    properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object_or_null(device, "device")?) };
    // SAFETY: `result_ptr` is null or writable.
    unsafe {
        put(result_ptr, "result_ptr", || {
            let request = request(properties, size, alignment)?;
            Ok(B::usm_shared_alloc(context, device, request)?.as_ptr())
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextUSMPitchedAlloc<B: Backend>(
    result_ptr: *mut *mut c_void, result_pitch: *mut usize, context: pi_context, device: pi_device,
    properties: *mut pi_usm_mem_properties, width_in_bytes: usize, height: usize, element_size_bytes: c_uint,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // SAFETY: `properties` is null or a list that ends with a zero.
    let list = unsafe { Properties::read(properties.cast_const())? };
    address(result_pitch, "result_pitch")?;
    // SAFETY: `result_ptr` is null or writable.
    unsafe {
        put(result_ptr, "result_ptr", || {
            let (ptr, pitch) =
                B::usm_pitched_alloc(context, device, list, width_in_bytes, height, element_size_bytes)?;
            result_pitch.write(pitch);
            Ok(ptr.as_ptr())
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextUSMFree<B: Backend>(context: pi_context, ptr: *mut c_void) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    let ptr = core::ptr::NonNull::new(ptr)
        .ok_or_else(|| sycl_pi_backend::cold_error(|| Error::invalid_value("ptr is null")))?;
    B::usm_free(context, ptr)
}

#[entry]
pub unsafe extern "C" fn piextUSMEnqueueMemset<B: Backend>(
    queue: pi_queue, ptr: *mut c_void, value: pi_int32, count: usize, num_events: pi_uint32,
    events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    B::enqueue_usm_memset(
        // SAFETY: `queue` is null or a live handle.
        unsafe { object(queue, "queue")? },
        address(ptr, "ptr")?,
        value as u8,
        count,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piextUSMEnqueueMemcpy<B: Backend>(
    queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    B::enqueue_usm_memcpy(
        // SAFETY: `queue` is null or a live handle.
        unsafe { object(queue, "queue")? },
        blocking != 0,
        address(dst_ptr, "dst_ptr")?,
        address(src_ptr, "src_ptr")?,
        size,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piextUSMEnqueuePrefetch<B: Backend>(
    queue: pi_queue, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags, num_events: pi_uint32,
    events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "queue")? };
    let flags = UsmMigrationFlags::from_bits_retain(flags);
    check_migration(flags)?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_usm_prefetch(queue, address(ptr, "ptr")?, size, flags, unsafe {
        dependencies(num_events, events, event)?
    })
}

#[entry]
pub unsafe extern "C" fn piextUSMEnqueueMemAdvise<B: Backend>(
    queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "queue")? };
    let advice = MemAdvice::from_bits_retain(advice);
    check_advice(advice)?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_usm_mem_advise(queue, address(ptr, "ptr")?, length, advice, unsafe {
        dependencies(0, core::ptr::null(), event)?
    })
}

#[entry]
pub unsafe extern "C" fn piextUSMEnqueueMemAdvise_until_14_37<B: Backend>(
    queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "queue")? };
    let advice = sycl_pi_core::advice::from_until_14_37(advice)
        .ok_or_else(|| Error::invalid_value(format!("advice {advice} is unknown")))?;
    let advice = MemAdvice::from_bits_retain(advice);
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_usm_mem_advise(queue, address(ptr, "ptr")?, length, advice, unsafe {
        dependencies(0, core::ptr::null(), event)?
    })
}

#[entry]
pub unsafe extern "C" fn piextUSMGetMemAllocInfo<B: Backend>(
    context: pi_context, ptr: *const c_void, param_name: pi_mem_alloc_info, param_value_size: usize,
    param_value: *mut c_void, param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    let ptr = address(ptr, "ptr")?;
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::usm_mem_alloc_info(context, ptr, UsmAllocInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextUSMEnqueueFill2D<B: Backend>(
    queue: pi_queue, ptr: *mut c_void, pitch: usize, pattern_size: usize, pattern: *const c_void,
    width: usize, height: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "queue")? };
    let ptr = address(ptr, "ptr")?;
    check_2d(pitch, width, height, "pitch")?;
    // SAFETY: `pattern` is null or has `pattern_size` bytes.
    let fill = Fill::new(unsafe { bytes(pattern_size, pattern, "pattern")? }, width, height)?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_usm_fill_2d(queue, ptr, pitch, fill, unsafe { dependencies(num_events, events, event)? })
}

#[entry]
pub unsafe extern "C" fn piextUSMEnqueueMemset2D<B: Backend>(
    queue: pi_queue, ptr: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "queue")? };
    let ptr = address(ptr, "ptr")?;
    check_2d(pitch, width, height, "pitch")?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_usm_memset_2d(queue, ptr, pitch, value as u8, width, height, unsafe {
        dependencies(num_events, events, event)?
    })
}

#[entry]
pub unsafe extern "C" fn piextUSMEnqueueMemcpy2D<B: Backend>(
    queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, dst_pitch: usize, src_ptr: *const c_void,
    src_pitch: usize, width: usize, height: usize, num_events: pi_uint32, events: *const pi_event,
    event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "queue")? };
    let (dst, src) = (address(dst_ptr, "dst_ptr")?, address(src_ptr, "src_ptr")?);
    check_2d(dst_pitch, width, height, "dst_pitch")?;
    check_2d(src_pitch, width, height, "src_pitch")?;
    B::enqueue_usm_memcpy_2d(
        queue,
        blocking != 0,
        (dst, dst_pitch),
        (src.cast_const(), src_pitch),
        width,
        height,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piextUSMImport<B: Backend>(
    ptr: *const c_void, size: usize, context: pi_context,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    B::usm_import(address(ptr, "ptr")?, size, context)
}

#[entry]
pub unsafe extern "C" fn piextUSMRelease<B: Backend>(ptr: *const c_void, context: pi_context) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    B::usm_release(address(ptr, "ptr")?, context)
}

/// Reads an allocation request.
///
/// # Safety
///
/// `properties` must be null or a zero-terminated list.
#[inline(always)]
unsafe fn request<'a>(properties: *const u64, size: usize, alignment: u32) -> Result<UsmRequest<'a>> {
    // SAFETY: guaranteed by the caller.
    let request = UsmRequest { properties: unsafe { Properties::read(properties)? }, size, alignment };
    request.check()?;
    Ok(request)
}
