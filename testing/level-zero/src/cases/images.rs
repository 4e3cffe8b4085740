//! Tests of images on the software driver.

use std::ptr::{null, null_mut};

use level_zero_sys::*;

use super::Case;
use crate::{Fixture, Soft, code, fails, fixture, ok};
use sycl_pi_core::*;
use testing_support::{image_desc, last_error};

pub(crate) const CASES: &[Case] = &[
    ("images_of_other_formats_are_not_copied", other_formats),
    ("slices_are_a_pitch_apart_in_host_memory", slices),
    ("every_format_has_its_elements_and_keeps_their_bytes", formats),
    ("an_image_knows_its_shape_and_its_pitches", shapes),
    ("an_image_is_as_large_as_the_device_has_and_no_larger", largest),
    ("a_region_ends_at_the_edge_of_its_image", edges),
    ("each_line_of_an_array_of_lines_is_a_slice_in_host_memory", lines),
    ("only_copies_with_pitches_need_the_driver_s_extension", extension),
];

const RGBA8: pi_image_format = pi_image_format {
    image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
    image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
};

fn create(fixture: &Fixture, format: &pi_image_format, desc: &pi_image_desc) -> pi_mem {
    let (flags, mut image) = (PI_MEM_FLAGS_ACCESS_RW, null_mut());
    ok!(fixture.pi, piMemImageCreate(fixture.context, flags, format, desc, null_mut(), &mut image));
    image
}

/// Creates an image of bytes of the host.
fn of_bytes(fixture: &Fixture, desc: &pi_image_desc, bytes: &mut [u8]) -> pi_mem {
    let (flags, mut image) = (PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, null_mut());
    let start = bytes.as_mut_ptr().cast();
    ok!(fixture.pi, piMemImageCreate(fixture.context, flags, &RGBA8, desc, start, &mut image));
    image
}

/// Reads a part of an image, and returns the code.
fn read(
    fixture: &Fixture,
    image: pi_mem,
    [origin, region]: [[usize; 3]; 2],
    pitches: [usize; 2],
    bytes: &mut [u8],
) -> pi_result {
    let mut origin = pi_image_offset_struct { x: origin[0], y: origin[1], z: origin[2] };
    let mut region = pi_image_region_struct { width: region[0], height: region[1], depth: region[2] };
    let ([row, slice], room, queue) = (pitches, bytes.as_mut_ptr().cast(), fixture.queue);
    let (at, part, none) = (&raw mut origin, &raw mut region, null_mut());
    code!(fixture.pi, piEnqueueMemImageRead(queue, image, 1, at, part, row, slice, room, 0, null(), none))
}

/// The bytes of each component, and the type that the driver has for it.
const TYPES: [(pi_image_channel_type, usize, ze_image_format_type_t); 12] = [
    (PI_IMAGE_CHANNEL_TYPE_SNORM_INT8, 1, ZE_IMAGE_FORMAT_TYPE_SNORM),
    (PI_IMAGE_CHANNEL_TYPE_SNORM_INT16, 2, ZE_IMAGE_FORMAT_TYPE_SNORM),
    (PI_IMAGE_CHANNEL_TYPE_UNORM_INT8, 1, ZE_IMAGE_FORMAT_TYPE_UNORM),
    (PI_IMAGE_CHANNEL_TYPE_UNORM_INT16, 2, ZE_IMAGE_FORMAT_TYPE_UNORM),
    (PI_IMAGE_CHANNEL_TYPE_SIGNED_INT8, 1, ZE_IMAGE_FORMAT_TYPE_SINT),
    (PI_IMAGE_CHANNEL_TYPE_SIGNED_INT16, 2, ZE_IMAGE_FORMAT_TYPE_SINT),
    (PI_IMAGE_CHANNEL_TYPE_SIGNED_INT32, 4, ZE_IMAGE_FORMAT_TYPE_SINT),
    (PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, 1, ZE_IMAGE_FORMAT_TYPE_UINT),
    (PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16, 2, ZE_IMAGE_FORMAT_TYPE_UINT),
    (PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32, 4, ZE_IMAGE_FORMAT_TYPE_UINT),
    (PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT, 2, ZE_IMAGE_FORMAT_TYPE_FLOAT),
    (PI_IMAGE_CHANNEL_TYPE_FLOAT, 4, ZE_IMAGE_FORMAT_TYPE_FLOAT),
];

