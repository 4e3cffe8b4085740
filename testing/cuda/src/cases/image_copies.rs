//! Copies between images and memory whose rows and slices have a pitch.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::{Host, ok, structures};

use super::Case;
use super::unified_runtime::newest;

pub(crate) const CASES: &[Case] = &[
    ("ur_images_are_copied_from_rows_and_slices_of_the_host", of_the_host),
    ("ur_images_are_copied_from_rows_and_slices_of_a_device", of_a_device),
    ("ur_memory_that_is_not_mapped_is_not_freed_as_if", not_mapped),
];

/// A number is its place: the column, then the row, then the slice.
const WIDTH: usize = 4;
const HEIGHT: usize = 3;
const DEPTH: usize = 2;

const FORMAT: ur_image_format_t = ur_image_format_t {
    channelOrder: UR_IMAGE_CHANNEL_ORDER_R,
    channelType: UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
};

const SHAPE: ur_image_desc_t = ur_image_desc_t {
    type_: UR_MEM_TYPE_IMAGE3D,
    width: WIDTH,
    height: HEIGHT,
    depth: DEPTH,
    ..structures::IMAGE
};

/// Numbers in rows and slices that are this many numbers apart. The gaps between them contain 77.
fn numbers(row: usize, slice: usize) -> Vec<u32> {
    let mut numbers = vec![77; slice * DEPTH];
    for place in 0..WIDTH * HEIGHT * DEPTH {
        let (x, y, z) = (place % WIDTH, place / WIDTH % HEIGHT, place / WIDTH / HEIGHT);
        numbers[z * slice + y * row + x] = (100 * z + 10 * y + x) as u32;
    }
    numbers
}

struct Image {
    host: Host,
    memory: usize,
}

impl Image {
    fn new() -> Self {
        let (host, mut memory) = (newest(), 0);
        let (context, device) = (host.context, host.device);
        // SAFETY: live handles, structures of their types, and room for the memory.
        ok(unsafe {
            host.calls.urBindlessImagesImageAllocateExp(context, device, &FORMAT, &SHAPE, &mut memory)
        });
        Self { host, memory }
    }

    /// Copies the whole image to or from memory of a shape.
    fn copy(
        &self,
        other: *mut c_void,
        shape: &ur_image_desc_t,
        flags: ur_exp_image_copy_flags_t,
        is_up: bool,
    ) {
        let nowhere = ur_rect_offset_t { x: 0, y: 0, z: 0 };
        let mut region = ur_exp_image_copy_region_t {
            stype: UR_STRUCTURE_TYPE_EXP_IMAGE_COPY_REGION,
            pNext: null(),
            srcOffset: nowhere,
            dstOffset: nowhere,
            copyExtent: ur_rect_region_t { width: WIDTH as u64, height: HEIGHT as u64, depth: DEPTH as u64 },
        };
        let (calls, queue) = (self.host.calls, self.host.queue);
        let image = std::ptr::with_exposed_provenance_mut(self.memory);
        let ((src, src_shape), (dst, dst_shape)) =
            if is_up { ((other, shape), (image, &SHAPE)) } else { ((image, &SHAPE), (other, shape)) };
        let (format, region) = (&FORMAT, &raw mut region);
        // SAFETY: live handles, and memory of the shape.
        unsafe {
            ok(calls.urBindlessImagesImageCopyExp(
                queue,
                src,
                dst,
                src_shape,
                dst_shape,
                format,
                format,
                region,
                flags,
                0,
                0,
                null(),
                null_mut(),
            ));
            ok(calls.urQueueFinish(queue));
        }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let Host { calls, context, device, .. } = self.host;
        // SAFETY: live handles, and memory that nothing uses.
        ok(unsafe { calls.urBindlessImagesImageFreeExp(context, device, self.memory) });
    }
}

/// The host's shape may have more columns and rows than are copied, fewer in place of none, or rows with a pitch.
fn of_the_host() {
    let image = Image::new();
    let shape = |width, height, row: usize| ur_image_desc_t { width, height, rowPitch: 4 * row, ..SHAPE };
    for (shape, row, slice) in [
        (shape(WIDTH, HEIGHT, 0), 4, 12),
        (shape(WIDTH + 2, HEIGHT + 1, 0), 6, 24),
        (shape(WIDTH, HEIGHT, 8), 8, 24),
        (shape(WIDTH, HEIGHT + 2, 8), 8, 40),
        (shape(1, 1, 0), 4, 12),
    ] {
        let (expected, mut back) = (numbers(row, slice), vec![77; slice * DEPTH]);
        let start = expected.as_ptr().cast_mut().cast();
        image.copy(start, &shape, UR_EXP_IMAGE_COPY_FLAG_HOST_TO_DEVICE, true);
        image.copy(back.as_mut_ptr().cast(), &shape, UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_HOST, false);
        assert_eq!(back, expected, "{row} {slice}");
        // Without gaps, so it is the image that is right, not only the way back.
        let (whole, mut back) = (numbers(WIDTH, WIDTH * HEIGHT), vec![0; WIDTH * HEIGHT * DEPTH]);
        image.copy(back.as_mut_ptr().cast(), &SHAPE, UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_HOST, false);
        assert_eq!(back, whole, "{row} {slice}");
    }
}

fn of_a_device() {
    let image = Image::new();
    let host = image.host;
    for (row, slice) in [(4, 12), (8, 24), (8, 40)] {
        let shape = ur_image_desc_t { rowPitch: 4 * row, slicePitch: 4 * slice, ..SHAPE };
        let (expected, memory) = (numbers(row, slice), host.memory(77, slice * DEPTH));
        let (back, size) = (host.memory(77, slice * DEPTH), 4 * slice * DEPTH);
        let (calls, from) = (host.calls, expected.as_ptr().cast());
        // SAFETY: live handles, and memory of that size.
        ok(unsafe { calls.urEnqueueUSMMemcpy(host.queue, 1, memory, from, size, 0, null(), null_mut()) });
        image.copy(memory, &shape, UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_DEVICE, true);
        image.copy(back, &shape, UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_DEVICE, false);
        assert_eq!(host.numbers(back, slice * DEPTH), expected, "{row} {slice}");
        for memory in [memory, back] {
            // SAFETY: live handles, and memory that is freed once.
            ok(unsafe { calls.urUSMFree(host.context, memory) });
        }
    }
}

fn not_mapped() {
    let host = newest();
    let Host { calls, context, device, .. } = host;
    let (mut number, mut text, mut code, mut adapter) = (0_u32, null(), 0, null_mut());
    let wrong = (&raw mut number).cast();
    // SAFETY: live handles, an address that the adapter looks up, and room for the results.
    let text = unsafe {
        let told = calls.urBindlessImagesFreeMappedLinearMemoryExp(context, device, wrong);
        assert_eq!(told, UR_RESULT_ERROR_INVALID_VALUE);
        ok(calls.urAdapterGet(1, &mut adapter, null_mut()));
        ok(calls.urAdapterGetLastError(adapter, &mut text, &mut code));
        std::ffi::CStr::from_ptr(text).to_string_lossy()
    };
    assert!(text.contains("is not mapped memory of a device"), "{text}");
}
