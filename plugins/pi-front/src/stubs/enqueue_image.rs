//! Commands on images.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn piEnqueueMemImageRead<B: Backend>(
    queue: pi_queue, image: pi_mem, blocking_read: pi_bool, origin: pi_image_offset, region: pi_image_region,
    row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, num_events: pi_uint32, events: *const pi_event,
    event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `image` are null or live handles.
    let (queue, image) = unsafe { (object(queue, "command_queue")?, object(image, "image")?) };
    // SAFETY: `origin` is null or what its type says; `region` is null or what its type says.
    let (origin, region) = unsafe { (triple(origin, "origin")?, triple(region, "region")?) };
    B::enqueue_mem_image_read(
        queue,
        image,
        blocking_read != 0,
        origin,
        region,
        (row_pitch, slice_pitch),
        address(ptr, "ptr")?,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemImageWrite<B: Backend>(
    queue: pi_queue, image: pi_mem, blocking_write: pi_bool, origin: pi_image_offset,
    region: pi_image_region, input_row_pitch: usize, input_slice_pitch: usize, ptr: *const c_void,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `image` are null or live handles.
    let (queue, image) = unsafe { (object(queue, "command_queue")?, object(image, "image")?) };
    // SAFETY: `origin` is null or what its type says; `region` is null or what its type says.
    let (origin, region) = unsafe { (triple(origin, "origin")?, triple(region, "region")?) };
    B::enqueue_mem_image_write(
        queue,
        image,
        blocking_write != 0,
        origin,
        region,
        (input_row_pitch, input_slice_pitch),
        address(ptr, "ptr")?,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemImageCopy<B: Backend>(
    queue: pi_queue, src_image: pi_mem, dst_image: pi_mem, src_origin: pi_image_offset,
    dst_origin: pi_image_offset, region: pi_image_region, num_events: pi_uint32, events: *const pi_event,
    event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "command_queue")? };
    // SAFETY: `src_image` and `dst_image` are null or live handles.
    let (src, dst) = unsafe { (object(src_image, "src_image")?, object(dst_image, "dst_image")?) };
    B::enqueue_mem_image_copy(
        queue,
        src,
        dst,
        // SAFETY: `src_origin` is null or what its type says.
        unsafe { triple(src_origin, "src_origin")? },
        // SAFETY: `dst_origin` is null or what its type says.
        unsafe { triple(dst_origin, "dst_origin")? },
        // SAFETY: `region` is null or what its type says.
        unsafe { triple(region, "region")? },
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemImageFill<B: Backend>(
    queue: pi_queue, image: pi_mem, fill_color: *const c_void, origin: *const usize, region: *const usize,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `image` are null or live handles.
    let (queue, image) = unsafe { (object(queue, "command_queue")?, object(image, "image")?) };
    let color = address(fill_color, "fill_color")?;
    B::enqueue_mem_image_fill(
        queue,
        image,
        color,
        // SAFETY: `origin` is null or what its type says.
        unsafe { triple(origin, "origin")? },
        // SAFETY: `region` is null or what its type says.
        unsafe { triple(region, "region")? },
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}
