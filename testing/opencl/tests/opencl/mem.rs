//! Buffers and sub-buffers.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "mem",
        [
            is_counted,
            host_pointer_and_flags_must_agree,
            a_copied_host_pointer_is_free_at_once,
            a_used_host_pointer_shows_in_the_buffer,
            properties_for_other_devices_are_accepted,
            too_large_is_a_lack_of_memory,
            a_sub_buffer_is_a_window,
            boxes_are_copied_from_and_to_sub_buffers,
            a_sub_buffer_keeps_its_parent,
            bad_sub_buffers_are_refused,
            a_pending_command_keeps_its_buffer,
        ]
    );
}

/// `CL_MEM_REFERENCE_COUNT`: PI has no name for it, but drivers answer.
const REFERENCE_COUNT: pi_mem_info = 0x1105;
const RW: pi_mem_flags = PI_MEM_FLAGS_ACCESS_RW;

fn create(f: &Fixture, flags: pi_mem_flags, size: usize, host: *mut c_void) -> Result<pi_mem, CallError> {
    let mut mem = null_mut();
    let result = call!(f.pi, piMemBufferCreate(f.context, flags, size, host, &mut mem, null()));
    assert_eq!(result.is_err(), mem.is_null());
    result.map(|()| mem)
}

fn is_counted() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u8; 4]);
    let count = || get!(f.pi, piMemGetInfo(*buffer, REFERENCE_COUNT) as u32);
    assert_eq!(count(), 1);
    ok!(f.pi, piMemRetain(*buffer));
    assert_eq!(count(), 2);
    ok!(f.pi, piMemRelease(*buffer));
    assert_eq!(count(), 1);
}

fn host_pointer_and_flags_must_agree() {
    let f = Fixture::new();
    let mut data = 0_u32;
    let host = (&raw mut data).cast();
    let refused = |flags, host| {
        calls::expect_refusal(create(&f, flags, 4, host).map(|_| ()), &[PI_ERROR_INVALID_HOST_PTR]);
    };
    refused(RW | PI_MEM_FLAGS_HOST_PTR_USE, null_mut());
    refused(RW | PI_MEM_FLAGS_HOST_PTR_COPY, null_mut());
    refused(RW, host);
    refused(RW | PI_MEM_FLAGS_HOST_PTR_ALLOC, host);
}

fn a_copied_host_pointer_is_free_at_once() {
    let f = Fixture::new();
    let mut data = [1_u32, 2, 3];
    let flags = RW | PI_MEM_FLAGS_HOST_PTR_COPY;
    let mem = create(&f, flags, 12, data.as_mut_ptr().cast()).unwrap();
    data.fill(99);
    assert_eq!(f.content::<u32>(mem, 3), [1, 2, 3]);
    ok!(f.pi, piMemRelease(mem));
    assert_eq!(data, [99; 3]);
}

fn a_used_host_pointer_shows_in_the_buffer() {
    let f = Fixture::new();
    let mut data = vec![5_u32; 1024];
    let flags = RW | PI_MEM_FLAGS_HOST_PTR_USE;
    let mem = create(&f, flags, 4096, data.as_mut_ptr().cast()).unwrap();
    assert_eq!(f.content::<u32>(mem, 1024), [5; 1024]);
    ok!(f.pi, piMemRelease(mem));
}

fn properties_for_other_devices_are_accepted() {
    let f = Fixture::new();
    for properties in [[0, 0, 0], [PI_MEM_PROPERTIES_CHANNEL, 1, 0]] {
        let list = properties.as_ptr();
        let result = call!(f.pi, piMemBufferCreate(f.context, RW, 16, null_mut(), &mut null_mut(), list));
        // Drivers with the extension judge the channel; ours must not refuse what it has no use for.
        if properties[0] == 0 {
            result.unwrap();
        } else if let Err(error) = result {
            assert!(error.code().is_some_and(|code| code != PI_ERROR_UNKNOWN), "{error}");
        }
    }
}

fn too_large_is_a_lack_of_memory() {
    let f = Fixture::new();
    let refusal = create(&f, RW, usize::MAX / 2, null_mut()).map(|_| ());
    calls::expect_refusal(
        refusal,
        &[
            PI_ERROR_OUT_OF_RESOURCES,
            PI_ERROR_MEM_OBJECT_ALLOCATION_FAILURE,
            PI_ERROR_OUT_OF_HOST_MEMORY,
            PI_ERROR_INVALID_BUFFER_SIZE,
        ],
    );
}

fn partition(
    f: &Fixture,
    mem: pi_mem,
    flags: pi_mem_flags,
    origin: usize,
    size: usize,
) -> Result<pi_mem, CallError> {
    let mut region = pi_buffer_region_struct { origin, size };
    let mut part = null_mut();
    let info = (&raw mut region).cast();
    call!(f.pi, piMemBufferPartition(mem, flags, PI_BUFFER_CREATE_TYPE_REGION, info, &mut part))
        .map(|()| part)
}

/// Where sub-buffers may start, in bytes.
fn alignment(f: &Fixture) -> usize {
    get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN) as u32) as usize / 8
}