/// The number of components, and the driver's numbers of what they are: red, green, blue and alpha are 0 to 3, and a
/// component that is always 0 or 1 is 4 or 5.
const ORDERS: [(pi_image_channel_order, usize, [u32; 4]); 7] = [
    (PI_IMAGE_CHANNEL_ORDER_R, 1, [0, 4, 4, 5]),
    (PI_IMAGE_CHANNEL_ORDER_A, 1, [4, 4, 4, 3]),
    (PI_IMAGE_CHANNEL_ORDER_RG, 2, [0, 1, 4, 5]),
    (PI_IMAGE_CHANNEL_ORDER_RGBA, 4, [0, 1, 2, 3]),
    (PI_IMAGE_CHANNEL_ORDER_BGRA, 4, [2, 1, 0, 3]),
    (PI_IMAGE_CHANNEL_ORDER_ARGB, 4, [3, 0, 1, 2]),
    (PI_IMAGE_CHANNEL_ORDER_ABGR, 4, [3, 2, 1, 0]),
];

fn layout(components: usize, bytes: usize) -> ze_image_format_layout_t {
    match [components, bytes] {
        [1, 1] => ZE_IMAGE_FORMAT_LAYOUT_8,
        [1, 2] => ZE_IMAGE_FORMAT_LAYOUT_16,
        [1, 4] => ZE_IMAGE_FORMAT_LAYOUT_32,
        [2, 1] => ZE_IMAGE_FORMAT_LAYOUT_8_8,
        [2, 2] => ZE_IMAGE_FORMAT_LAYOUT_16_16,
        [2, 4] => ZE_IMAGE_FORMAT_LAYOUT_32_32,
        [4, 1] => ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
        [4, 2] => ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16,
        _ => ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32,
    }
}

fn formats() {
    const WIDTH: usize = 5;
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    let (pi, desc) = (fixture.pi, image_desc(PI_MEM_TYPE_IMAGE2D, [WIDTH, 3, 1]));
    for (channel, bytes, ty) in TYPES {
        for (order, components, places) in ORDERS {
            let format = pi_image_format { image_channel_order: order, image_channel_data_type: channel };
            // Intel's CPU runtime, which the software driver runs on, lacks these, and its refusal arrives.
            if order == PI_IMAGE_CHANNEL_ORDER_BGRA && channel != PI_IMAGE_CHANNEL_TYPE_UNORM_INT8 {
                let (context, flags, mut image) = (fixture.context, PI_MEM_FLAGS_ACCESS_RW, null_mut());
                let create = fails!(
                    pi,
                    piMemImageCreate(context, flags, &format, &desc, null_mut(), &mut image),
                    PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED
                );
                assert!(create.contains("zeImageCreate"), "{create}");
                continue;
            }
            soft.reset();
            let image = create(&fixture, &format, &desc);
            let (layout, ty) = (layout(components, bytes).0, ty.0);
            let expected = format!(
                "zeImageCreate format {:?} components {places:?} flags {ZE_IMAGE_FLAG_KERNEL_WRITE}",
                [layout, ty]
            );
            assert_eq!(soft.report().requests.first(), Some(&expected));
            let element = components * bytes;
            assert_eq!(info(&fixture, image, PI_IMAGE_INFO_ELEMENT_SIZE), element);
            assert_eq!(info(&fixture, image, PI_IMAGE_INFO_ROW_PITCH), WIDTH * element);
            let mut told = pi_image_format { image_channel_order: 0, image_channel_data_type: 0 };
            let room = (&raw mut told).cast();
            ok!(pi, piMemImageGetInfo(image, PI_IMAGE_INFO_FORMAT, 8, room, null_mut()));
            assert_eq!([told.image_channel_order, told.image_channel_data_type], [order, channel]);
            let mut size = 0_usize;
            ok!(pi, piMemGetInfo(image, PI_MEM_SIZE, 8, (&raw mut size).cast(), null_mut()));
            assert_eq!(size, 3 * WIDTH * element);
            // No byte of a float is part of a number that is not one.
            let written: Vec<u8> = (0..size).map(|at| at as u8 % 0x3c).collect();
            let mut all = pi_image_region_struct { width: WIDTH, height: 3, depth: 1 };
            let mut corner = pi_image_offset_struct { x: 0, y: 0, z: 0 };
            let (queue, at, part, from) =
                (fixture.queue, &raw mut corner, &raw mut all, written.as_ptr().cast());
            ok!(pi, piEnqueueMemImageWrite(queue, image, 1, at, part, 0, 0, from, 0, null(), null_mut()));
            let mut bytes = vec![0; size];
            assert_eq!(read(&fixture, image, [[0; 3], [WIDTH, 3, 1]], [0; 2], &mut bytes), 0);
            assert_eq!(bytes, written, "{order:#x} {channel:#x}");
            ok!(pi, piMemRelease(image));
        }
    }
}

