//! The codes that `ur_api.h` specifies for single errors, with all other arguments valid.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;
use testing_ur_host::{Calls, structures};

use super::handles::calls;
use crate::case::{Case, case};
use crate::cases::all_well::all_well;
use crate::env::Env;
use crate::outcome::{Verdict, check, same, same_code};
use crate::values::ur_name;

pub(super) const CASES: &[Case] = &[
    case("UR-63", "urEnqueueMemBufferRead", sizes_of_commands),
    case("UR-64", "urUSMSharedAlloc", of_allocations),
    case("UR-65", "urQueueCreate", unknown_flags_of_structures),
    case("UR-66", "urDevicePartition", partitions),
    case("UR-67", "urMemBufferPartition", parts_of_buffers),
    case("UR-68", "urMemImageGetInfo", image_queries),
    case("UR-69", "urQueueCreate", queues_on_the_device),
    case("UR-70", "urEventWait", events),
];

/// Errors with the code that each has to return.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn expect(&mut self, what: &str, expected: ur_result_t, code: ur_result_t) {
        if code != expected {
            self.0.push(format!("{what}: {}, not {}", ur_name(code), ur_name(expected)));
        }
    }
}

/// The arguments of commands.
struct Given {
    calls: &'static Calls,
    queue: ur_queue_handle_t,
    host: *mut c_void,
}

impl Given {
    fn new(f: &Env) -> Verdict<Self> {
        let host = Box::leak(vec![0_u64; 8192].into_boxed_slice()).as_mut_ptr().cast();
        Ok(Self { calls: calls(f)?, queue: f.queue()?.cast(), host })
    }

    fn read(&self, buffer: ur_mem_handle_t, offset: usize, size: usize) -> ur_result_t {
        let (queue, host) = (self.queue, self.host);
        // SAFETY: live handles, and more room than the buffer has bytes.
        unsafe {
            self.calls.urEnqueueMemBufferRead(queue, buffer, 1, offset, size, host, 0, null(), null_mut())
        }
    }

    fn read_box(&self, buffer: ur_mem_handle_t, region: [u64; 3], pitches: [usize; 4]) -> ur_result_t {
        let (queue, host, none) = (self.queue, self.host, ur_rect_offset_t { x: 0, y: 0, z: 0 });
        let region = ur_rect_region_t { width: region[0], height: region[1], depth: region[2] };
        let [row, slice, host_row, host_slice] = pitches;
        // SAFETY: the same as above.
        unsafe {
            self.calls.urEnqueueMemBufferReadRect(
                queue,
                buffer,
                1,
                none,
                none,
                region,
                row,
                slice,
                host_row,
                host_slice,
                host,
                0,
                null(),
                null_mut(),
            )
        }
    }

    fn copy(&self, [src, dst]: [ur_mem_handle_t; 2], offsets: [usize; 2], size: usize) -> ur_result_t {
        let [from, to] = offsets;
        // SAFETY: live handles.
        unsafe {
            self.calls.urEnqueueMemBufferCopy(self.queue, src, dst, from, to, size, 0, null(), null_mut())
        }
    }

    fn fill(&self, buffer: ur_mem_handle_t, pattern: usize, offset: usize, size: usize) -> ur_result_t {
        let (queue, host) = (self.queue, self.host);
        // SAFETY: live handles, and a longer pattern than is read.
        unsafe {
            self.calls.urEnqueueMemBufferFill(
                queue,
                buffer,
                host,
                pattern,
                offset,
                size,
                0,
                null(),
                null_mut(),
            )
        }
    }
}

