//! Unified shared memory.

use core::ffi::c_void;
use core::ptr::NonNull;

use sycl_pi_core::*;

use crate::view::Properties;
use crate::{Info, Order};

/// What is asked of a USM allocation.
#[derive(Clone, Copy)]
pub struct UsmRequest<'a> {
    /// Allocation flags and buffer location.
    pub properties: Properties<'a, pi_usm_mem_properties>,
    /// Bytes.
    pub size: usize,
    /// A power of two, or 0 for the default.
    pub alignment: u32,
}

api! {
    /// Unified shared memory: allocations, queries, commands on addresses.
    trait UsmApi {
        /// Memory on the host that devices of the context reach.
        fn piextUSMHostAlloc(context: &Self::Context, request: UsmRequest<'_>) -> NonNull<c_void>;
        /// Memory on the device.
        fn piextUSMDeviceAlloc(context: &Self::Context, device: &Self::Device, request: UsmRequest<'_>)
            -> NonNull<c_void>;
        /// Memory that host and device share; without a device, all of the context's.
        fn piextUSMSharedAlloc(context: &Self::Context, device: Option<&Self::Device>, request: UsmRequest<'_>)
            -> NonNull<c_void>;
        /// Rows on the device, with the pitch that suits images.
        fn piextUSMPitchedAlloc(context: &Self::Context, device: &Self::Device,
            properties: Properties<'_, pi_usm_mem_properties>, width: usize, height: usize, element_size: u32)
            -> (NonNull<c_void>, usize);
        /// Frees an allocation; commands that use it are waited for.
        fn piextUSMFree(context: &Self::Context, ptr: NonNull<c_void>);
        /// Sets `count` bytes to the low byte of `value`.
        fn piextUSMEnqueueMemset(queue: &Self::Queue, ptr: *mut c_void, value: u8, count: usize,
            order: Order<'_, Self::Event>);
        /// Copies `size` bytes between any two of host, device and shared memory.
        fn piextUSMEnqueueMemcpy(queue: &Self::Queue, blocking: bool, dst: *mut c_void, src: *const c_void,
            size: usize, order: Order<'_, Self::Event>);
        /// A hint that the device will want the range soon.
        fn piextUSMEnqueuePrefetch(queue: &Self::Queue, ptr: *const c_void, size: usize,
            flags: pi_usm_migration_flags, order: Order<'_, Self::Event>);
        /// A hint about the use of the range; `advice` as PI 14.39 and later number it.
        fn piextUSMEnqueueMemAdvise(queue: &Self::Queue, ptr: *const c_void, length: usize, advice: pi_mem_advice,
            order: Order<'_, Self::Event>);
        /// Kind, start, size and device of the allocation that holds the address.
        fn piextUSMGetMemAllocInfo(context: &Self::Context, ptr: *const c_void, name: pi_mem_alloc_info,
            info: Info<'_>);
        /// Repeats a pattern over rows of `width` bytes.
        fn piextUSMEnqueueFill2D(queue: &Self::Queue, ptr: *mut c_void, pitch: usize, pattern: &[u8], width: usize,
            height: usize, order: Order<'_, Self::Event>);
        /// Sets rows of `width` bytes to the low byte of `value`.
        fn piextUSMEnqueueMemset2D(queue: &Self::Queue, ptr: *mut c_void, pitch: usize, value: u8, width: usize,
            height: usize, order: Order<'_, Self::Event>);
        /// Copies rows of `width` bytes.
        fn piextUSMEnqueueMemcpy2D(queue: &Self::Queue, blocking: bool, dst: (*mut c_void, usize),
            src: (*const c_void, usize), width: usize, height: usize, order: Order<'_, Self::Event>);
        /// Makes host memory known to the driver; nothing where that gains nothing.
        fn piextUSMImport(ptr: *const c_void, size: usize, context: &Self::Context);
        /// Takes back an import.
        fn piextUSMRelease(ptr: *const c_void, context: &Self::Context);
    }
}

/// Refuses rows that overlap or are empty (SYCL's 2D copies, memsets and fills demand as much).
fn check_2d(pitch: usize, width: usize, height: usize, name: &str) -> crate::Result<()> {
    if width == 0 || height == 0 || pitch < width {
        return Err(crate::Error::invalid_value(format!(
            "{name} is {pitch}, width {width}, height {height}: rows must not be empty nor longer than the pitch"
        )));
    }
    if pitch.checked_mul(height - 1).and_then(|start| start.checked_add(width)).is_none() {
        return Err(crate::Error::invalid_value(format!("{name} times height is past the end of memory")));
    }
    Ok(())
}

/// Refuses flags of a prefetch that PI does not name.
pub(super) fn check_migration(flags: pi_usm_migration_flags) -> crate::Result<()> {
    if flags & !PI_USM_MIGRATION_TBD0 != 0 {
        return Err(crate::Error::invalid_value(format!("flags has the unknown migration flags {flags:#x}")));
    }
    Ok(())
}

/// Refuses advices that PI does not name.
pub(super) fn check_advice(advice: pi_mem_advice) -> crate::Result<()> {
    if advice != PI_MEM_ADVICE_UNKNOWN && advice & !sycl_pi_core::advice::ALL_BITS != 0 {
        return Err(crate::Error::invalid_value(format!("advice {advice:#x} is unknown")));
    }
    Ok(())
}

/// Refuses a pattern that does not tile the range.
fn check_pattern(pattern: usize, size: usize) -> crate::Result<()> {
    if pattern == 0 || size == 0 || !size.is_multiple_of(pattern) {
        return Err(crate::Error::invalid_value(format!(
            "pattern_size {pattern} must be positive and divide the {size} bytes to fill"
        )));
    }
    Ok(())
}

/// Allocates as `$call` does. What nearly every allocation asks for stays in registers; the others are made out of line.
macro_rules! alloc {
    ($properties:ident, $size:ident, $alignment:ident, |$request:ident| $call:expr) => {
        if $properties.is_null() && is_alignment($alignment) {
            let $request = UsmRequest { properties: Properties::NONE, size: $size, alignment: $alignment };
            Ok($call?.as_ptr())
        } else {
            crate::cold_case(move || {
                let $request = special_request($properties, $size, $alignment)?;
                Ok($call?.as_ptr())
            })
        }
    };
}

stubs! {
    piextUSMHostAlloc(result_ptr: *mut *mut c_void, context: pi_context, properties: *mut pi_usm_mem_properties,
        size: usize, alignment: pi_uint32) {
        let context = object(context, "context")?;
        put(result_ptr, "result_ptr", || alloc!(properties, size, alignment,
            |request| B::piextUSMHostAlloc(context, request)))
    };

    piextUSMDeviceAlloc(result_ptr: *mut *mut c_void, context: pi_context, device: pi_device,
        properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        put(result_ptr, "result_ptr", || alloc!(properties, size, alignment,
            |request| B::piextUSMDeviceAlloc(context, device, request)))
    };

    piextUSMSharedAlloc(result_ptr: *mut *mut c_void, context: pi_context, device: pi_device,
        properties: *mut pi_usm_mem_properties, size: usize, alignment: pi_uint32) {
        let (context, device) = (object(context, "context")?, object_or_null(device, "device")?);
        put(result_ptr, "result_ptr", || alloc!(properties, size, alignment,
            |request| B::piextUSMSharedAlloc(context, device, request)))
    };

    piextUSMPitchedAlloc(result_ptr: *mut *mut c_void, result_pitch: *mut usize, context: pi_context,
        device: pi_device, properties: *mut pi_usm_mem_properties, width_in_bytes: usize, height: usize,
        element_size_bytes: c_uint) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let list = properties_list(properties.cast_const())?;
        address(result_pitch, "result_pitch")?;
        put(result_ptr, "result_ptr", || {
            let (ptr, pitch) = B::piextUSMPitchedAlloc(context, device, list, width_in_bytes, height,
                element_size_bytes)?;
            result_pitch.write(pitch);
            Ok(ptr.as_ptr())
        })
    };

    piextUSMFree(context: pi_context, ptr: *mut c_void) {
        let context = object(context, "context")?;
        let ptr = core::ptr::NonNull::new(ptr).ok_or_else(|| crate::cold_error(|| Error::invalid_value("ptr is null")))?;
        B::piextUSMFree(context, ptr)
    };

    piextUSMEnqueueMemset(queue: pi_queue, ptr: *mut c_void, value: pi_int32, count: usize, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)
        B::piextUSMEnqueueMemset(object(queue, "queue")?, address(ptr, "ptr")?, value as u8, count,
            order(num_events, events, event)?);

    piextUSMEnqueueMemcpy(queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, src_ptr: *const c_void,
        size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event)
        => jump,
        B::piextUSMEnqueueMemcpy(object(queue, "queue")?, blocking != 0, address(dst_ptr, "dst_ptr")?,
            address(src_ptr, "src_ptr")?, size, order(num_events, events, event)?);

    piextUSMEnqueuePrefetch(queue: pi_queue, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags,
        num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let queue = object(queue, "queue")?;
        check_migration(flags)?;
        B::piextUSMEnqueuePrefetch(queue, address(ptr, "ptr")?, size, flags, order(num_events, events, event)?)
    };

    piextUSMEnqueueMemAdvise(queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice,
        event: *mut pi_event) {
        let queue = object(queue, "queue")?;
        check_advice(advice)?;
        B::piextUSMEnqueueMemAdvise(queue, address(ptr, "ptr")?, length, advice, order(0, core::ptr::null(), event)?)
    };

    piextUSMEnqueueMemAdvise_until_14_37(queue: pi_queue, ptr: *const c_void, length: usize, advice: pi_mem_advice,
        event: *mut pi_event) {
        let queue = object(queue, "queue")?;
        let advice = sycl_pi_core::advice::from_until_14_37(advice)
            .ok_or_else(|| Error::invalid_value(format!("advice {advice} is unknown")))?;
        B::piextUSMEnqueueMemAdvise(queue, address(ptr, "ptr")?, length, advice, order(0, core::ptr::null(), event)?)
    };

    piextUSMGetMemAllocInfo(context: pi_context, ptr: *const c_void, param_name: pi_mem_alloc_info,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) {
        let context = object(context, "context")?;
        let ptr = address(ptr, "ptr")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piextUSMGetMemAllocInfo(context, ptr, param_name, info))
    };

    piextUSMEnqueueFill2D(queue: pi_queue, ptr: *mut c_void, pitch: usize, pattern_size: usize,
        pattern: *const c_void, width: usize, height: usize, num_events: pi_uint32, events: *const pi_event,
        event: *mut pi_event) {
        let queue = object(queue, "queue")?;
        let ptr = address(ptr, "ptr")?;
        check_2d(pitch, width, height, "pitch")?;
        check_pattern(pattern_size, width)?;
        let pattern = bytes(pattern_size, pattern, "pattern")?;
        B::piextUSMEnqueueFill2D(queue, ptr, pitch, pattern, width, height, order(num_events, events, event)?)
    };

    piextUSMEnqueueMemset2D(queue: pi_queue, ptr: *mut c_void, pitch: usize, value: c_int, width: usize,
        height: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let queue = object(queue, "queue")?;
        let ptr = address(ptr, "ptr")?;
        check_2d(pitch, width, height, "pitch")?;
        B::piextUSMEnqueueMemset2D(queue, ptr, pitch, value as u8, width, height, order(num_events, events, event)?)
    };

    piextUSMEnqueueMemcpy2D(queue: pi_queue, blocking: pi_bool, dst_ptr: *mut c_void, dst_pitch: usize,
        src_ptr: *const c_void, src_pitch: usize, width: usize, height: usize, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event) {
        let queue = object(queue, "queue")?;
        let (dst, src) = (address(dst_ptr, "dst_ptr")?, address(src_ptr, "src_ptr")?);
        check_2d(dst_pitch, width, height, "dst_pitch")?;
        check_2d(src_pitch, width, height, "src_pitch")?;
        B::piextUSMEnqueueMemcpy2D(queue, blocking != 0, (dst, dst_pitch), (src.cast_const(), src_pitch), width,
            height, order(num_events, events, event)?)
    };

    piextUSMImport(ptr: *const c_void, size: usize, context: pi_context) {
        let context = object(context, "context")?;
        B::piextUSMImport(address(ptr, "ptr")?, size, context)
    };

    piextUSMRelease(ptr: *const c_void, context: pi_context) {
        let context = object(context, "context")?;
        B::piextUSMRelease(address(ptr, "ptr")?, context)
    };
}

/// A power of two, or 0 for the default.
#[inline(always)]
fn is_alignment(number: pi_uint32) -> bool {
    number & number.wrapping_sub(1) == 0
}

/// What is asked of an allocation that is not the plain one.
///
/// # Safety
///
/// `properties` is null or a zero-terminated list.
unsafe fn special_request<'a>(
    properties: *mut pi_usm_mem_properties,
    size: usize,
    alignment: pi_uint32,
) -> crate::Result<UsmRequest<'a>> {
    if !is_alignment(alignment) {
        return Err(crate::Error::invalid_value(format!("alignment {alignment} is not a power of two")));
    }
    // SAFETY: passed on.
    let properties = unsafe { crate::view::properties_list(properties.cast_const())? };
    for (key, _) in properties.pairs() {
        if key != PI_MEM_ALLOC_FLAGS && key != PI_MEM_USM_ALLOC_BUFFER_LOCATION {
            return Err(crate::Error::invalid_value(format!(
                "properties has the unknown allocation property {key:#x}"
            )));
        }
    }
    Ok(UsmRequest { properties, size, alignment })
}
