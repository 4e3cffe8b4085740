//! Commands: kernel launches, waits, buffer commands.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn piEnqueueKernelLaunch<B: Backend>(
    queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize,
    global_work_size: *const usize, local_work_size: *const usize, num_events: pi_uint32,
    events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `kernel` are null or live handles.
    let (queue, kernel) = unsafe { (object(queue, "queue")?, object(kernel, "kernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(work_dim, global_work_offset, global_work_size, local_work_size)? };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_kernel_launch(queue, kernel, range, unsafe { dependencies(num_events, events, event)? })
}

#[entry]
pub unsafe extern "C" fn piextEnqueueCooperativeKernelLaunch<B: Backend>(
    queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize,
    global_work_size: *const usize, local_work_size: *const usize, num_events: pi_uint32,
    events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `kernel` are null or live handles.
    let (queue, kernel) = unsafe { (object(queue, "queue")?, object(kernel, "kernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(work_dim, global_work_offset, global_work_size, local_work_size)? };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_cooperative_kernel_launch(queue, kernel, range, unsafe {
        dependencies(num_events, events, event)?
    })
}

#[entry]
pub unsafe extern "C" fn piEnqueueNativeKernel<B: Backend>(
    queue: pi_queue, user_func: pi_native_kernel, args: *mut c_void, cb_args: usize,
    num_mem_objects: pi_uint32, mem_list: *const pi_mem, args_mem_loc: *const *const c_void,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "queue")? };
    let function = user_func.ok_or_else(|| Error::invalid_value("user_func is null"))?;
    // SAFETY: `mem_list` is null or has `num_mem_objects` handles.
    let mems = unsafe { objects(num_mem_objects, mem_list, "mem_list")? };
    // SAFETY: `args_mem_loc` is null or has `mems.len()` entries.
    let locations = unsafe { slice(mems.len(), args_mem_loc, "args_mem_loc")? };
    let args = if cb_args == 0 {
        &mut []
    } else {
        // SAFETY: the arguments are passed on under the same contract.
        unsafe { core::slice::from_raw_parts_mut(address(args, "args")?.cast::<u8>(), cb_args) }
    };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_native_kernel(queue, function, args, mems, locations, unsafe {
        dependencies(num_events, events, event)?
    })
}

#[entry]
pub unsafe extern "C" fn piEnqueueEventsWait<B: Backend>(
    queue: pi_queue, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    B::enqueue_events_wait(
        // SAFETY: `queue` is null or a live handle.
        unsafe { object(queue, "command_queue")? },
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piEnqueueEventsWaitWithBarrier<B: Backend>(
    queue: pi_queue, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    B::enqueue_events_wait_with_barrier(
        // SAFETY: `queue` is null or a live handle.
        unsafe { object(queue, "command_queue")? },
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemBufferRead<B: Backend>(
    queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, offset: usize, size: usize, ptr: *mut c_void,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `buffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(queue, "queue")?, object(buffer, "buffer")?) };
    B::enqueue_mem_buffer_read(
        queue,
        buffer,
        blocking_read != 0,
        offset,
        size,
        address(ptr, "ptr")?,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemBufferReadRect<B: Backend>(
    queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, buffer_offset: pi_buff_rect_offset,
    host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize,
    buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `buffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(queue, "command_queue")?, object(buffer, "buffer")?) };
    // SAFETY: `&BUFFER_AND_HOST` is null or what its type says.
    let rect = unsafe {
        rect(
            &BUFFER_AND_HOST,
            buffer_offset,
            host_offset,
            region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch],
        )?
    };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_mem_buffer_read_rect(queue, buffer, blocking_read != 0, rect, address(ptr, "ptr")?, unsafe {
        dependencies(num_events, events, event)?
    })
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemBufferWrite<B: Backend>(
    queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, offset: usize, size: usize, ptr: *const c_void,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `buffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(queue, "command_queue")?, object(buffer, "buffer")?) };
    B::enqueue_mem_buffer_write(
        queue,
        buffer,
        blocking_write != 0,
        offset,
        size,
        address(ptr, "ptr")?,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemBufferWriteRect<B: Backend>(
    queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, buffer_offset: pi_buff_rect_offset,
    host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize,
    buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `buffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(queue, "command_queue")?, object(buffer, "buffer")?) };
    // SAFETY: `&BUFFER_AND_HOST` is null or what its type says.
    let rect = unsafe {
        rect(
            &BUFFER_AND_HOST,
            buffer_offset,
            host_offset,
            region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch],
        )?
    };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_mem_buffer_write_rect(queue, buffer, blocking_write != 0, rect, address(ptr, "ptr")?, unsafe {
        dependencies(num_events, events, event)?
    })
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemBufferCopy<B: Backend>(
    queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize, dst_offset: usize,
    size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "command_queue")? };
    // SAFETY: `src_buffer` and `dst_buffer` are null or live handles.
    let (src, dst) = unsafe { (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?) };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_mem_buffer_copy(queue, src, dst, src_offset, dst_offset, size, unsafe {
        dependencies(num_events, events, event)?
    })
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemBufferCopyRect<B: Backend>(
    queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_origin: pi_buff_rect_offset,
    dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region, src_row_pitch: usize,
    src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_events: pi_uint32,
    events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "command_queue")? };
    // SAFETY: `src_buffer` and `dst_buffer` are null or live handles.
    let (src, dst) = unsafe { (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?) };
    // SAFETY: `&SOURCE_AND_DESTINATION` is null or what its type says.
    let rect = unsafe {
        rect(
            &SOURCE_AND_DESTINATION,
            src_origin,
            dst_origin,
            region,
            [src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch],
        )?
    };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_mem_buffer_copy_rect(queue, src, dst, rect, unsafe {
        dependencies(num_events, events, event)?
    })
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemBufferFill<B: Backend>(
    queue: pi_queue, buffer: pi_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `buffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(queue, "command_queue")?, object(buffer, "buffer")?) };
    address(pattern, "pattern")?;
    // SAFETY: `pattern` is null or has `pattern_size` bytes.
    let fill = Fill::new(unsafe { bytes(pattern_size, pattern, "pattern")? }, size, 1)?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_mem_buffer_fill(queue, buffer, offset, fill, unsafe {
        dependencies(num_events, events, event)?
    })
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemBufferMap<B: Backend>(
    queue: pi_queue, buffer: pi_mem, blocking_map: pi_bool, map_flags: pi_map_flags, offset: usize,
    size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
    ret_map: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `queue` and `buffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(queue, "command_queue")?, object(buffer, "buffer")?) };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    let dependencies = unsafe { dependencies(num_events, events, event)? };
    // SAFETY: `ret_map` is null or writable.
    unsafe {
        put(ret_map, "ret_map", || {
            B::enqueue_mem_buffer_map(
                queue,
                buffer,
                blocking_map != 0,
                MapFlags::from_bits_retain(map_flags),
                offset,
                size,
                dependencies,
            )
        })
    }
}

#[entry]
pub unsafe extern "C" fn piEnqueueMemUnmap<B: Backend>(
    queue: pi_queue, memobj: pi_mem, mapped_ptr: *mut c_void, num_events: pi_uint32, events: *const pi_event,
    event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` and `memobj` are null or live handles.
    let (queue, mem) = unsafe { (object(queue, "command_queue")?, object(memobj, "memobj")?) };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::enqueue_mem_unmap(queue, mem, address(mapped_ptr, "mapped_ptr")?, unsafe {
        dependencies(num_events, events, event)?
    })
}
