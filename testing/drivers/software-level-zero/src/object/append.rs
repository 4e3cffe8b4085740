//! Commands that need no kernel and no image: copies, fills, barriers, events, timestamps.

use std::ffi::c_void;

use level_zero_sys::*;

use crate::caller::{bytes, list as items, read};
use crate::command::{Place, Rows, Work};
use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::object::context::context;
use crate::object::device::device;
use crate::object::event::{event, events};
use crate::object::list::{Sync, list};
use crate::{allocations, requests};

const NO_SYNC: Sync = Sync { signal: ze_event_handle_t::NULL, count: 0, waits: std::ptr::null() };

/// Returns a place of `size` bytes: not null, and not beyond the end of its allocation.
fn place(address: *const c_void, size: usize) -> Answer<Place> {
    if address.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    let place = Place::new(address.expose_provenance());
    if !place.has_room(size) {
        complain_here(format!("{size} bytes go beyond the end of the allocation"));
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    Ok(place)
}

fn rows(region: &ze_copy_region_t, pitch: u32, slice_pitch: u32) -> Rows {
    let pitch = if pitch == 0 { region.width as usize } else { pitch as usize };
    let height = region.height.max(1) as usize;
    let slice_pitch = if slice_pitch == 0 { pitch * height } else { slice_pitch as usize };
    let start =
        region.originZ as usize * slice_pitch + region.originY as usize * pitch + region.originX as usize;
    Rows { start, pitch, slice_pitch }
}

driver_calls! {
    fn zeCommandListAppendMemoryCopy(
        hCommandList: ze_command_list_handle_t,
        dstptr: *mut c_void,
        srcptr: *const c_void,
        size: usize,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let work = Work::Copy { to: place(dstptr, size)?, from: place(srcptr, size)?, size };
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }

    fn zeCommandListAppendMemoryCopyFromContext(
        hCommandList: ze_command_list_handle_t,
        dstptr: *mut c_void,
        hContextSrc: ze_context_handle_t,
        srcptr: *const c_void,
        size: usize,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        context(hContextSrc)?;
        let work = Work::Copy { to: place(dstptr, size)?, from: place(srcptr, size)?, size };
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }

    fn zeCommandListAppendMemoryFill(
        hCommandList: ze_command_list_handle_t,
        ptr: *mut c_void,
        pattern: *const c_void,
        pattern_size: usize,
        size: usize,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let list = list(hCommandList)?;
        if !pattern_size.is_power_of_two() {
            complain_here("the pattern's size is no power of two".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_SIZE);
        }
        if pattern_size > list.group()?.max_pattern {
            complain_here("the pattern is larger than the queue group allows".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_SIZE);
        }
        // A driver stores it as a number, which has to be aligned on a GPU.
        if !ptr.addr().is_multiple_of(pattern_size) {
            complain_here("the pattern is longer than its place is aligned".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        let pattern = bytes(pattern, pattern_size)?.to_vec();
        list.append(Sync { signal, count, waits }, Work::Fill { to: place(ptr, size)?, pattern, size })
    }

    fn zeCommandListAppendMemoryCopyRegion(
        hCommandList: ze_command_list_handle_t,
        dstptr: *mut c_void,
        dstRegion: *const ze_copy_region_t,
        dstPitch: u32,
        dstSlicePitch: u32,
        srcptr: *const c_void,
        srcRegion: *const ze_copy_region_t,
        srcPitch: u32,
        srcSlicePitch: u32,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let (to, from) = (read(dstRegion)?, read(srcRegion)?);
        if (to.width, to.height, to.depth) != (from.width, from.height, from.depth) {
            complain_here("the regions differ in size".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_SIZE);
        }
        let work = Work::CopyRegion {
            to: place(dstptr, 1)?,
            to_rows: rows(&to, dstPitch, dstSlicePitch),
            from: place(srcptr, 1)?,
            from_rows: rows(&from, srcPitch, srcSlicePitch),
            extent: [to.width as usize, to.height.max(1) as usize, to.depth.max(1) as usize],
        };
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }

    fn zeCommandListAppendMemoryPrefetch(
        hCommandList: ze_command_list_handle_t,
        ptr: *const c_void,
        size: usize,
    ) {
        allocations::inside(ptr.addr(), size)?;
        requests::record(format!("size {size}"));
        list(hCommandList)?.append(NO_SYNC, Work::Nothing)
    }

    fn zeCommandListAppendMemAdvise(
        hCommandList: ze_command_list_handle_t,
        hDevice: ze_device_handle_t,
        ptr: *const c_void,
        size: usize,
        advice: ze_memory_advice_t,
    ) {
        device(hDevice)?;
        allocations::inside(ptr.addr(), size)?;
        if advice.0 > ZE_MEMORY_ADVICE_BIAS_UNCACHED.0 + 2 {
            return Err(ZE_RESULT_ERROR_INVALID_ENUMERATION);
        }
        requests::record(format!("advice {} size {size}", advice.0));
        list(hCommandList)?.append(NO_SYNC, Work::Nothing)
    }

    fn zeCommandListAppendBarrier(
        hCommandList: ze_command_list_handle_t,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        list(hCommandList)?.append(Sync { signal, count, waits }, Work::Nothing)
    }

    fn zeCommandListAppendMemoryRangesBarrier(
        hCommandList: ze_command_list_handle_t,
        numRanges: u32,
        pRangeSizes: *const usize,
        pRanges: *mut *const c_void,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        items(numRanges, pRangeSizes)?;
        items(numRanges, pRanges)?;
        list(hCommandList)?.append(Sync { signal, count, waits }, Work::Nothing)
    }

    fn zeCommandListAppendSignalEvent(hCommandList: ze_command_list_handle_t, hEvent: ze_event_handle_t) {
        event(hEvent)?;
        list(hCommandList)?.append(Sync { signal: hEvent, ..NO_SYNC }, Work::Nothing)
    }

    fn zeCommandListAppendWaitOnEvents(
        hCommandList: ze_command_list_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        list(hCommandList)?.append(Sync { signal: ze_event_handle_t::NULL, count, waits }, Work::Nothing)
    }

    fn zeCommandListAppendEventReset(hCommandList: ze_command_list_handle_t, hEvent: ze_event_handle_t) {
        let event = event(hEvent)?;
        list(hCommandList)?.append(NO_SYNC, Work::Reset(event))
    }

    fn zeCommandListAppendWriteGlobalTimestamp(
        hCommandList: ze_command_list_handle_t,
        dstptr: *mut u64,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let work = Work::Timestamp(place(dstptr.cast(), 8)?);
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }

    fn zeCommandListAppendQueryKernelTimestamps(
        hCommandList: ze_command_list_handle_t,
        numEvents: u32,
        phEvents: *mut ze_event_handle_t,
        dstptr: *mut c_void,
        pOffsets: *const usize,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let offsets = if pOffsets.is_null() { None } else { Some(items(numEvents, pOffsets)?.to_vec()) };
        let work =
            Work::QueryTimestamps { events: events(numEvents, phEvents)?, to: place(dstptr, 1)?, offsets };
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }
}
