//! Command buffers: commands that are recorded once and run many times.

use super::prelude::*;
use sycl_pi_backend::api::{Command, check_advice, check_migration};

#[entry]
pub unsafe extern "C" fn piextCommandBufferCreate<B: Backend>(
    context: pi_context, device: pi_device, desc: *const pi_ext_command_buffer_desc,
    ret_command_buffer: *mut pi_ext_command_buffer,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // The descriptor contains queue properties, which no runtime sets and no backend uses.
    let _ = desc;
    // SAFETY: `ret_command_buffer` is null or writable.
    unsafe { create(ret_command_buffer, "ret_command_buffer", || B::command_buffer_create(context, device)) }
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferRetain<B: Backend>(
    command_buffer: pi_ext_command_buffer,
) -> Result<()> {
    // SAFETY: `command_buffer` is null or a live handle.
    unsafe { object::<B::CommandBuffer>(command_buffer, "command_buffer")? }.retain()
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferRelease<B: Backend>(
    command_buffer: pi_ext_command_buffer,
) -> Result<()> {
    // SAFETY: `command_buffer` is null or a live handle.
    unsafe { object::<B::CommandBuffer>(command_buffer, "command_buffer")?.release() }
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferFinalize<B: Backend>(
    command_buffer: pi_ext_command_buffer,
) -> Result<()> {
    // SAFETY: `command_buffer` is null or a live handle.
    B::command_buffer_finalize(unsafe { object(command_buffer, "command_buffer")? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferNDRangeKernel<B: Backend>(
    command_buffer: pi_ext_command_buffer, kernel: pi_kernel, work_dim: pi_uint32,
    global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize,
    num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` and `kernel` are null or live handles.
    let (buffer, kernel) = unsafe { (object(command_buffer, "command_buffer")?, object(kernel, "kernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(work_dim, global_work_offset, global_work_size, local_work_size)? };
    let command = Command::KernelLaunch { kernel, range };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(buffer, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferMemcpyUSM<B: Backend>(
    command_buffer: pi_ext_command_buffer, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize,
    num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` is null or a live handle.
    let buffer = unsafe { object(command_buffer, "command_buffer")? };
    let (dst, src) = (address(dst_ptr, "dst_ptr")?, address(src_ptr, "src_ptr")?);
    let command = Command::UsmMemcpy { dst, src, size };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(buffer, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferMemBufferCopy<B: Backend>(
    command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize,
    dst_offset: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
    point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` is null or a live handle.
    let buffer = unsafe { object(command_buffer, "command_buffer")? };
    // SAFETY: `src_buffer` and `dst_buffer` are null or live handles.
    let (src, dst) = unsafe { (object(src_buffer, "src_buffer")?, object(dst_buffer, "dst_buffer")?) };
    let command = Command::BufferCopy { src, dst, src_offset, dst_offset, size };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(buffer, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferMemBufferCopyRect<B: Backend>(
    command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem,
    src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region,
    src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize,
    num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` is null or a live handle.
    let buffer = unsafe { object(command_buffer, "command_buffer")? };
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
    let command = Command::BufferCopyRect { src, dst, rect };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(buffer, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferMemBufferWrite<B: Backend>(
    command_buffer: pi_ext_command_buffer, mem: pi_mem, offset: usize, size: usize, ptr: *const c_void,
    num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` and `mem` are null or live handles.
    let (recorder, buffer) = unsafe { (object(command_buffer, "command_buffer")?, object(mem, "buffer")?) };
    let command = Command::BufferWrite { buffer, offset, size, src: address(ptr, "ptr")? };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(recorder, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferMemBufferWriteRect<B: Backend>(
    command_buffer: pi_ext_command_buffer, mem: pi_mem, buffer_offset: pi_buff_rect_offset,
    host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize,
    buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void,
    num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` and `mem` are null or live handles.
    let (recorder, buffer) = unsafe { (object(command_buffer, "command_buffer")?, object(mem, "buffer")?) };
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
    let command = Command::BufferWriteRect { buffer, rect, src: address(ptr, "ptr")? };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(recorder, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferMemBufferRead<B: Backend>(
    command_buffer: pi_ext_command_buffer, mem: pi_mem, offset: usize, size: usize, dst: *mut c_void,
    num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` and `mem` are null or live handles.
    let (recorder, buffer) = unsafe { (object(command_buffer, "command_buffer")?, object(mem, "buffer")?) };
    let command = Command::BufferRead { buffer, offset, size, dst: address(dst, "dst")? };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(recorder, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferMemBufferReadRect<B: Backend>(
    command_buffer: pi_ext_command_buffer, mem: pi_mem, buffer_offset: pi_buff_rect_offset,
    host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize,
    buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void,
    num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` and `mem` are null or live handles.
    let (recorder, buffer) = unsafe { (object(command_buffer, "command_buffer")?, object(mem, "buffer")?) };
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
    let command = Command::BufferReadRect { buffer, rect, dst: address(ptr, "ptr")? };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(recorder, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferMemBufferFill<B: Backend>(
    command_buffer: pi_ext_command_buffer, mem: pi_mem, pattern: *const c_void, pattern_size: usize,
    offset: usize, size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point,
    point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` and `mem` are null or live handles.
    let (recorder, buffer) = unsafe { (object(command_buffer, "command_buffer")?, object(mem, "buffer")?) };
    address(pattern, "pattern")?;
    // SAFETY: `pattern` is null or has `pattern_size` bytes.
    let fill = Fill::new(unsafe { bytes(pattern_size, pattern, "pattern")? }, size, 1)?;
    let command = Command::BufferFill { buffer, offset, fill };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(recorder, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferFillUSM<B: Backend>(
    command_buffer: pi_ext_command_buffer, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize,
    size: usize, num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` is null or a live handle.
    let buffer = unsafe { object(command_buffer, "command_buffer")? };
    address(pattern, "pattern")?;
    // SAFETY: `pattern` is null or has `pattern_size` bytes.
    let (ptr, pattern) = (address(ptr, "ptr")?, unsafe { bytes(pattern_size, pattern, "pattern")? });
    // libsycl leaves empty fills out of queues, but not out of graphs.
    let command = Command::UsmFill { ptr, fill: Fill::or_nothing(pattern, size)? };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(buffer, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferPrefetchUSM<B: Backend>(
    command_buffer: pi_ext_command_buffer, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags,
    num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` is null or a live handle.
    let buffer = unsafe { object(command_buffer, "command_buffer")? };
    let flags = UsmMigrationFlags::from_bits_retain(flags);
    check_migration(flags)?;
    let command = Command::UsmPrefetch { ptr: address(ptr, "ptr")?, size, flags };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(buffer, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextCommandBufferAdviseUSM<B: Backend>(
    command_buffer: pi_ext_command_buffer, ptr: *const c_void, length: usize, advice: pi_mem_advice,
    num_points: pi_uint32, points: *const pi_ext_sync_point, point: *mut pi_ext_sync_point,
) -> Result<()> {
    // SAFETY: `command_buffer` is null or a live handle.
    let buffer = unsafe { object(command_buffer, "command_buffer")? };
    let advice = MemAdvice::from_bits_retain(advice);
    check_advice(advice)?;
    let command = Command::UsmAdvise { ptr: address(ptr, "ptr")?, length, advice };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    B::command_buffer_record(buffer, command, unsafe { sync_points(num_points, points, point)? })
}

#[entry]
pub unsafe extern "C" fn piextEnqueueCommandBuffer<B: Backend>(
    command_buffer: pi_ext_command_buffer, queue: pi_queue, num_events: pi_uint32, events: *const pi_event,
    event: *mut pi_event,
) -> Result<()> {
    B::enqueue_command_buffer(
        // SAFETY: `command_buffer` is null or a live handle.
        unsafe { object(command_buffer, "command_buffer")? },
        // SAFETY: `queue` is null or a live handle.
        unsafe { object(queue, "queue")? },
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}
