//! Command buffers: commands recorded once, run many times.

use sycl_pi_backend::api::{check_advice, check_migration};

stubs! {
    piextCommandBufferCreate(context: pi_context, device: pi_device, desc: *const pi_ext_command_buffer_desc,
        ret_command_buffer: *mut pi_ext_command_buffer) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        // The description has queue properties, which no runtime sets and no backend uses.
        let _ = desc;
        create(ret_command_buffer, "ret_command_buffer", || B::command_buffer_create(context, device))
    };

    piextCommandBufferRetain(command_buffer: pi_ext_command_buffer)
 object::<B::CommandBuffer>(command_buffer, "command_buffer")?.retain();

    piextCommandBufferRelease(command_buffer: pi_ext_command_buffer)
 object::<B::CommandBuffer>(command_buffer, "command_buffer")?.release();

    piextCommandBufferFinalize(command_buffer: pi_ext_command_buffer)
        B::command_buffer_finalize(object(command_buffer, "command_buffer")?);

    piextCommandBufferNDRangeKernel(command_buffer: pi_ext_command_buffer, kernel: pi_kernel, work_dim: pi_uint32,
        global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize,
        num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (buffer, kernel) = (object(command_buffer, "command_buffer")?, object(kernel, "kernel")?);
        let range = nd_range(work_dim, global_work_offset, global_work_size, local_work_size)?;
        B::command_buffer_nd_range_kernel(buffer, kernel, range, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemcpyUSM(command_buffer: pi_ext_command_buffer, dst_ptr: *mut c_void, src_ptr: *const c_void,
        size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point)
        B::command_buffer_memcpy_usm(object(command_buffer, "command_buffer")?, address(dst_ptr, "dst_ptr")?,
            address(src_ptr, "src_ptr")?, size, sync_points(num_points, points, point)?);

    piextCommandBufferMemBufferCopy(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem,
        src_offset: usize, dst_offset: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let (src, dst) = (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?);
        B::command_buffer_mem_buffer_copy(buffer, src, dst, src_offset, dst_offset, size,
            sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferCopyRect(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem,
        dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset,
        region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize,
        dst_slice_pitch: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let (src, dst) = (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?);
        let rect = rect(src_origin, dst_origin, region,
            [src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch])?;
        B::command_buffer_mem_buffer_copy_rect(buffer, src, dst, rect, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferWrite(command_buffer: pi_ext_command_buffer, mem: pi_mem, offset: usize, size: usize,
        ptr: *const c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point)
        B::command_buffer_mem_buffer_write(object(command_buffer, "command_buffer")?, object(mem, "buffer")?, offset,
            size, address(ptr, "ptr")?, sync_points(num_points, points, point)?);

    piextCommandBufferMemBufferWriteRect(command_buffer: pi_ext_command_buffer, mem: pi_mem,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *const c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (buffer, mem) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        let rect = rect(buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        B::command_buffer_mem_buffer_write_rect(buffer, mem, rect, address(ptr, "ptr")?,
            sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferRead(command_buffer: pi_ext_command_buffer, mem: pi_mem, offset: usize, size: usize,
        dst: *mut c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point)
        B::command_buffer_mem_buffer_read(object(command_buffer, "command_buffer")?, object(mem, "buffer")?, offset,
            size, address(dst, "dst")?, sync_points(num_points, points, point)?);

    piextCommandBufferMemBufferReadRect(command_buffer: pi_ext_command_buffer, mem: pi_mem,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *mut c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (buffer, mem) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        let rect = rect(buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        B::command_buffer_mem_buffer_read_rect(buffer, mem, rect, address(ptr, "ptr")?,
            sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferFill(command_buffer: pi_ext_command_buffer, mem: pi_mem, pattern: *const c_void,
        pattern_size: usize, offset: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let (buffer, mem) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        address(pattern, "pattern")?;
        B::command_buffer_mem_buffer_fill(buffer, mem, bytes(pattern_size, pattern, "pattern")?, offset, size,
            sync_points(num_points, points, point)?)
    };

    piextCommandBufferFillUSM(command_buffer: pi_ext_command_buffer, ptr: *mut c_void, pattern: *const c_void,
        pattern_size: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        address(pattern, "pattern")?;
        B::command_buffer_fill_usm(buffer, address(ptr, "ptr")?, bytes(pattern_size, pattern, "pattern")?, size,
            sync_points(num_points, points, point)?)
    };

    piextCommandBufferPrefetchUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, size: usize,
        flags: pi_usm_migration_flags, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let flags = UsmMigrationFlags::from_bits_retain(flags);
        check_migration(flags)?;
        B::command_buffer_prefetch_usm(buffer, address(ptr, "ptr")?, size, flags,
            sync_points(num_points, points, point)?)
    };

    piextCommandBufferAdviseUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, length: usize,
        advice: pi_mem_advice, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let advice = MemAdvice::from_bits_retain(advice);
        check_advice(advice)?;
        B::command_buffer_advise_usm(buffer, address(ptr, "ptr")?, length, advice,
            sync_points(num_points, points, point)?)
    };

    piextEnqueueCommandBuffer(command_buffer: pi_ext_command_buffer, queue: pi_queue, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)
        B::enqueue_command_buffer(object(command_buffer, "command_buffer")?, object(queue, "queue")?,
            dependencies(num_events, events, event)?);
}