fn sizes_of_commands(f: &Env) -> Verdict {
    let given = Given::new(f)?;
    let (buffer, other) = (f.blank(4096)?, f.blank(4096)?);
    let (buffer, other): (ur_mem_handle_t, ur_mem_handle_t) = ((*buffer).cast(), (*other).cast());
    let mut faults = Faults::default();
    let mut size = |what: &str, code| faults.expect(what, UR_RESULT_ERROR_INVALID_SIZE, code);
    size("a read past the end", given.read(buffer, 4090, 8));
    size("a read from the end on", given.read(buffer, 4096, 1));
    size("a read whose end wraps", given.read(buffer, usize::MAX, 8));
    size("a box without width", given.read_box(buffer, [0, 2, 1], [0; 4]));
    size("a box without height", given.read_box(buffer, [4, 0, 1], [0; 4]));
    size("a box without depth", given.read_box(buffer, [4, 2, 0], [0; 4]));
    size("rows longer than their pitch", given.read_box(buffer, [4, 2, 1], [2, 0, 0, 0]));
    size("rows of the host longer than their pitch", given.read_box(buffer, [4, 2, 1], [0, 0, 2, 0]));
    size("slices longer than their pitch", given.read_box(buffer, [4, 2, 1], [0, 4, 0, 0]));
    size("slices that are no whole rows", given.read_box(buffer, [4, 2, 1], [0, 9, 0, 0]));
    size("a box past the end", given.read_box(buffer, [4, 2000, 1], [0; 4]));
    size("a copy from past the end", given.copy([buffer, other], [4090, 0], 64));
    size("a copy to past the end", given.copy([buffer, other], [0, 4090], 64));
    size("a fill without a pattern", given.fill(buffer, 0, 0, 64));
    size("a fill of nothing", given.fill(buffer, 4, 0, 0));
    size("a fill past the end", given.fill(buffer, 4, 4080, 64));
    if let Ok(usm) = f.shared(4096) {
        let (calls, queue, host, start) = (given.calls, given.queue, given.host, usm.ptr);
        // SAFETY: live handles; nothing is written where the call is refused, as it has to be.
        unsafe {
            let fill = |pattern, size| {
                calls.urEnqueueUSMFill(queue, start, pattern, host, size, 0, null(), null_mut())
            };
            size("a fill of USM without a pattern", fill(0, 64));
            size("a fill of USM with less than the pattern", fill(128, 64));
            size("a fill of USM with a part of the pattern", fill(8, 60));
            let rows = |to: usize, from: usize| {
                calls.urEnqueueUSMMemcpy2D(queue, 1, start, to, host, from, 32, 2, 0, null(), null_mut())
            };
            size("rows of USM longer than their pitch", rows(16, 64));
            size("rows of the source longer than their pitch", rows(64, 16));
        }
    }
    all_well("49 (invalid size)", &faults.0)
}

fn of_allocations(f: &Env) -> Verdict {
    let (calls, context, device) = (calls(f)?, f.context()?.cast(), f.device.cast());
    let (mut memory, mut faults) = (null_mut(), Faults::default());
    let host = Given::new(f)?.host;
    f.shared(64)?;
    // SAFETY: live handles, room for the address, and memory that no adapter knows.
    unsafe {
        for size in [0, usize::MAX] {
            let mut size_is = |code| {
                faults.expect(&format!("{size:#x} bytes"), UR_RESULT_ERROR_INVALID_USM_SIZE, code);
            };
            size_is(calls.urUSMHostAlloc(context, null(), null_mut(), size, &mut memory));
            size_is(calls.urUSMDeviceAlloc(context, device, null(), null_mut(), size, &mut memory));
            size_is(calls.urUSMSharedAlloc(context, device, null(), null_mut(), size, &mut memory));
        }
        // The header specifies 11 (invalid memory object). Intel's adapters return 4, and programs show that number.
        let foreign = UR_RESULT_ERROR_INVALID_VALUE;
        faults.expect("a free of other memory", foreign, calls.urUSMFree(context, host));
    }
    all_well("4 (invalid value) or the code for sizes of allocations", &faults.0)
}

