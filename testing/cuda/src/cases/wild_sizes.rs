//! Tests of copies of boxes with sizes and corners beyond any memory.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use super::Case;
use super::buffers::buffer;
use super::images::RGBA32;
use crate::fixture::{is_software, last_error};
use crate::{Fixture, code, fails, ok};
use sycl_pi_core::*;
use testing_support::image_desc;

pub(crate) const CASES: &[Case] = &[
    ("image_copies_of_wild_sizes_are_refused", images),
    ("image_copies_stay_in_the_hosts_extent", host_extent),
    ("rectangles_that_begin_beyond_memory_are_refused", rectangles),
    ("work_groups_of_wild_sizes_are_refused", work_groups),
    ("cooperative_work_groups_fill_every_multiprocessor", cooperative),
];

fn work_groups() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("scale");
    for size in WILD {
        let mut count = 0;
        let text = fails!(
            piextKernelSuggestMaxCooperativeGroupCount(kernel.raw, size, 0, &mut count),
            PI_ERROR_INVALID_WORK_GROUP_SIZE
        );
        assert!(text.contains("local_work_size"), "{text}");
    }
}

/// A corner or a region as three numbers.
type Triple = [usize; 3];

/// The software GPU takes 2048 threads on a multiprocessor.
fn cooperative() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("scale");
    let mut units = 0_u32;
    let place = (&raw mut units).cast();
    ok!(piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_MAX_COMPUTE_UNITS, 4, place, null_mut()));
    assert!(units > 2, "{units}: a sum and a product must differ");
    for (size, on_each) in [(1024, 2), (256, 8)] {
        let mut count = 0;
        ok!(piextKernelSuggestMaxCooperativeGroupCount(kernel.raw, size, 0, &mut count));
        assert!(!is_software() || count == units * on_each, "{count} of {size} on {units}");
        assert_eq!(count % units, 0);
    }
}

/// The arguments of a copy: the two corners, the copied region and the host's shape.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shapes {
    src: Triple,
    dst: Triple,
    copied: Triple,
    host: Triple,
}

const GOOD: Shapes = Shapes { src: [0; 3], dst: [0; 3], copied: [8, 4, 1], host: [8, 4, 1] };

/// Sizes whose product with a pixel's 16 bytes wraps to 16, or whose sum with the rest wraps.
const WILD: [usize; 4] = [(1 << 60) + 1, 1 << 60, usize::MAX / 2, usize::MAX];

/// Copies 8 by 4 pixels, in image memory or on the host. Returns the code.
fn copy(
    queue: pi_queue,
    to: *mut c_void,
    from: *mut c_void,
    flags: pi_image_copy_flags,
    shapes: Shapes,
) -> pi_result {
    let offset = |[x, y, z]: Triple| pi_image_offset_struct { x, y, z };
    let region = |[width, height, depth]: Triple| pi_image_region_struct { width, height, depth };
    let (mut src, mut dst) = (offset(shapes.src), offset(shapes.dst));
    let (mut copied, mut of_host) = (region(shapes.copied), region(shapes.host));
    let desc = image_desc(PI_MEM_TYPE_IMAGE2D, [8, 4, 0]);
    code!(piextMemImageCopy(
        queue,
        to,
        from,
        &RGBA32,
        &desc,
        flags,
        &mut src,
        &mut dst,
        &mut copied,
        &mut of_host,
        0,
        null(),
        null_mut()
    ))
}

/// Returns [`GOOD`] with each number replaced by a wild one, and with widths and heights of 0.
fn bad_shapes() -> Vec<Shapes> {
    let mut all = Vec::new();
    for size in WILD {
        for axis in 0..3 {
            let with = |change: fn(&mut Shapes) -> &mut Triple| {
                let mut shapes = GOOD;
                change(&mut shapes)[axis] = size;
                shapes
            };
            all.extend([with(|all| &mut all.src), with(|all| &mut all.dst), with(|all| &mut all.copied)]);
            // The host's depth does not affect where bytes are.
            if axis < 2 {
                all.push(with(|all| &mut all.host));
            }
        }
    }
    all.push(Shapes { copied: [0, 4, 1], host: [0, 4, 1], ..GOOD });
    all
}

