//! Command buffers.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;

use crate::Layout;

use super::launch;
use super::rect::{self, there};
use super::stubs::stubs;
use super::usm::{self, migration};

stubs! { ur;
    fn piextCommandBufferCreate(context: pi_context, device: pi_device, desc: *const pi_ext_command_buffer_desc, ret_command_buffer: *mut pi_ext_command_buffer)
        [context PI_ERROR_INVALID_CONTEXT, device PI_ERROR_INVALID_DEVICE]
    {
        let desc = desc.as_ref().map(|_| ur_exp_command_buffer_desc_t {
            stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC,
            pNext: null(),
            isUpdatable: 0,
            isInOrder: 0,
            enableProfiling: 0,
        });
        // UR requires a descriptor from 2025.2 on.
        let none = ur_exp_command_buffer_desc_t {
            stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC, pNext: null(), isUpdatable: 0, isInOrder: 0, enableProfiling: 0,
        };
        let desc = desc.unwrap_or(none);
        ur.calls.urCommandBufferCreateExp(context.cast(), device.cast(), &desc, ret_command_buffer.cast())
    }
    fn piextCommandBufferRetain(command_buffer: pi_ext_command_buffer)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR]
    {
        ur.calls.urCommandBufferRetainExp(command_buffer.cast())
    }
    fn piextCommandBufferRelease(command_buffer: pi_ext_command_buffer)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR]
    {
        ur.calls.urCommandBufferReleaseExp(command_buffer.cast())
    }
    fn piextCommandBufferFinalize(command_buffer: pi_ext_command_buffer)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR]
    {
        ur.calls.urCommandBufferFinalizeExp(command_buffer.cast())
    }
    fn piextCommandBufferMemcpyUSM(command_buffer: pi_ext_command_buffer, dst_ptr: *mut c_void, src_ptr: *const c_void, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR]
    {
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendUSMMemcpyExp_until_2025_0(command_buffer.cast(), dst_ptr, src_ptr, size, num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendUSMMemcpyExp(command_buffer.cast(), dst_ptr, src_ptr, size, num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferMemBufferCopy(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem, src_offset: usize, dst_offset: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR, src_buffer PI_ERROR_INVALID_MEM_OBJECT, dst_buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendMemBufferCopyExp_until_2025_0(command_buffer.cast(), src_buffer.cast(), dst_buffer.cast(), src_offset, dst_offset, size, num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendMemBufferCopyExp(command_buffer.cast(), src_buffer.cast(), dst_buffer.cast(), src_offset, dst_offset, size, num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferMemBufferCopyRect(command_buffer: pi_ext_command_buffer, src_buffer: pi_mem, dst_buffer: pi_mem, src_origin: pi_buff_rect_offset, dst_origin: pi_buff_rect_offset, region: pi_buff_rect_region, src_row_pitch: usize, src_slice_pitch: usize, dst_row_pitch: usize, dst_slice_pitch: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR, src_buffer PI_ERROR_INVALID_MEM_OBJECT, dst_buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (src_origin, dst_origin, region) = there!(rect::origin(src_origin), rect::origin(dst_origin), rect::region(region));
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendMemBufferCopyRectExp_until_2025_0(command_buffer.cast(), src_buffer.cast(), dst_buffer.cast(), src_origin, dst_origin, region, src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch, num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendMemBufferCopyRectExp(command_buffer.cast(), src_buffer.cast(), dst_buffer.cast(), src_origin, dst_origin, region, src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch, num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferMemBufferWrite(command_buffer: pi_ext_command_buffer, buffer: pi_mem, offset: usize, size: usize, ptr: *const c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendMemBufferWriteExp_until_2025_0(command_buffer.cast(), buffer.cast(), offset, size, ptr, num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendMemBufferWriteExp(command_buffer.cast(), buffer.cast(), offset, size, ptr, num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferMemBufferWriteRect(command_buffer: pi_ext_command_buffer, buffer: pi_mem, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *const c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (buffer_offset, host_offset, region) = there!(rect::origin(buffer_offset), rect::origin(host_offset), rect::region(region));
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendMemBufferWriteRectExp_until_2025_0(command_buffer.cast(), buffer.cast(), buffer_offset, host_offset, region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr.cast_mut(), num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendMemBufferWriteRectExp(command_buffer.cast(), buffer.cast(), buffer_offset, host_offset, region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr.cast_mut(), num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferMemBufferRead(command_buffer: pi_ext_command_buffer, buffer: pi_mem, offset: usize, size: usize, dst: *mut c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendMemBufferReadExp_until_2025_0(command_buffer.cast(), buffer.cast(), offset, size, dst, num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendMemBufferReadExp(command_buffer.cast(), buffer.cast(), offset, size, dst, num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferMemBufferReadRect(command_buffer: pi_ext_command_buffer, buffer: pi_mem, buffer_offset: pi_buff_rect_offset, host_offset: pi_buff_rect_offset, region: pi_buff_rect_region, buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize, host_slice_pitch: usize, ptr: *mut c_void, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        let (buffer_offset, host_offset, region) = there!(rect::origin(buffer_offset), rect::origin(host_offset), rect::region(region));
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendMemBufferReadRectExp_until_2025_0(command_buffer.cast(), buffer.cast(), buffer_offset, host_offset, region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr, num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendMemBufferReadRectExp(command_buffer.cast(), buffer.cast(), buffer_offset, host_offset, region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr, num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferMemBufferFill(command_buffer: pi_ext_command_buffer, buffer: pi_mem, pattern: *const c_void, pattern_size: usize, offset: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR, buffer PI_ERROR_INVALID_MEM_OBJECT]
    {
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendMemBufferFillExp_until_2025_0(command_buffer.cast(), buffer.cast(), pattern, pattern_size, offset, size, num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendMemBufferFillExp(command_buffer.cast(), buffer.cast(), pattern, pattern_size, offset, size, num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferFillUSM(command_buffer: pi_ext_command_buffer, ptr: *mut c_void, pattern: *const c_void, pattern_size: usize, size: usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR]
    {
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendUSMFillExp_until_2025_0(command_buffer.cast(), ptr, pattern, pattern_size, size, num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendUSMFillExp(command_buffer.cast(), ptr, pattern, pattern_size, size, num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferPrefetchUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, size: usize, flags: pi_usm_migration_flags, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR]
    {
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendUSMPrefetchExp_until_2025_0(command_buffer.cast(), ptr, size, migration(flags), num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendUSMPrefetchExp(command_buffer.cast(), ptr, size, migration(flags), num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferAdviseUSM(command_buffer: pi_ext_command_buffer, ptr: *const c_void, length: usize, advice: pi_mem_advice, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR]
    {
        if ur.layout() == Layout::V2025_0 {
            ur.calls.urCommandBufferAppendUSMAdviseExp_until_2025_0(command_buffer.cast(), ptr, length, usm::advice(advice), num_sync_points_in_wait_list, sync_point_wait_list, sync_point)
        } else {
            ur.calls.urCommandBufferAppendUSMAdviseExp(command_buffer.cast(), ptr, length, usm::advice(advice), num_sync_points_in_wait_list, sync_point_wait_list, 0, null(), sync_point, null_mut(), null_mut())
        }
    }
    fn piextCommandBufferNDRangeKernel(command_buffer: pi_ext_command_buffer, kernel: pi_kernel, work_dim: pi_uint32, global_work_offset: *const usize, global_work_size: *const usize, local_work_size: *const usize, num_sync_points_in_wait_list: pi_uint32, sync_point_wait_list: *const pi_ext_sync_point, sync_point: *mut pi_ext_sync_point)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR, kernel PI_ERROR_INVALID_KERNEL]
    {
        let (buffer, handle) = (command_buffer.cast(), kernel.cast());
        let (count, points) = (num_sync_points_in_wait_list, sync_point_wait_list);
        let set = match launch::with_arguments(ur.layout()) && ur.layout() < Layout::V2026_2 {
            true => launch::set_kept(ur, kernel),
            false => UR_RESULT_SUCCESS,
        };
        match ur.layout() {
            _ if set != UR_RESULT_SUCCESS => set,
            Layout::V2025_0 => ur.calls.urCommandBufferAppendKernelLaunchExp_until_2025_0(
                buffer, handle, work_dim, global_work_offset, global_work_size, local_work_size, count, points, sync_point, null_mut()),
            Layout::V2026_2 => {
                let arguments = launch::arguments_of(kernel);
                let length = arguments.list.len() as u32;
                let list = if length == 0 { null() } else { arguments.list.as_ptr() };
                ur.calls.urCommandBufferAppendKernelLaunchWithArgsExp(
                    buffer, handle, work_dim, global_work_offset, global_work_size, local_work_size, length, list, 0, null_mut(),
                    count, points, 0, null(), sync_point, null_mut(), null_mut())
            }
            _ => ur.calls.urCommandBufferAppendKernelLaunchExp(
                buffer, handle, work_dim, global_work_offset, global_work_size, local_work_size, 0, null_mut(),
                count, points, 0, null(), sync_point, null_mut(), null_mut()),
        }
    }
    fn piextEnqueueCommandBuffer(command_buffer: pi_ext_command_buffer, queue: pi_queue, num_events_in_wait_list: pi_uint32, event_wait_list: *const pi_event, event: *mut pi_event)
        [command_buffer PI_ERROR_INVALID_COMMAND_BUFFER_KHR, queue PI_ERROR_INVALID_QUEUE]
    {
        let (count, events) = (num_events_in_wait_list, event_wait_list.cast());
        if ur.layout() <= Layout::V2025_1 {
            ur.calls.urCommandBufferEnqueueExp(command_buffer.cast(), queue.cast(), count, events, event.cast())
        } else {
            ur.calls.urEnqueueCommandBufferExp(queue.cast(), command_buffer.cast(), count, events, event.cast())
        }
    }
}