fn a_sub_buffer_is_a_window() {
    let f = Fixture::new();
    let at = alignment(&f);
    let parent = f.buffer(&vec![1_u8; 3 * at]);
    for flags in [RW, 0] {
        let part = partition(&f, *parent, flags, at, at).unwrap();
        let data = vec![7_u8; at];
        let start = data.as_ptr().cast();
        ok!(f.pi, piEnqueueMemBufferWrite(f.queue, part, 1, 0, at, start, 0, null(), null_mut()));
        let content = f.content::<u8>(*parent, 3 * at);
        assert!(content[..at].iter().chain(&content[2 * at..]).all(|byte| *byte == 1));
        assert!(content[at..2 * at].iter().all(|byte| *byte == 7));
        let nine = 9_u8;
        let pattern = (&raw const nine).cast();
        ok!(f.pi, piEnqueueMemBufferFill(f.queue, *parent, pattern, 1, 0, 3 * at, 0, null(), null_mut()));
        assert!(f.content::<u8>(part, at).iter().all(|byte| *byte == 9));
        ok!(f.pi, piMemRelease(part));
        let one = 1_u8;
        let pattern = (&raw const one).cast();
        ok!(f.pi, piEnqueueMemBufferFill(f.queue, *parent, pattern, 1, 0, 3 * at, 0, null(), null_mut()));
    }
}

/// PoCL 3.1 ends the process over a part in such a copy, so the plugin names the whole buffer there.
fn boxes_are_copied_from_and_to_sub_buffers() {
    let f = Fixture::new();
    let start = alignment(&f);
    let size = 2 * start + 64;
    let content: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
    let (from, other) = (f.buffer(&content), f.buffer(&vec![0_u8; size]));
    let part = |of, origin| partition(&f, of, 0, origin, 64).expect("a part");
    let (source, own, others) = (part(*from, start), part(*from, 2 * start), part(*other, start));
    let corner = |at: usize| pi_buff_rect_offset_struct { x_bytes: at, y_scalar: at, z_scalar: at };
    let (mut at, mut region) =
        (corner(1), pi_buff_rect_region_struct { width_bytes: 2, height_scalar: 2, depth_scalar: 2 });
    for (src, src_start, dst, whole, dst_start) in [
        (source, start, *other, *other, 0),
        (*from, 0, others, *other, start),
        (source, start, others, *other, start),
        (source, start, own, *from, 2 * start),
    ] {
        let mut to = corner(2);
        let event: pi_event = made!(f.pi, |out| piEnqueueMemBufferCopyRect(
            f.queue,
            src,
            dst,
            &mut at,
            &mut to,
            &mut region,
            4,
            16,
            4,
            16,
            0,
            null(),
            out
        ));
        f.wait(event);
        let copied = f.content::<u8>(whole, size);
        for (x, y, z) in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 1)] {
            let place = |corner: usize| corner + x + 4 * (corner + y) + 16 * (corner + z);
            assert_eq!(copied[dst_start + place(2)], content[src_start + place(1)]);
        }
    }
    [source, own, others].into_iter().for_each(|part| ok!(f.pi, piMemRelease(part)));
}

fn a_sub_buffer_keeps_its_parent() {
    let f = Fixture::new();
    let at = alignment(&f);
    let parent = create(&f, RW, 2 * at, null_mut()).unwrap();
    let part = partition(&f, parent, RW, at, at).unwrap();
    ok!(f.pi, piMemRelease(parent));
    let data = vec![3_u8; at];
    ok!(f.pi, piEnqueueMemBufferWrite(f.queue, part, 1, 0, at, data.as_ptr().cast(), 0, null(), null_mut()));
    assert_eq!(f.content::<u8>(part, at), data);
    ok!(f.pi, piMemRelease(part));
}

fn bad_sub_buffers_are_refused() {
    let f = Fixture::new();
    let at = alignment(&f);
    let parent = f.buffer(&vec![0_u8; 4 * at]);
    let refused = |result: Result<pi_mem, CallError>, codes: &[pi_result]| {
        calls::expect_refusal(result.map(|_| ()), codes);
    };
    let past_end = &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_BUFFER_SIZE];
    refused(partition(&f, *parent, RW, 0, 0), &[PI_ERROR_INVALID_BUFFER_SIZE]);
    refused(partition(&f, *parent, RW, at, 4 * at), past_end);
    refused(partition(&f, *parent, RW, 4 * at, 1), past_end);
    refused(partition(&f, *parent, RW, at, usize::MAX), past_end);
    refused(partition(&f, *parent, RW, usize::MAX - at + 1, at), past_end);
    refused(partition(&f, *parent, RW, 1, at), &[PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET]);
    let part = partition(&f, *parent, RW, at, 2 * at).unwrap();
    refused(partition(&f, part, RW, 0, at), &[PI_ERROR_INVALID_MEM_OBJECT]);
    ok!(f.pi, piMemRelease(part));

    let read_only = create(&f, PI_MEM_ACCESS_READ_ONLY, 2 * at, null_mut()).unwrap();
    refused(partition(&f, read_only, RW, 0, at), &[PI_ERROR_INVALID_VALUE]);
    ok!(f.pi, piMemRelease(read_only));

    let mut region = pi_buffer_region_struct { origin: 0, size: at };
    let info = (&raw mut region).cast::<c_void>();
    let kind = PI_BUFFER_CREATE_TYPE_REGION;
    let mut out = null_mut();
    let pi = f.pi;
    refused!(pi, piMemBufferPartition(*parent, RW, 0x7777, info, &mut out), PI_ERROR_INVALID_VALUE);
    refused!(pi, piMemBufferPartition(*parent, RW, kind, null_mut(), &mut out), PI_ERROR_INVALID_VALUE);
    refused!(pi, piMemBufferPartition(*parent, RW, kind, info, null_mut()), PI_ERROR_INVALID_VALUE);
}

fn a_pending_command_keeps_its_buffer() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"slow");
    let mem = create(&f, RW, 4, null_mut()).unwrap();
    f.set_mem(*kernel, 0, mem);
    let event: pi_event =
        made!(f.pi, |out| piEnqueueKernelLaunch(f.queue, *kernel, 1, null(), &1, null(), 0, null(), out));
    ok!(f.pi, piMemRelease(mem));
    f.wait(event);
}
