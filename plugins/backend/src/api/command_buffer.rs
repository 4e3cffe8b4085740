//! Command buffers: commands recorded once, run many times.

use core::ffi::c_void;

use sycl_pi_core::*;

use crate::api::usm::{check_advice, check_migration};

use crate::{NdRange, New, Order, PointOrder, Rect};

api! {
    /// Command buffers. Sync points order the commands of one buffer; a command without any waits for nothing.
    trait CommandBufferApi {
        /// An empty command buffer for a device.
        fn piextCommandBufferCreate(context: &Self::Context, device: &Self::Device,
            desc: Option<&pi_ext_command_buffer_desc>) -> New<Self::CommandBuffer>;
        /// One reference more.
        fn piextCommandBufferRetain(buffer: &Self::CommandBuffer);
        /// One reference less.
        fn piextCommandBufferRelease(buffer: &Self::CommandBuffer);
        /// Ends recording; the buffer can be enqueued from then on.
        fn piextCommandBufferFinalize(buffer: &Self::CommandBuffer);
        /// Records a launch, with the kernel's arguments as they are now.
        fn piextCommandBufferNDRangeKernel(buffer: &Self::CommandBuffer, kernel: &Self::Kernel, range: NdRange<'_>,
            order: PointOrder<'_>);
        /// Records a copy between addresses.
        fn piextCommandBufferMemcpyUSM(buffer: &Self::CommandBuffer, dst: *mut c_void, src: *const c_void,
            size: usize, order: PointOrder<'_>);
        /// Records a copy between buffers.
        fn piextCommandBufferMemBufferCopy(buffer: &Self::CommandBuffer, src: &Self::Mem, dst: &Self::Mem,
            src_offset: usize, dst_offset: usize, size: usize, order: PointOrder<'_>);
        /// Records a copy of a box between buffers.
        fn piextCommandBufferMemBufferCopyRect(buffer: &Self::CommandBuffer, src: &Self::Mem, dst: &Self::Mem,
            rect: Rect<'_>, order: PointOrder<'_>);
        /// Records a write from host memory, read at each run.
        fn piextCommandBufferMemBufferWrite(buffer: &Self::CommandBuffer, mem: &Self::Mem, offset: usize,
            size: usize, ptr: *const c_void, order: PointOrder<'_>);
        /// Records a write of a box from host memory.
        fn piextCommandBufferMemBufferWriteRect(buffer: &Self::CommandBuffer, mem: &Self::Mem, rect: Rect<'_>,
            ptr: *const c_void, order: PointOrder<'_>);
        /// Records a read into host memory.
        fn piextCommandBufferMemBufferRead(buffer: &Self::CommandBuffer, mem: &Self::Mem, offset: usize, size: usize,
            dst: *mut c_void, order: PointOrder<'_>);
        /// Records a read of a box into host memory.
        fn piextCommandBufferMemBufferReadRect(buffer: &Self::CommandBuffer, mem: &Self::Mem, rect: Rect<'_>,
            ptr: *mut c_void, order: PointOrder<'_>);
        /// Records a fill of a buffer.
        fn piextCommandBufferMemBufferFill(buffer: &Self::CommandBuffer, mem: &Self::Mem, pattern: &[u8],
            offset: usize, size: usize, order: PointOrder<'_>);
        /// Records a fill of USM.
        fn piextCommandBufferFillUSM(buffer: &Self::CommandBuffer, ptr: *mut c_void, pattern: &[u8], size: usize,
            order: PointOrder<'_>);
        /// Records a prefetch hint.
        fn piextCommandBufferPrefetchUSM(buffer: &Self::CommandBuffer, ptr: *const c_void, size: usize,
            flags: pi_usm_migration_flags, order: PointOrder<'_>);
        /// Records an advice.
        fn piextCommandBufferAdviseUSM(buffer: &Self::CommandBuffer, ptr: *const c_void, length: usize,
            advice: pi_mem_advice, order: PointOrder<'_>);
        /// Runs a finalized command buffer.
        fn piextEnqueueCommandBuffer(buffer: &Self::CommandBuffer, queue: &Self::Queue,
            order: Order<'_, Self::Event>);
    }
}

stubs! {
    piextCommandBufferCreate(context: pi_context, device: pi_device, desc: *const pi_ext_command_buffer_desc,
        ret_command_buffer: *mut pi_ext_command_buffer) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let desc = desc.as_ref();
        create(ret_command_buffer, "ret_command_buffer", || B::piextCommandBufferCreate(context, device, desc))
    };

    piextCommandBufferRetain(command_buffer: pi_ext_command_buffer)
        B::piextCommandBufferRetain(object(command_buffer, "command_buffer")?);

    piextCommandBufferRelease(command_buffer: pi_ext_command_buffer)
        B::piextCommandBufferRelease(object(command_buffer, "command_buffer")?);

    piextCommandBufferFinalize(command_buffer: pi_ext_command_buffer)
        B::piextCommandBufferFinalize(object(command_buffer, "command_buffer")?);

    piextCommandBufferNDRangeKernel(command_buffer: pi_ext_command_buffer, kernel: pi_kernel, work_dim: pi_uint32,
        global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize,
        num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (buffer, kernel) = (object(command_buffer, "command_buffer")?, object(kernel, "kernel")?);
        let range = nd_range(work_dim, global_work_offset, global_work_size, local_work_size)?;
        B::piextCommandBufferNDRangeKernel(buffer, kernel, range, point_order(num_points, points, point)?)
    };

    piextCommandBufferMemcpyUSM(command_buffer: pi_ext_command_buffer, dst_ptr: *mut c_void, src_ptr: *const c_void,
        size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point)
        B::piextCommandBufferMemcpyUSM(object(command_buffer, "command_buffer")?, address(dst_ptr, "dst_ptr")?,
            address(src_ptr, "src_ptr")?, size, point_order(num_points, points, point)?);

    piextCommandBufferMemBufferCopy(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem,
        src_offset: usize, dst_offset: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        let (src, dst) = (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?);
        B::piextCommandBufferMemBufferCopy(buffer, src, dst, src_offset, dst_offset, size,
            point_order(num_points, points, point)?)
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
        B::piextCommandBufferMemBufferCopyRect(buffer, src, dst, rect, point_order(num_points, points, point)?)
    };

    piextCommandBufferMemBufferWrite(command_buffer: pi_ext_command_buffer, mem: pi_mem, offset: usize, size: usize,
        ptr: *const c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point)
        B::piextCommandBufferMemBufferWrite(object(command_buffer, "command_buffer")?, object(mem, "buffer")?, offset,
            size, address(ptr, "ptr")?, point_order(num_points, points, point)?);

    piextCommandBufferMemBufferWriteRect(command_buffer: pi_ext_command_buffer, mem: pi_mem,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *const c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (buffer, mem) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        let rect = rect(buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        B::piextCommandBufferMemBufferWriteRect(buffer, mem, rect, address(ptr, "ptr")?,
            point_order(num_points, points, point)?)
    };

    piextCommandBufferMemBufferRead(command_buffer: pi_ext_command_buffer, mem: pi_mem, offset: usize, size: usize,
        dst: *mut c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point)
        B::piextCommandBufferMemBufferRead(object(command_buffer, "command_buffer")?, object(mem, "buffer")?, offset,
            size, address(dst, "dst")?, point_order(num_points, points, point)?);

    piextCommandBufferMemBufferReadRect(command_buffer: pi_ext_command_buffer, mem: pi_mem,
        buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize,
        ptr: *mut c_void, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point) {
        let (buffer, mem) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        let rect = rect(buffer_offset, host_offset, region,
            [buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch])?;
        B::piextCommandBufferMemBufferReadRect(buffer, mem, rect, address(ptr, "ptr")?,
            point_order(num_points, points, point)?)
    };

    piextCommandBufferMemBufferFill(command_buffer: pi_ext_command_buffer, mem: pi_mem, pattern: *const c_void,
        pattern_size: usize, offset: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let (buffer, mem) = (object(command_buffer, "command_buffer")?, object(mem, "buffer")?);
        address(pattern, "pattern")?;
        B::piextCommandBufferMemBufferFill(buffer, mem, bytes(pattern_size, pattern, "pattern")?, offset, size,
            point_order(num_points, points, point)?)
    };

    piextCommandBufferFillUSM(command_buffer: pi_ext_command_buffer, ptr: *mut c_void, pattern: *const c_void,
        pattern_size: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        address(pattern, "pattern")?;
        B::piextCommandBufferFillUSM(buffer, address(ptr, "ptr")?, bytes(pattern_size, pattern, "pattern")?, size,
            point_order(num_points, points, point)?)
    };

    piextCommandBufferPrefetchUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, size: usize,
        flags: pi_usm_migration_flags, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        check_migration(flags)?;
        B::piextCommandBufferPrefetchUSM(buffer, address(ptr, "ptr")?, size, flags,
            point_order(num_points, points, point)?)
    };

    piextCommandBufferAdviseUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, length: usize,
        advice: pi_mem_advice, num_points: pi_uint32, points: *const pi_ext_sync_point,
        point: *mut pi_ext_sync_point) {
        let buffer = object(command_buffer, "command_buffer")?;
        check_advice(advice)?;
        B::piextCommandBufferAdviseUSM(buffer, address(ptr, "ptr")?, length, advice,
            point_order(num_points, points, point)?)
    };

    piextEnqueueCommandBuffer(command_buffer: pi_ext_command_buffer, queue: pi_queue, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)
        B::piextEnqueueCommandBuffer(object(command_buffer, "command_buffer")?, object(queue, "queue")?,
            order(num_events, events, event)?);
}