/// Answers a query of the type `size_t`.
fn info(fixture: &Fixture, image: pi_mem, name: pi_image_info) -> usize {
    let mut number = 0_usize;
    ok!(fixture.pi, piMemImageGetInfo(image, name, 8, (&raw mut number).cast(), null_mut()));
    number
}

/// The numbers are those of OpenCL: an image has only the dimensions of its kind, and the slice pitch of an array is the
/// size of one of its images.
fn shapes() {
    /// `CL_IMAGE_ARRAY_SIZE`, which PI has no name for.
    const ARRAY_SIZE: pi_image_info = 0x1117;
    let fixture = Fixture::new(fixture::plugin());
    let (row, slice) = (16 * 4 + 16, (8 + 1) * (16 * 4 + 16));
    for (kind, sides, layers, [height, depth], [dense, apart]) in [
        (PI_MEM_TYPE_IMAGE1D, [16, 0, 0], 0, [0, 0], [0, 0]),
        (PI_MEM_TYPE_IMAGE2D, [16, 8, 0], 0, [8, 0], [0, 0]),
        (PI_MEM_TYPE_IMAGE3D, [16, 8, 3], 0, [8, 3], [8 * 64, slice]),
        (PI_MEM_TYPE_IMAGE1D_ARRAY, [16, 0, 0], 3, [0, 0], [64, slice]),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, [16, 8, 0], 3, [8, 0], [8 * 64, slice]),
    ] {
        let desc = pi_image_desc { image_array_size: layers, ..image_desc(kind, sides) };
        let mut bytes = vec![0; 3 * slice];
        // Both pitches are given with bytes of the host only.
        let slice = if apart == 0 { 0 } else { slice };
        let loose = pi_image_desc { image_row_pitch: row, image_slice_pitch: slice, ..desc };
        for (image, row, slice) in [
            (create(&fixture, &RGBA8, &desc), 64, dense),
            (of_bytes(&fixture, &loose, &mut bytes), row, apart),
        ] {
            for (name, expected) in [
                (PI_IMAGE_INFO_WIDTH, 16),
                (PI_IMAGE_INFO_HEIGHT, height),
                (PI_IMAGE_INFO_DEPTH, depth),
                (PI_IMAGE_INFO_ROW_PITCH, row),
                (PI_IMAGE_INFO_SLICE_PITCH, slice),
                (ARRAY_SIZE, layers),
            ] {
                assert_eq!(info(&fixture, image, name), expected, "{kind:#x}: {name:#x}");
            }
            ok!(fixture.pi, piMemRelease(image));
        }
    }
}

