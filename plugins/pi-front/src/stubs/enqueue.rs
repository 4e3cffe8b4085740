//! Commands: kernel launches, waits, buffer commands.

use sycl_pi_backend::api::check_pattern;

stubs! {
    piEnqueueKernelLaunch(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize,
        global_work_size: *const usize, local_work_size: *const usize, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)  {
        let (queue, kernel) = (object(queue, "queue")?, object(kernel, "kernel")?);
        let range = nd_range(work_dim, global_work_offset, global_work_size, local_work_size)?;
        B::enqueue_kernel_launch(queue, kernel, range, dependencies(num_events, events, event)?)
    };

    piextEnqueueCooperativeKernelLaunch(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32,
        global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize,
        num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, kernel) = (object(queue, "queue")?, object(kernel, "kernel")?);
        let range = nd_range(work_dim, global_work_offset, global_work_size, local_work_size)?;
        B::enqueue_cooperative_kernel_launch(queue, kernel, range, dependencies(num_events, events, event)?)
    };

    piEnqueueNativeKernel(queue: pi_queue, user_func: pi_native_kernel, args: *mut c_void, cb_args: usize,
        num_mem_objects: pi_uint32, mem_list: *const pi_mem, args_mem_loc: *const *const c_void, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event) {
        let queue = object(queue, "queue")?;
        let function = user_func.ok_or_else(|| Error::invalid_value("user_func is null"))?;
        let mems = objects(num_mem_objects, mem_list, "mem_list")?;
        let locations = slice(mems.len(), args_mem_loc, "args_mem_loc")?;
        let args = if cb_args == 0 { &mut [] } else {
            core::slice::from_raw_parts_mut(address(args, "args")?.cast::<u8>(), cb_args)
        };
        B::enqueue_native_kernel(queue, function, args, mems, locations, dependencies(num_events, events, event)?)
    };

    piEnqueueEventsWait(queue: pi_queue, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event)
        B::enqueue_events_wait(object(queue, "command_queue")?, dependencies(num_events, events, event)?);

    piEnqueueEventsWaitWithBarrier(queue: pi_queue, num_events: pi_uint32, events: *const pi_event,
        event: *mut pi_event)
        B::enqueue_events_wait_with_barrier(object(queue, "command_queue")?, dependencies(num_events, events, event)?);

    piEnqueueMemBufferRead(queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, offset: usize, size: usize,
        ptr: *mut c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event)  {
        let (queue, buffer) = (object(queue, "queue")?, object(buffer, "buffer")?);
        B::enqueue_mem_buffer_read(queue, buffer, blocking_read != 0, offset, size, address(ptr, "ptr")?,
            dependencies(num_events, events, event)?)
    };

    piEnqueueMemBufferReadRect(queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *mut c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        let rect = rect(&BUFFER_AND_HOST, buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        B::enqueue_mem_buffer_read_rect(queue, buffer, blocking_read != 0, rect, address(ptr, "ptr")?,
            dependencies(num_events, events, event)?)
    };

    piEnqueueMemBufferWrite(queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, offset: usize, size: usize,
        ptr: *const c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event)  {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        B::enqueue_mem_buffer_write(queue, buffer, blocking_write != 0, offset, size, address(ptr, "ptr")?,
            dependencies(num_events, events, event)?)
    };

    piEnqueueMemBufferWriteRect(queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *const c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        let rect = rect(&BUFFER_AND_HOST, buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        B::enqueue_mem_buffer_write_rect(queue, buffer, blocking_write != 0, rect, address(ptr, "ptr")?,
            dependencies(num_events, events, event)?)
    };

    piEnqueueMemBufferCopy(queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize,
        dst_offset: usize, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event)  {
        let queue = object(queue, "command_queue")?;
        let (src, dst) = (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?);
        B::enqueue_mem_buffer_copy(queue, src, dst, src_offset, dst_offset, size, dependencies(num_events, events, event)?)
    };

    piEnqueueMemBufferCopyRect(queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem,
        src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region,
        src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize,
        num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let queue = object(queue, "command_queue")?;
        let (src, dst) = (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?);
        let rect = rect(&SOURCE_AND_DESTINATION, src_origin, dst_origin, region,
            [src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch])?;
        B::enqueue_mem_buffer_copy_rect(queue, src, dst, rect, dependencies(num_events, events, event)?)
    };

    piEnqueueMemBufferFill(queue: pi_queue, buffer: pi_mem, pattern: *const c_void, pattern_size: usize,
        offset: usize, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event)  {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        address(pattern, "pattern")?;
        let pattern = bytes(pattern_size, pattern, "pattern")?;
        check_pattern(pattern.len(), size)?;
        B::enqueue_mem_buffer_fill(queue, buffer, pattern, offset, size, dependencies(num_events, events, event)?)
    };

    piEnqueueMemBufferMap(queue: pi_queue, buffer: pi_mem, blocking_map: pi_bool, map_flags: pi_map_flags,
        offset: usize, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
        ret_map: *mut *mut c_void) {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        let dependencies = dependencies(num_events, events, event)?;
        put(ret_map, "ret_map",
            || B::enqueue_mem_buffer_map(queue, buffer, blocking_map != 0, MapFlags::from_bits_retain(map_flags), offset, size, dependencies))
    };

    piEnqueueMemUnmap(queue: pi_queue, memobj: pi_mem, mapped_ptr: *mut c_void, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)  {
        let (queue, mem) = (object(queue, "command_queue")?, object(memobj, "memobj")?);
        B::enqueue_mem_unmap(queue, mem, address(mapped_ptr, "mapped_ptr")?, dependencies(num_events, events, event)?)
    };
}
