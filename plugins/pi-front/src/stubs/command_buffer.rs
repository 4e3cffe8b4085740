//! Command buffers: commands that are recorded once and run many times.

use sycl_pi_backend::api::{CommandToRecord, check_advice, check_migration, check_pattern};

stubs! {
    piextCommandBufferCreate(context: pi_context, device: pi_device, desc: *const pi_ext_command_buffer_desc,
        ret_command_buffer: *mut pi_ext_command_buffer) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        // The descriptor contains queue properties, which no runtime sets and no backend uses.
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
        let command = CommandToRecord::KernelLaunch { kernel, range };
        B::command_buffer_record(buffer, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemcpyUSM(command_buffer: pi_ext_command_buffer, dst_ptr: *mut c_void, src_ptr: *const c_void,
        size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let (dst, src) = (address(dst_ptr, "dst_ptr")?, address(src_ptr, "src_ptr")?);
        let command = CommandToRecord::UsmMemcpy { dst, src, size };
        B::command_buffer_record(buffer, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferCopy(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem,
        src_offset: usize, dst_offset: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let (src, dst) = (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?);
        let command = CommandToRecord::BufferCopy { src, dst, src_offset, dst_offset, size };
        B::command_buffer_record(buffer, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferCopyRect(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem,
        dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset,
        region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize,
        dst_slice_pitch: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let (src, dst) = (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?);
        let rect = rect(&SOURCE_AND_DESTINATION, src_origin, dst_origin, region,
            [src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch])?;
        let command = CommandToRecord::BufferCopyRect { src, dst, rect };
        B::command_buffer_record(buffer, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferWrite(command_buffer: pi_ext_command_buffer, mem: pi_mem, offset: usize, size: usize,
        ptr: *const c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (recorder, buffer) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        let command = CommandToRecord::BufferWrite { buffer, offset, size, src: address(ptr, "ptr")? };
        B::command_buffer_record(recorder, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferWriteRect(command_buffer: pi_ext_command_buffer, mem: pi_mem,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *const c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (recorder, buffer) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        let rect = rect(&BUFFER_AND_HOST, buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        let command = CommandToRecord::BufferWriteRect { buffer, rect, src: address(ptr, "ptr")? };
        B::command_buffer_record(recorder, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferRead(command_buffer: pi_ext_command_buffer, mem: pi_mem, offset: usize, size: usize,
        dst: *mut c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (recorder, buffer) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        let command = CommandToRecord::BufferRead { buffer, offset, size, dst: address(dst, "dst")? };
        B::command_buffer_record(recorder, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferReadRect(command_buffer: pi_ext_command_buffer, mem: pi_mem,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *mut c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (recorder, buffer) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        let rect = rect(&BUFFER_AND_HOST, buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        let command = CommandToRecord::BufferReadRect { buffer, rect, dst: address(ptr, "ptr")? };
        B::command_buffer_record(recorder, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferMemBufferFill(command_buffer: pi_ext_command_buffer, mem: pi_mem, pattern: *const c_void,
        pattern_size: usize, offset: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let (recorder, buffer) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        address(pattern, "pattern")?;
        let pattern = bytes(pattern_size, pattern, "pattern")?;
        check_pattern(pattern.len(), size)?;
        let command = CommandToRecord::BufferFill { buffer, pattern, offset, size };
        B::command_buffer_record(recorder, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferFillUSM(command_buffer: pi_ext_command_buffer, ptr: *mut c_void, pattern: *const c_void,
        pattern_size: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        address(pattern, "pattern")?;
        let (ptr, pattern) = (address(ptr, "ptr")?, bytes(pattern_size, pattern, "pattern")?);
        // libsycl omits empty fills from queues, but not from graphs.
        if size > 0 {
            check_pattern(pattern.len(), size)?;
        }
        let command = CommandToRecord::UsmFill { ptr, pattern, size };
        B::command_buffer_record(buffer, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferPrefetchUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, size: usize,
        flags: pi_usm_migration_flags, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let flags = UsmMigrationFlags::from_bits_retain(flags);
        check_migration(flags)?;
        let command = CommandToRecord::UsmPrefetch { ptr: address(ptr, "ptr")?, size, flags };
        B::command_buffer_record(buffer, command, sync_points(num_points, points, point)?)
    };

    piextCommandBufferAdviseUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, length: usize,
        advice: pi_mem_advice, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let advice = MemAdvice::from_bits_retain(advice);
        check_advice(advice)?;
        let command = CommandToRecord::UsmAdvise { ptr: address(ptr, "ptr")?, length, advice };
        B::command_buffer_record(buffer, command, sync_points(num_points, points, point)?)
    };

    piextEnqueueCommandBuffer(command_buffer: pi_ext_command_buffer, queue: pi_queue, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)
        B::enqueue_command_buffer(object(command_buffer, "command_buffer")?, object(queue, "queue")?,
            dependencies(num_events, events, event)?);
}