fn largest() {
    let fixture = Fixture::new(fixture::plugin());
    let most = |name| {
        let mut most = 0_usize;
        ok!(fixture.pi, piDeviceGetInfo(fixture.device, name, 8, (&raw mut most).cast(), null_mut()));
        most
    };
    let flat = most(PI_DEVICE_INFO_IMAGE2D_MAX_HEIGHT);
    let deep = most(PI_DEVICE_INFO_IMAGE3D_MAX_DEPTH);
    let layers = most(PI_DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE);
    // The software driver's, which no query tells.
    let line = 8192;
    for (kind, sides, array, limit) in [
        (PI_MEM_TYPE_IMAGE1D, [line, 0, 0], 0, line),
        (PI_MEM_TYPE_IMAGE2D, [flat, 1, 0], 0, flat),
        (PI_MEM_TYPE_IMAGE2D, [1, flat, 0], 0, flat),
        (PI_MEM_TYPE_IMAGE3D, [deep, 1, 1], 0, deep),
        (PI_MEM_TYPE_IMAGE3D, [1, deep, 1], 0, deep),
        (PI_MEM_TYPE_IMAGE3D, [1, 1, deep], 0, deep),
        (PI_MEM_TYPE_IMAGE1D_ARRAY, [line, 0, 0], 1, line),
        (PI_MEM_TYPE_IMAGE1D_ARRAY, [1, 0, 0], layers, layers),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, [1, flat, 0], 1, flat),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, [1, 1, 0], layers, layers),
    ] {
        let desc = pi_image_desc { image_array_size: array, ..image_desc(kind, sides) };
        ok!(fixture.pi, piMemRelease(create(&fixture, &RGBA8, &desc)));
        let more = |side: usize| if side == limit { side + 1 } else { side };
        let desc = pi_image_desc { image_array_size: more(array), ..image_desc(kind, sides.map(more)) };
        let (context, flags, mut image) = (fixture.context, PI_MEM_FLAGS_ACCESS_RW, null_mut());
        let text = fails!(
            fixture.pi,
            piMemImageCreate(context, flags, &RGBA8, &desc, null_mut(), &mut image),
            PI_ERROR_INVALID_IMAGE_SIZE
        );
        assert!(text.contains(&format!("the device has up to {limit}")), "{text}");
    }
}

fn edges() {
    const SIDES: [usize; 3] = [4, 3, 2];
    let fixture = Fixture::new(fixture::plugin());
    let image = create(&fixture, &RGBA8, &image_desc(PI_MEM_TYPE_IMAGE3D, SIDES));
    let mut bytes = [0; 4 * 4 * 3 * 2];
    let mut read = |origin, region| read(&fixture, image, [origin, region], [0; 2], &mut bytes);
    assert_eq!(read([0; 3], SIDES), 0);
    for side in 0..3 {
        let with = |of: [usize; 3], value: usize| {
            let mut changed = of;
            changed[side] = value;
            changed
        };
        assert_eq!(read(with([0; 3], SIDES[side] - 1), with(SIDES, 1)), 0);
        for (origin, length) in
            [(1, SIDES[side]), (0, SIDES[side] + 1), (SIDES[side], 1), (usize::MAX, 2), (0, 0)]
        {
            let code = read(with([0; 3], origin), with(SIDES, length));
            assert_eq!(code, PI_ERROR_INVALID_VALUE, "{side}: {length} at {origin}");
            // The driver is not asked.
            let text = last_error(fixture.pi);
            assert!(text.contains("of an image of [4, 3, 2]"), "{text}");
        }
    }
    ok!(fixture.pi, piMemRelease(image));
}

/// The slice pitch of host memory is the distance of two images of the array.
fn lines() {
    const LINE: usize = 4 * 4;
    let fixture = Fixture::new(fixture::plugin());
    let desc = pi_image_desc { image_array_size: 3, ..image_desc(PI_MEM_TYPE_IMAGE1D_ARRAY, [4, 0, 0]) };
    let mut pixels: Vec<u8> = (0..3 * LINE as u8).collect();
    let image = of_bytes(&fixture, &desc, &mut pixels);
    // The last one is the size of the whole image.
    for pitch in [LINE, LINE + 16, 3 * LINE] {
        let mut bytes = vec![255; 3 * pitch];
        assert_eq!(read(&fixture, image, [[0; 3], [4, 3, 1]], [0, pitch], &mut bytes), 0);
        for line in 0..3 {
            assert_eq!(bytes[line * pitch..][..LINE], pixels[line * LINE..][..LINE], "{pitch}: {line}");
        }
    }
    ok!(fixture.pi, piMemRelease(image));
}