fn unknown_flags_of_structures(f: &Env) -> Verdict {
    const UNKNOWN: u32 = 1 << 31;
    let (calls, context, device) = (calls(f)?, f.context()?.cast(), f.device.cast());
    let mut faults = Faults::default();
    let mut expect = |what: &str, code| faults.expect(what, UR_RESULT_ERROR_INVALID_ENUMERATION, code);
    let desc = ur_usm_desc_t { stype: UR_STRUCTURE_TYPE_USM_DESC, pNext: null(), hints: UNKNOWN, align: 0 };
    let mut pool =
        ur_usm_pool_desc_t { stype: UR_STRUCTURE_TYPE_USM_POOL_DESC, pNext: null(), flags: UNKNOWN };
    let queue = ur_queue_properties_t {
        stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES,
        pNext: null_mut(),
        flags: UNKNOWN,
    };
    let of_context = ur_context_properties_t {
        stype: UR_STRUCTURE_TYPE_CONTEXT_PROPERTIES,
        pNext: null_mut(),
        flags: UNKNOWN,
    };
    // SAFETY: live handles, structures, and room for what must not come.
    unsafe {
        let mut memory = null_mut();
        expect("hints", calls.urUSMDeviceAlloc(context, device, &desc, null_mut(), 64, &mut memory));
        expect("a pool", calls.urUSMPoolCreate(context, &mut pool, &mut null_mut()));
        expect("a queue", calls.urQueueCreate(context, device, &queue, &mut null_mut()));
        expect("a context", calls.urContextCreate(1, &device, &of_context, &mut null_mut()));
    }
    all_well("53 (invalid enumeration)", &faults.0)
}

/// Makes sub-devices by counts: how many there are, and the code.
fn by_counts(f: &Env, scheme: u32, counts: &[u32], places: u32) -> Verdict<(u32, ur_result_t)> {
    let list: Vec<_> = counts
        .iter()
        .map(|count| ur_device_partition_property_t {
            type_: scheme,
            value: ur_device_partition_value_t { count: *count },
        })
        .collect();
    let properties = ur_device_partition_properties_t {
        stype: UR_STRUCTURE_TYPE_DEVICE_PARTITION_PROPERTIES,
        pNext: null_mut(),
        pProperties: list.as_ptr(),
        PropCount: list.len(),
    };
    let (calls, mut count, mut parts) = (calls(f)?, 0, [null_mut(); 4]);
    // SAFETY: a live device, a list, and room for four devices at most.
    unsafe {
        let place = if places == 0 { null_mut() } else { parts.as_mut_ptr() };
        let code = calls.urDevicePartition(f.device.cast(), &properties, places, place, &mut count);
        let made: Vec<_> = parts.into_iter().filter(|part| !part.is_null()).collect();
        check("handles", made.len() == places.min(count) as usize || code != 0, "as asked", made.len())?;
        for part in made {
            same_code("urDeviceRelease", UR_RESULT_SUCCESS, calls.urDeviceRelease(part))?;
        }
        Ok((count, code))
    }
}

fn partitions(f: &Env) -> Verdict {
    const COUNTS: u32 = UR_DEVICE_PARTITION_BY_COUNTS;
    let (_, unknown) = by_counts(f, 77, &[1], 1)?;
    same_code("an unknown scheme", UR_RESULT_ERROR_INVALID_ENUMERATION, unknown)?;
    if !f.schemes()?.contains(&PI_DEVICE_PARTITION_BY_COUNTS) {
        return Err(crate::outcome::Failure::skip(crate::skip::NO_PARTS));
    }
    let wrong = by_counts(f, COUNTS, &[0, 0], 1)?.1;
    same_code("only zeros", UR_RESULT_ERROR_INVALID_DEVICE_PARTITION_COUNT, wrong)?;
    same("a count, then zeros", (1, 0), by_counts(f, COUNTS, &[1, 0, 0], 1)?)?;
    same("a zero, then a count", (1, 0), by_counts(f, COUNTS, &[0, 1], 1)?)?;
    if f.fact::<u32>(PI_DEVICE_INFO_MAX_COMPUTE_UNITS)? >= 2 {
        same("a zero between counts", (2, 0), by_counts(f, COUNTS, &[1, 0, 1], 3)?)?;
        same("fewer places than sub-devices", (2, 0), by_counts(f, COUNTS, &[1, 1], 1)?)?;
        same("no places", (2, 0), by_counts(f, COUNTS, &[1, 1], 0)?)?;
    }
    Ok(())
}

