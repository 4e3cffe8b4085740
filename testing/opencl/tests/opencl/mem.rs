//! Buffers and sub-buffers.

use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "mem",
        [
            properties_for_other_devices_are_accepted,
            boxes_are_copied_from_and_to_sub_buffers,
            a_box_is_copied_to_a_buffer_of_its_own_size,
            a_box_that_leaves_either_buffer_is_refused,
        ]
    );
}

const RW: pi_mem_flags = PI_MEM_FLAGS_ACCESS_RW;

fn properties_for_other_devices_are_accepted() {
    let f = Fixture::new();
    for properties in [[0, 0, 0], [PI_MEM_PROPERTIES_CHANNEL, 1, 0]] {
        let list = properties.as_ptr();
        let result = call!(f.pi, piMemBufferCreate(f.context, RW, 16, null_mut(), &mut null_mut(), list));
        // Drivers with the extension check the channel. Our plugin must not refuse it on drivers without.
        if properties[0] == 0 {
            result.unwrap();
        } else if let Err(error) = result {
            assert!(error.code().is_some_and(|code| code != PI_ERROR_UNKNOWN), "{error}");
        }
    }
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

/// Returns the alignment of sub-buffers in bytes.
fn alignment(f: &Fixture) -> usize {
    get!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN) as u32) as usize / 8
}

/// PoCL 3.1 ends the process over a sub-buffer in such a copy, so the plugin passes the whole buffer there.
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

/// Each side has pitches of its own, and those of the source would leave the destination.
fn a_box_is_copied_to_a_buffer_of_its_own_size() {
    const SIDE: usize = 16;
    let f = Fixture::new();
    let content: Vec<u8> = (0..SIDE * SIDE).map(|at| at as u8).collect();
    let (from, to) = (f.buffer(&content), f.buffer(&[0_u8; 12]));
    let mut corner = pi_buff_rect_offset_struct { x_bytes: 2, y_scalar: 3, z_scalar: 0 };
    let mut start = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut region = pi_buff_rect_region_struct { width_bytes: 4, height_scalar: 3, depth_scalar: 1 };
    let event: pi_event = made!(f.pi, |out| piEnqueueMemBufferCopyRect(
        f.queue,
        *from,
        *to,
        &mut corner,
        &mut start,
        &mut region,
        SIDE,
        SIDE * SIDE,
        4,
        12,
        0,
        null(),
        out
    ));
    f.wait(event);
    let expected: Vec<u8> = (3..6).flat_map(|row| content[SIDE * row + 2..][..4].to_vec()).collect();
    assert_eq!(f.content::<u8>(*to, 12), expected);
}

/// Drivers refuse some of these boxes and not others, so the plugin refuses them itself.
fn a_box_that_leaves_either_buffer_is_refused() {
    let f = Fixture::new();
    let (small, large) = (f.buffer(&[1_u8; 64]), f.buffer(&[2_u8; 256]));
    let mut region = pi_buff_rect_region_struct { width_bytes: 8, height_scalar: 8, depth_scalar: 1 };
    let corner = |x_bytes| pi_buff_rect_offset_struct { x_bytes, y_scalar: 0, z_scalar: 0 };
    for (src, dst, from, to) in [(*small, *large, 1, 0), (*large, *small, 0, 1)] {
        let (mut from, mut to) = (corner(from), corner(to));
        let text = refused!(
            f.pi,
            piEnqueueMemBufferCopyRect(
                f.queue,
                src,
                dst,
                &mut from,
                &mut to,
                &mut region,
                8,
                0,
                8,
                0,
                0,
                null(),
                null_mut()
            ),
            PI_ERROR_INVALID_VALUE
        );
        assert!(text.contains("ends at byte 65 of a buffer that has 64"), "{text}");
    }
}