/// The part of the image is 2 elements wide, 3 high and 2 deep.
fn extension() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(fixture::plugin()));
    let desc = image_desc(PI_MEM_TYPE_IMAGE3D, [4, 3, 2]);
    let mut pixels: Vec<u8> = (0..4 * 4 * 3 * 2).collect();
    let image = of_bytes(&fixture, &desc, &mut pixels);
    for (pitches, needs) in [
        ([0, 0], false),
        ([8, 0], false),
        ([0, 24], false),
        ([8, 24], false),
        ([12, 0], true),
        ([0, 32], true),
        ([8, 32], true),
        ([12, 36], true),
        ([12, 40], true),
    ] {
        soft.reset();
        let mut bytes = vec![255; 128];
        assert_eq!(read(&fixture, image, [[1, 0, 0], [2, 3, 2]], pitches, &mut bytes), 0);
        let calls = soft.report().calls;
        assert_eq!(calls.contains_key("zeCommandListAppendImageCopyToMemoryExt"), needs, "{pitches:?}");
        assert_eq!(calls.contains_key("zeCommandListAppendImageCopyToMemory"), !needs, "{pitches:?}");
        let row = if pitches[0] == 0 { 8 } else { pitches[0] };
        let slice = if pitches[1] == 0 { 3 * row } else { pitches[1] };
        for (y, z) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
            let from = (z * 3 + y) * 16 + 4;
            assert_eq!(bytes[z * slice + y * row..][..8], pixels[from..][..8], "{pitches:?} {y} {z}");
        }
    }
    ok!(fixture.pi, piMemRelease(image));
}

/// OpenCL: the images of a copy have the same format, which is the order of the channels and their type.
fn other_formats() {
    let fixture = Fixture::new(fixture::plugin());
    let (pi, queue) = (fixture.pi, fixture.queue);
    let of_type = |kind| pi_image_format { image_channel_data_type: kind, ..RGBA8 };
    let normalized = of_type(PI_IMAGE_CHANNEL_TYPE_UNORM_INT8);
    let desc = image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 1]);
    for formats in [
        [RGBA8, of_type(PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32)],
        [RGBA8, normalized],
        [normalized, pi_image_format { image_channel_order: PI_IMAGE_CHANNEL_ORDER_BGRA, ..normalized }],
    ] {
        let images = formats.map(|format| create(&fixture, &format, &desc));
        let mut all = pi_image_region_struct { width: 4, height: 4, depth: 1 };
        let mut corner = pi_image_offset_struct { x: 0, y: 0, z: 0 };
        let ([from, to], corner, all) = (images, &raw mut corner, &raw mut all);
        fails!(
            pi,
            piEnqueueMemImageCopy(queue, from, to, corner, corner, all, 0, null(), null_mut()),
            PI_ERROR_IMAGE_FORMAT_MISMATCH
        );
        images.iter().for_each(|image| ok!(pi, piMemRelease(*image)));
    }
}

/// Rows are dense, and slices are not.
fn slices() {
    const SLICE: usize = 4 * 2 * 4;
    const PITCH: usize = SLICE + 16;
    let fixture = Fixture::new(fixture::plugin());
    let (pi, queue) = (fixture.pi, fixture.queue);
    let image = create(&fixture, &RGBA8, &image_desc(PI_MEM_TYPE_IMAGE3D, [4, 2, 3]));
    let from: Vec<u8> = (0..3 * PITCH as u8).collect();
    let (mut dense, mut apart) = (vec![0_u8; 3 * SLICE], vec![255_u8; 3 * PITCH]);
    let mut all = pi_image_region_struct { width: 4, height: 2, depth: 3 };
    let mut corner = pi_image_offset_struct { x: 0, y: 0, z: 0 };
    let (all, corner, source) = (&raw mut all, &raw mut corner, from.as_ptr().cast());
    ok!(pi, piEnqueueMemImageWrite(queue, image, 1, corner, all, 0, PITCH, source, 0, null(), null_mut()));
    let room = dense.as_mut_ptr().cast();
    ok!(pi, piEnqueueMemImageRead(queue, image, 1, corner, all, 0, 0, room, 0, null(), null_mut()));
    let room = apart.as_mut_ptr().cast();
    ok!(pi, piEnqueueMemImageRead(queue, image, 1, corner, all, 0, PITCH, room, 0, null(), null_mut()));
    for slice in 0..3 {
        let pixels = &from[slice * PITCH..][..SLICE];
        assert_eq!(&dense[slice * SLICE..][..SLICE], pixels);
        assert_eq!(&apart[slice * PITCH..][..SLICE], pixels);
    }
    assert_eq!(apart[SLICE..PITCH], [255; PITCH - SLICE]);
    ok!(pi, piMemRelease(image));
}