fn parts_of_buffers(f: &Env) -> Verdict {
    let calls = calls(f)?;
    let whole = f.blank(8192)?;
    let part = |of: ur_mem_handle_t, origin: usize, size: usize| {
        let stype = UR_STRUCTURE_TYPE_BUFFER_REGION;
        let region = ur_buffer_region_t { stype, pNext: null(), origin, size };
        let mut made = null_mut();
        let kind = UR_BUFFER_CREATE_TYPE_REGION;
        let code =
            // SAFETY: a live buffer, a region, and room for the part.
            unsafe { calls.urMemBufferPartition(of, UR_MEM_FLAG_READ_WRITE, kind, &region, &mut made) };
        (code, made)
    };
    let mut faults = Faults::default();
    for (origin, size) in [
        (0, 0),
        (0, 8193),
        (8192, 1),
        (4096, 8192),
        (usize::MAX & !4095, 8192),
        (4096, usize::MAX),
        (1 << 62, 1),
    ] {
        let (code, _) = part((*whole).cast(), origin, size);
        faults.expect(&format!("{size:#x} bytes at {origin:#x}"), UR_RESULT_ERROR_INVALID_BUFFER_SIZE, code);
    }
    let (code, inner) = part((*whole).cast(), 4096, 4096);
    same_code("a part up to the end", UR_RESULT_SUCCESS, code)?;
    faults.expect("a part of a part", UR_RESULT_ERROR_INVALID_MEM_OBJECT, part(inner, 0, 64).0);
    // SAFETY: the part is this case's own.
    same_code("urMemRelease", UR_RESULT_SUCCESS, unsafe { calls.urMemRelease(inner) })?;
    all_well("10 (invalid buffer size), 11 for a part of a part", &faults.0)
}