fn images() {
    let fixture = Fixture::new();
    let (mut format, mut shape, mut array) = (RGBA32, image_desc(PI_MEM_TYPE_IMAGE2D, [8, 4, 0]), null_mut());
    ok!(piextMemImageAllocate(fixture.context, fixture.device, &mut format, &mut shape, &mut array));
    let (memory, queue) = (fixture.device_memory(16 * 32), fixture.queue);
    let pixels: Vec<u32> = (0..128).collect();
    let (mut host, mut wrong) = (pixels.clone(), Vec::new());
    let start: *mut c_void = host.as_mut_ptr().cast();
    for (image, other) in [(array, memory.start), (memory.start, array)] {
        assert_eq!(copy(queue, image, start, PI_IMAGE_COPY_HOST_TO_DEVICE, GOOD), PI_SUCCESS);
        for shapes in bad_shapes() {
            for (to, from, flags) in [
                (image, start, PI_IMAGE_COPY_HOST_TO_DEVICE),
                (start, image, PI_IMAGE_COPY_DEVICE_TO_HOST),
                (other, image, PI_IMAGE_COPY_DEVICE_TO_DEVICE),
            ] {
                let has_host = flags != PI_IMAGE_COPY_DEVICE_TO_DEVICE;
                let is_bad = has_host || Shapes { host: GOOD.host, ..shapes } != GOOD;
                if is_bad && copy(queue, to, from, flags, shapes) != PI_ERROR_INVALID_VALUE {
                    wrong.push(format!("{shapes:?}, {flags}: {}", last_error()));
                }
            }
        }
        fixture.finish();
        host.fill(0);
        assert_eq!(copy(queue, start, image, PI_IMAGE_COPY_DEVICE_TO_HOST, GOOD), PI_SUCCESS);
        fixture.finish();
        assert_eq!(host, pixels);
    }
    assert!(wrong.is_empty(), "{} answers:\n{}", wrong.len(), wrong.join("\n"));
    ok!(piextMemImageFree(fixture.context, fixture.device, array));
}

/// Only the extent tells how much memory the host's side has.
fn host_extent() {
    let fixture = Fixture::new();
    let (mut format, mut shape, mut array) = (RGBA32, image_desc(PI_MEM_TYPE_IMAGE2D, [8, 4, 0]), null_mut());
    ok!(piextMemImageAllocate(fixture.context, fixture.device, &mut format, &mut shape, &mut array));
    let queue = fixture.queue;
    let pixels: Vec<u32> = (0..128).collect();
    let mut host = pixels.clone();
    let start: *mut c_void = host.as_mut_ptr().cast();
    for corner in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [4, 4, 1 << 32], [0, 0, 1 << 40], [0, usize::MAX, 0]] {
        let (read, write) = (Shapes { src: corner, ..GOOD }, Shapes { dst: corner, ..GOOD });
        assert_eq!(copy(queue, array, start, PI_IMAGE_COPY_HOST_TO_DEVICE, read), PI_ERROR_INVALID_VALUE);
        assert!(last_error().contains("src_offset"), "{}", last_error());
        assert_eq!(copy(queue, start, array, PI_IMAGE_COPY_DEVICE_TO_HOST, write), PI_ERROR_INVALID_VALUE);
        assert!(last_error().contains("dst_offset"), "{}", last_error());
    }
    // Copies a quarter to the start of the image, and back to the end of the host's memory.
    let quarter = Shapes { copied: [4, 2, 1], ..GOOD };
    let (read, write) = (Shapes { src: [4, 0, 0], ..quarter }, Shapes { dst: [4, 2, 0], ..quarter });
    assert_eq!(copy(queue, array, start, PI_IMAGE_COPY_HOST_TO_DEVICE, read), PI_SUCCESS);
    fixture.finish();
    assert_eq!(copy(queue, start, array, PI_IMAGE_COPY_DEVICE_TO_HOST, write), PI_SUCCESS);
    fixture.finish();
    let (row, half) = (32, 16);
    assert_eq!(host[2 * row + half..3 * row], pixels[half..row]);
    assert_eq!(host[3 * row + half..], pixels[row + half..2 * row]);
    assert_eq!(host[..2 * row + half], pixels[..2 * row + half]);
    // A copy of a plain image has no depth.
    let flat = Shapes { copied: [8, 4, 0], host: [8, 4, 0], ..GOOD };
    assert_eq!(copy(queue, start, array, PI_IMAGE_COPY_DEVICE_TO_HOST, flat), PI_SUCCESS);
    fixture.finish();
    ok!(piextMemImageFree(fixture.context, fixture.device, array));
}

fn rectangles() {
    let fixture = Fixture::new();
    let mem = buffer(&fixture, PI_MEM_FLAGS_ACCESS_RW, 64, null_mut());
    let mut host = [9_u8; 64];
    // Eight bytes before the host's memory once the sum has wrapped, and beyond all memory.
    for (x, y, z) in [(usize::MAX - 7, 0, 0), (usize::MAX, 1, 0), (0, usize::MAX, 0), (0, 0, usize::MAX / 4)]
    {
        let mut origin = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
        let mut wild = pi_buff_rect_offset_struct { x_bytes: x, y_scalar: y, z_scalar: z };
        let mut region = pi_buff_rect_region_struct { width_bytes: 8, height_scalar: 1, depth_scalar: 1 };
        fails!(
            piEnqueueMemBufferReadRect(
                fixture.queue,
                mem,
                1,
                &mut origin,
                &mut wild,
                &mut region,
                8,
                8,
                8,
                8,
                host.as_mut_ptr().cast(),
                0,
                null(),
                null_mut()
            ),
            PI_ERROR_INVALID_VALUE
        );
    }
    assert_eq!(host, [9; 64]);
    ok!(piMemRelease(mem));
}
