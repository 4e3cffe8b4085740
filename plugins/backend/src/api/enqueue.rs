//! Commands: kernel launch, waits, buffers.

use core::ffi::c_void;

use sycl_pi_core::*;

use crate::{NdRange, Order, Rect};

api! {
    /// Commands put into a queue. On an error nothing is enqueued and no event is written.
    trait EnqueueApi {
        /// Runs a kernel over an index space.
        fn piEnqueueKernelLaunch(queue: &Self::Queue, kernel: &Self::Kernel, range: NdRange<'_>,
            order: Order<'_, Self::Event>);
        /// As above, with all work-groups running at once.
        fn piextEnqueueCooperativeKernelLaunch(queue: &Self::Queue, kernel: &Self::Kernel, range: NdRange<'_>,
            order: Order<'_, Self::Event>);
        /// Runs a host function with a copy of `args`; `mems` are buffers whose addresses are patched in at `locations`.
        fn piEnqueueNativeKernel(queue: &Self::Queue, function: unsafe extern "C" fn(*mut c_void), args: &mut [u8],
            mems: &[&Self::Mem], locations: &[*const c_void], order: Order<'_, Self::Event>);
        /// An event that completes after the list, or after everything before it.
        fn piEnqueueEventsWait(queue: &Self::Queue, order: Order<'_, Self::Event>);
        /// As above; commands after it start only when it is done.
        fn piEnqueueEventsWaitWithBarrier(queue: &Self::Queue, order: Order<'_, Self::Event>);
        /// Buffer to host. `ptr` has room for `size` bytes, until the event is complete if not blocking.
        fn piEnqueueMemBufferRead(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, offset: usize, size: usize,
            ptr: *mut c_void, order: Order<'_, Self::Event>);
        /// Box of a buffer to host.
        fn piEnqueueMemBufferReadRect(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, rect: Rect<'_>,
            ptr: *mut c_void, order: Order<'_, Self::Event>);
        /// Host to buffer.
        fn piEnqueueMemBufferWrite(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, offset: usize,
            size: usize, ptr: *const c_void, order: Order<'_, Self::Event>);
        /// Host to a box of a buffer.
        fn piEnqueueMemBufferWriteRect(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, rect: Rect<'_>,
            ptr: *const c_void, order: Order<'_, Self::Event>);
        /// Buffer to buffer.
        fn piEnqueueMemBufferCopy(queue: &Self::Queue, src: &Self::Mem, dst: &Self::Mem, src_offset: usize,
            dst_offset: usize, size: usize, order: Order<'_, Self::Event>);
        /// Box of a buffer to box of a buffer.
        fn piEnqueueMemBufferCopyRect(queue: &Self::Queue, src: &Self::Mem, dst: &Self::Mem, rect: Rect<'_>,
            order: Order<'_, Self::Event>);
        /// Repeats a pattern over part of a buffer.
        fn piEnqueueMemBufferFill(queue: &Self::Queue, buffer: &Self::Mem, pattern: &[u8], offset: usize, size: usize,
            order: Order<'_, Self::Event>);
        /// Part of a buffer in host memory, until `piEnqueueMemUnmap`.
        fn piEnqueueMemBufferMap(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, flags: pi_map_flags,
            offset: usize, size: usize, order: Order<'_, Self::Event>) -> *mut c_void;
        /// Gives a mapped part back.
        fn piEnqueueMemUnmap(queue: &Self::Queue, mem: &Self::Mem, mapped: *mut c_void,
            order: Order<'_, Self::Event>);
    }
}

stubs! {
    piEnqueueKernelLaunch(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize,
        global_work_size: *const usize, local_work_size: *const usize, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event) => jump, {
        let (queue, kernel) = (object(queue, "queue")?, object(kernel, "kernel")?);
        let range = nd_range(work_dim, global_work_offset, global_work_size, local_work_size)?;
        B::piEnqueueKernelLaunch(queue, kernel, range, order(num_events, events, event)?)
    };

    piextEnqueueCooperativeKernelLaunch(queue: pi_queue, kernel: pi_kernel, work_dim: pi_uint32,
        global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize,
        num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, kernel) = (object(queue, "queue")?, object(kernel, "kernel")?);
        let range = nd_range(work_dim, global_work_offset, global_work_size, local_work_size)?;
        B::piextEnqueueCooperativeKernelLaunch(queue, kernel, range, order(num_events, events, event)?)
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
        B::piEnqueueNativeKernel(queue, function, args, mems, locations, order(num_events, events, event)?)
    };

    piEnqueueEventsWait(queue: pi_queue, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event)
        => jump,
        B::piEnqueueEventsWait(object(queue, "command_queue")?, order(num_events, events, event)?);

    piEnqueueEventsWaitWithBarrier(queue: pi_queue, num_events: pi_uint32, events: *const pi_event,
        event: *mut pi_event)
        => jump,
        B::piEnqueueEventsWaitWithBarrier(object(queue, "command_queue")?, order(num_events, events, event)?);

    piEnqueueMemBufferRead(queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool, offset: usize, size: usize,
        ptr: *mut c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) => jump, {
        let (queue, buffer) = (object(queue, "queue")?, object(buffer, "buffer")?);
        B::piEnqueueMemBufferRead(queue, buffer, blocking_read != 0, offset, size, address(ptr, "ptr")?,
            order(num_events, events, event)?)
    };

    piEnqueueMemBufferReadRect(queue: pi_queue, buffer: pi_mem, blocking_read: pi_bool,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *mut c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        let rect = rect(buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        B::piEnqueueMemBufferReadRect(queue, buffer, blocking_read != 0, rect, address(ptr, "ptr")?,
            order(num_events, events, event)?)
    };

    piEnqueueMemBufferWrite(queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool, offset: usize, size: usize,
        ptr: *const c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) => jump, {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        B::piEnqueueMemBufferWrite(queue, buffer, blocking_write != 0, offset, size, address(ptr, "ptr")?,
            order(num_events, events, event)?)
    };

    piEnqueueMemBufferWriteRect(queue: pi_queue, buffer: pi_mem, blocking_write: pi_bool,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *const c_void, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        let rect = rect(buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        B::piEnqueueMemBufferWriteRect(queue, buffer, blocking_write != 0, rect, address(ptr, "ptr")?,
            order(num_events, events, event)?)
    };

    piEnqueueMemBufferCopy(queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize,
        dst_offset: usize, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) => jump, {
        let queue = object(queue, "command_queue")?;
        let (src, dst) = (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?);
        B::piEnqueueMemBufferCopy(queue, src, dst, src_offset, dst_offset, size, order(num_events, events, event)?)
    };

    piEnqueueMemBufferCopyRect(queue: pi_queue, src_buffer: pi_mem, dst_buffer: pi_mem,
        src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region,
        src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize,
        num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let queue = object(queue, "command_queue")?;
        let (src, dst) = (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?);
        let rect = rect(src_origin, dst_origin, region,
            [src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch])?;
        B::piEnqueueMemBufferCopyRect(queue, src, dst, rect, order(num_events, events, event)?)
    };

    piEnqueueMemBufferFill(queue: pi_queue, buffer: pi_mem, pattern: *const c_void, pattern_size: usize,
        offset: usize, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) => jump, {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        address(pattern, "pattern")?;
        let pattern = bytes(pattern_size, pattern, "pattern")?;
        B::piEnqueueMemBufferFill(queue, buffer, pattern, offset, size, order(num_events, events, event)?)
    };

    piEnqueueMemBufferMap(queue: pi_queue, buffer: pi_mem, blocking_map: pi_bool, map_flags: pi_map_flags,
        offset: usize, size: usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
        ret_map: *mut *mut c_void) {
        let (queue, buffer) = (object(queue, "command_queue")?, object(buffer, "buffer")?);
        let order = order(num_events, events, event)?;
        put(ret_map, "ret_map",
            || B::piEnqueueMemBufferMap(queue, buffer, blocking_map != 0, map_flags, offset, size, order))
    };

    piEnqueueMemUnmap(queue: pi_queue, memobj: pi_mem, mapped_ptr: *mut c_void, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event) => jump, {
        let (queue, mem) = (object(queue, "command_queue")?, object(memobj, "memobj")?);
        B::piEnqueueMemUnmap(queue, mem, address(mapped_ptr, "mapped_ptr")?, order(num_events, events, event)?)
    };
}