fn image_queries(f: &Env) -> Verdict {
    f.need_images()?;
    let (calls, context) = (calls(f)?, f.context()?.cast());
    let format = ur_image_format_t {
        channelOrder: UR_IMAGE_CHANNEL_ORDER_RGBA,
        channelType: UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
    };
    let shapes = [
        (UR_MEM_TYPE_IMAGE1D, [16, 0, 0, 0]),
        (UR_MEM_TYPE_IMAGE2D, [16, 8, 0, 0]),
        (UR_MEM_TYPE_IMAGE3D, [16, 8, 4, 0]),
        (UR_MEM_TYPE_IMAGE1D_ARRAY, [16, 0, 0, 5]),
        (UR_MEM_TYPE_IMAGE2D_ARRAY, [16, 8, 0, 3]),
    ];
    let mut faults = Faults::default();
    for (kind, [width, height, depth, layers]) in shapes {
        let desc =
            ur_image_desc_t { type_: kind, width, height, depth, arraySize: layers, ..structures::IMAGE };
        let mut image = null_mut();
        let flags = UR_MEM_FLAG_READ_WRITE;
        // SAFETY: a live context, a format, a shape, and room for the image.
        let code = unsafe { calls.urMemImageCreate(context, flags, &format, &desc, null_mut(), &mut image) };
        same_code(&format!("an image of kind {kind}"), UR_RESULT_SUCCESS, code)?;
        let expected: [(u32, usize, usize); 8] = [
            (UR_IMAGE_INFO_FORMAT, 8, 5 | 12 << 32),
            (UR_IMAGE_INFO_ELEMENT_SIZE, 8, 16),
            (UR_IMAGE_INFO_WIDTH, 8, width),
            (UR_IMAGE_INFO_HEIGHT, 8, height),
            (UR_IMAGE_INFO_DEPTH, 8, depth),
            (UR_IMAGE_INFO_ARRAY_SIZE, 8, layers),
            (UR_IMAGE_INFO_NUM_MIP_LEVELS, 4, 0),
            (UR_IMAGE_INFO_NUM_SAMPLES, 4, 0),
        ];
        for (name, size, value) in expected {
            let (mut answer, mut length) = (0_usize, 0);
            let code =
                // SAFETY: a live image, and room for eight bytes.
                unsafe { calls.urMemImageGetInfo(image, name, 8, (&raw mut answer).cast(), &mut length) };
            if (code, length, answer) != (UR_RESULT_SUCCESS, size, value) {
                faults.0.push(format!(
                    "kind {kind}, query {name}: {}, {length} bytes, {answer:#x}",
                    ur_name(code)
                ));
            }
        }
        // SAFETY: the image is this case's own.
        same_code("urMemRelease", UR_RESULT_SUCCESS, unsafe { calls.urMemRelease(image) })?;
    }
    let desc = ur_image_desc_t {
        type_: UR_MEM_TYPE_IMAGE3D,
        width: 16,
        height: 8,
        depth: 4,
        slicePitch: 4096,
        ..structures::IMAGE
    };
    let (flags, mut none) = (UR_MEM_FLAG_READ_WRITE, null_mut());
    // SAFETY: a live context, a format, a shape, and room for the image that must not come.
    let code = unsafe { calls.urMemImageCreate(context, flags, &format, &desc, null_mut(), &mut none) };
    faults.expect("a pitch of no memory", UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, code);
    let buffer = f.blank(64)?;
    for name in UR_IMAGE_INFO_FORMAT..=UR_IMAGE_INFO_NUM_SAMPLES {
        let mut length = 0;
        // SAFETY: a live buffer, and room for the size.
        let code = unsafe { calls.urMemImageGetInfo((*buffer).cast(), name, 0, null_mut(), &mut length) };
        faults.expect(&format!("query {name} of a buffer"), UR_RESULT_ERROR_INVALID_MEM_OBJECT, code);
    }
    all_well("what the image was made with; 11 for a buffer", &faults.0)
}

/// Queues on the device can be created if the device reports them, and then accept no commands of the host.
fn queues_on_the_device(f: &Env) -> Verdict {
    const OUT_OF_ORDER: u32 = UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let (calls, context, device) = (calls(f)?, f.context()?.cast(), f.device.cast());
    let make = |flags, place: &mut ur_queue_handle_t| {
        let stype = UR_STRUCTURE_TYPE_QUEUE_PROPERTIES;
        let properties = ur_queue_properties_t { stype, pNext: null_mut(), flags };
        // SAFETY: live handles, and room for the queue.
        unsafe { calls.urQueueCreate(context, device, &properties, place) }
    };
    let (refused, mut queue) = (UR_RESULT_ERROR_INVALID_QUEUE_PROPERTIES, null_mut());
    same_code("one in order", refused, make(UR_QUEUE_FLAG_ON_DEVICE, &mut queue))?;
    same_code("a default one of the host", refused, make(UR_QUEUE_FLAG_ON_DEVICE_DEFAULT, &mut queue))?;
    let has = f.fact::<u64>(PI_DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES).unwrap_or(0) != 0;
    let expected = if has { UR_RESULT_SUCCESS } else { refused };
    same_code("one on the device", expected, make(OUT_OF_ORDER | UR_QUEUE_FLAG_ON_DEVICE, &mut queue))?;
    if !has {
        return Ok(());
    }
    let mut faults = Faults::default();
    let mut expect = |what: &str, code| faults.expect(what, UR_RESULT_ERROR_INVALID_QUEUE, code);
    let host = Given { queue, ..Given::new(f)? };
    let buffer = f.blank(64)?;
    let (mut size, mut empty) = (0_u32, 0_u8);
    // SAFETY: a live queue, and room for the answers.
    unsafe {
        expect("urQueueFinish", calls.urQueueFinish(queue));
        expect("urQueueFlush", calls.urQueueFlush(queue));
        expect("urEnqueueEventsWait", calls.urEnqueueEventsWait(queue, 0, null(), null_mut()));
        expect("urEnqueueMemBufferRead", host.read((*buffer).cast(), 0, 64));
        let place = (&raw mut empty).cast();
        expect("whether it is empty", calls.urQueueGetInfo(queue, UR_QUEUE_INFO_EMPTY, 1, place, null_mut()));
        let place = (&raw mut size).cast();
        let code = calls.urQueueGetInfo(queue, UR_QUEUE_INFO_SIZE, 4, place, null_mut());
        check("its size", code == UR_RESULT_SUCCESS && size > 0, "bytes", (code, size).1)?;
        same_code("urQueueRelease", UR_RESULT_SUCCESS, calls.urQueueRelease(queue))?;
    }
    all_well("3 (invalid queue)", &faults.0)
}

extern "C" fn nothing(_: ur_event_handle_t, _: ur_execution_info_t, _: *mut c_void) {}

fn events(f: &Env) -> Verdict {
    let given = Given::new(f)?;
    let (calls, queue, host) = (given.calls, given.queue, given.host);
    let timed = f.profiling()?;
    let mut faults = Faults::default();
    let mut event = null_mut();
    let kind = |event| {
        let mut kind = 0_u32;
        let place = (&raw mut kind).cast();
        // SAFETY: a live event, and room for the number.
        let code = unsafe { calls.urEventGetInfo(event, UR_EVENT_INFO_COMMAND_TYPE, 4, place, null_mut()) };
        if code == UR_RESULT_SUCCESS { kind } else { u32::MAX }
    };
    // SAFETY: live handles, and room for the results.
    unsafe {
        let code = calls.urEnqueueEventsWait((*timed).cast(), 0, null(), &mut event);
        same_code("urEnqueueEventsWait", UR_RESULT_SUCCESS, code)?;
        faults.expect("a wait for no event", UR_RESULT_ERROR_INVALID_VALUE, calls.urEventWait(0, &event));
        let times = calls.urEventGetProfilingInfo(event, UR_PROFILING_INFO_COMMAND_END, 0, host, null_mut());
        faults.expect("a time without room", UR_RESULT_ERROR_INVALID_VALUE, times);
        let queued = calls.urEventSetCallback(event, UR_EXECUTION_INFO_QUEUED, Some(nothing), null_mut());
        faults.expect("a callback for the start", UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION, queued);
        same_code("urEventWait", UR_RESULT_SUCCESS, calls.urEventWait(1, &event))?;
        same_code("urEventRelease", UR_RESULT_SUCCESS, calls.urEventRelease(event))?;
        if let Ok(usm) = f.shared(64) {
            let code = calls.urEnqueueUSMMemcpy(queue, 1, usm.ptr, host, 64, 0, null(), &mut event);
            same_code("urEnqueueUSMMemcpy", UR_RESULT_SUCCESS, code)?;
            faults.expect("the command of a copy", UR_COMMAND_USM_MEMCPY, kind(event));
            same_code("urEventRelease", UR_RESULT_SUCCESS, calls.urEventRelease(event))?;
            let code = calls.urEnqueueUSMFill(queue, usm.ptr, 4, host, 64, 0, null(), &mut event);
            same_code("urEnqueueUSMFill", UR_RESULT_SUCCESS, code)?;
            faults.expect("the command of a fill", UR_COMMAND_USM_FILL, kind(event));
            same_code("urEventWait", UR_RESULT_SUCCESS, calls.urEventWait(1, &event))?;
            same_code("urEventRelease", UR_RESULT_SUCCESS, calls.urEventRelease(event))?;
        }
    }
    all_well("what the header says", &faults.0)
}
