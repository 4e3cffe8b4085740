//! Images and samplers.

use std::ptr::{null, null_mut};

use super::Case;
use crate::{Fixture, code, fails, ok, software};
use sycl_pi_core::*;
use testing_support::{Gate, image_desc};

pub(crate) const CASES: &[Case] = &[
    ("image_write_read_copy_fill", images),
    ("rows_of_an_array_of_rows_are_a_slice_apart_in_host_memory", slices_of_rows),
    ("fills_of_images_that_wait_have_memory_of_their_own", waiting_fills),
    ("image_larger_than_the_device_has", huge),
    ("image_array_without_images_and_with_too_many", numbers_of_images),
    ("image_copies_between_formats_are_refused_even_of_one_pixel_size", other_format),
    ("image_over_another_one_s_native_handle", native),
    ("bindless_image_copies", bindless),
    ("bindless_image_copies_stay_inside_of_the_image", outside),
    ("a_kernel_gets_the_bits_of_a_sampler", sampler_bits),
    ("a_fill_whose_end_the_driver_will_not_tell_is_waited_for", fill_without_end),
];

pub(super) const RGBA32: pi_image_format = pi_image_format {
    image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
    image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
};

fn create(fixture: &Fixture, desc: &pi_image_desc) -> pi_mem {
    create_of(fixture, &RGBA32, desc)
}

fn create_of(fixture: &Fixture, format: &pi_image_format, desc: &pi_image_desc) -> pi_mem {
    let mut image = null_mut();
    ok!(piMemImageCreate(fixture.context, PI_MEM_FLAGS_ACCESS_RW, format, desc, null_mut(), &mut image));
    image
}

fn read(fixture: &Fixture, image: pi_mem, region: [usize; 3]) -> Vec<u32> {
    let mut pixels = vec![0_u32; 4 * region.iter().product::<usize>()];
    let mut origin = pi_image_offset_struct { x: 0, y: 0, z: 0 };
    let mut size = pi_image_region_struct { width: region[0], height: region[1], depth: region[2] };
    let room = pixels.as_mut_ptr().cast();
    ok!(piEnqueueMemImageRead(
        fixture.queue,
        image,
        1,
        &mut origin,
        &mut size,
        0,
        0,
        room,
        0,
        null(),
        null_mut()
    ));
    pixels
}

/// Returns the code of a write from the image's first pixel on.
fn write(fixture: &Fixture, image: pi_mem, [width, height, depth]: [usize; 3], pixels: &[u32]) -> pi_result {
    let (queue, from) = (fixture.queue, pixels.as_ptr().cast());
    let (mut origin, mut size) =
        (pi_image_offset_struct { x: 0, y: 0, z: 0 }, pi_image_region_struct { width, height, depth });
    let (origin, size) = (&raw mut origin, &raw mut size);
    code!(piEnqueueMemImageWrite(queue, image, 1, origin, size, 0, 0, from, 0, null(), null_mut()))
}

fn images() {
    let fixture = Fixture::new();
    for (kind, whole @ [w, h, d]) in [
        (PI_MEM_TYPE_IMAGE1D, [16, 1, 1]),
        (PI_MEM_TYPE_IMAGE2D, [16, 8, 1]),
        (PI_MEM_TYPE_IMAGE3D, [16, 8, 4]),
        (PI_MEM_TYPE_IMAGE1D_ARRAY, [16, 5, 1]),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, [16, 8, 4]),
    ] {
        let shape = array_desc(kind, whole);
        let (image, other) = (create(&fixture, &shape), create(&fixture, &shape));
        let pixels: Vec<u32> = (0..4 * (w * h * d) as u32).collect();
        let mut origin = pi_image_offset_struct { x: 0, y: 0, z: 0 };
        let mut size = pi_image_region_struct { width: w, height: h, depth: d };
        assert_eq!(write(&fixture, image, whole, &pixels), PI_SUCCESS);
        assert_eq!(read(&fixture, image, whole), pixels);
        let mut to = pi_image_offset_struct { x: 0, y: 0, z: 0 };
        ok!(piEnqueueMemImageCopy(
            fixture.queue,
            image,
            other,
            &mut origin,
            &mut to,
            &mut size,
            0,
            null(),
            null_mut()
        ));
        assert_eq!(read(&fixture, other, whole), pixels);
        let color = [7_u32, 8, 9, 10];
        let (start, region) = ([1_usize, 0, 0], [2_usize, 1, 1]);
        ok!(piEnqueueMemImageFill(
            fixture.queue,
            other,
            color.as_ptr().cast(),
            start.as_ptr(),
            region.as_ptr(),
            0,
            null(),
            null_mut()
        ));
        let filled = read(&fixture, other, whole);
        assert_eq!(
            (&filled[..4], &filled[4..8], &filled[8..12], filled[12]),
            (&pixels[..4], &color[..], &color[..], 12)
        );
        let mut height = 99_usize;
        ok!(piMemImageGetInfo(image, PI_IMAGE_INFO_HEIGHT, 8, (&raw mut height).cast(), null_mut()));
        let is_flat = [PI_MEM_TYPE_IMAGE1D, PI_MEM_TYPE_IMAGE1D_ARRAY].contains(&kind);
        assert_eq!(height, if is_flat { 0 } else { h });
        assert_eq!(write(&fixture, image, [w + 1, h, d], &pixels), PI_ERROR_INVALID_VALUE);
        ok!(piMemRelease(image));
        ok!(piMemRelease(other));
    }
}

/// Four floats are as large as four numbers of 32 bits.
/// OpenCL: the images of a copy have the same format, which is the order of the channels and their type.
fn other_format() {
    let (fixture, shape) = (Fixture::new(), image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 1]));
    let copy = |from, to| {
        let (mut origin, mut to_origin) =
            (pi_image_offset_struct { x: 0, y: 0, z: 0 }, pi_image_offset_struct { x: 0, y: 0, z: 0 });
        let mut size = pi_image_region_struct { width: 4, height: 4, depth: 1 };
        let (origin, to_origin, size) = (&raw mut origin, &raw mut to_origin, &raw mut size);
        let queue = fixture.queue;
        code!(piEnqueueMemImageCopy(queue, from, to, origin, to_origin, size, 0, null(), null_mut()))
    };
    let of_type = |kind| pi_image_format { image_channel_data_type: kind, ..RGBA32 };
    let bytes = of_type(PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8);
    for (format, other) in [
        (RGBA32, of_type(PI_IMAGE_CHANNEL_TYPE_FLOAT)),
        (bytes, of_type(PI_IMAGE_CHANNEL_TYPE_UNORM_INT8)),
        (bytes, pi_image_format { image_channel_order: PI_IMAGE_CHANNEL_ORDER_BGRA, ..bytes }),
    ] {
        let [one, same, other] = [format, format, other].map(|format| create_of(&fixture, &format, &shape));
        let refused = PI_ERROR_IMAGE_FORMAT_MISMATCH;
        let found = [(one, same), (one, other), (other, one)].map(|(from, to)| copy(from, to));
        assert_eq!(found, [PI_SUCCESS, refused, refused]);
        fixture.finish();
        for image in [one, same, other] {
            ok!(piMemRelease(image));
        }
    }
}

/// The host fills memory with the color, which the driver copies after the event. Memory of an earlier fill is used
/// again, if it is large enough.
fn waiting_fills() {
    let fixture = Fixture::new();
    for sides in [[16, 16, 64], [64, 16, 128]] {
        let gate = Gate::new(&fixture);
        let images: Vec<(pi_mem, [u32; 4], usize)> = (0_u32..)
            .zip(sides)
            .map(|(number, side)| {
                let image = create(&fixture, &image_desc(PI_MEM_TYPE_IMAGE2D, [side, side, 1]));
                (image, [number + 1, 20, 30, 40 + number], side)
            })
            .collect();
        for (image, color, side) in &images {
            let (start, region, queue) = ([0_usize; 3], [*side, *side, 1], fixture.queue);
            let (color, start, region) = (color.as_ptr().cast(), start.as_ptr(), region.as_ptr());
            ok!(piEnqueueMemImageFill(queue, *image, color, start, region, 1, &gate.0, null_mut()));
        }
        gate.open();
        for (image, color, side) in images {
            assert!(read(&fixture, image, [side, side, 1]) == color.repeat(side * side), "{color:?}");
            ok!(piMemRelease(image));
        }
    }
}

fn slices_of_rows() {
    const PITCH: usize = 20;
    let fixture = Fixture::new();
    let image = create(&fixture, &array_desc(PI_MEM_TYPE_IMAGE1D_ARRAY, [4, 3, 1]));
    let from: Vec<u32> = (0..3 * PITCH as u32).collect();
    let mut to = vec![999_u32; 3 * PITCH];
    let (mut origin, mut size) = (
        pi_image_offset_struct { x: 0, y: 0, z: 0 },
        pi_image_region_struct { width: 4, height: 3, depth: 1 },
    );
    let (queue, slice, origin, size) = (fixture.queue, 4 * PITCH, &raw mut origin, &raw mut size);
    let (source, room) = (from.as_ptr().cast(), to.as_mut_ptr().cast());
    ok!(piEnqueueMemImageWrite(queue, image, 1, origin, size, 0, slice, source, 0, null(), null_mut()));
    assert_eq!(read(&fixture, image, [4, 3, 1]), [&from[..16], &from[20..36], &from[40..56]].concat());
    ok!(piEnqueueMemImageRead(queue, image, 1, origin, size, 0, slice, room, 0, null(), null_mut()));
    for (row, pixels) in to.chunks_exact(PITCH).enumerate() {
        assert_eq!((&pixels[..16], &pixels[16..]), (&from[row * PITCH..][..16], &[999; 4][..]));
    }
    // CUDA has no copy of several rows of it to an image of two dimensions.
    let flat = create(&fixture, &image_desc(PI_MEM_TYPE_IMAGE2D, [4, 3, 1]));
    let to = origin;
    fails!(
        piEnqueueMemImageCopy(queue, image, flat, origin, to, size, 0, null(), null_mut()),
        PI_ERROR_INVALID_OPERATION,
        PI_ERROR_UNSUPPORTED_FEATURE
    );
    ok!(piMemRelease(flat));
    ok!(piMemRelease(image));
}

/// Returns a shape whose images, if it is an array, are the rows or the slices of `whole`.
fn array_desc(kind: pi_mem_type, whole: [usize; 3]) -> pi_image_desc {
    let mut shape = image_desc(kind, whole);
    shape.image_array_size = match kind {
        PI_MEM_TYPE_IMAGE1D_ARRAY => std::mem::take(&mut shape.image_height),
        PI_MEM_TYPE_IMAGE2D_ARRAY => std::mem::take(&mut shape.image_depth),
        _ => 0,
    };
    shape
}

fn numbers_of_images() {
    let fixture = Fixture::new();
    for (kind, whole, expected) in [
        (PI_MEM_TYPE_IMAGE1D_ARRAY, [16, 0, 1], PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, [16, 8, 0], PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, [16, 0, 4], PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR),
        (PI_MEM_TYPE_IMAGE2D, [16, 0, 1], PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR),
        // More layers than any GPU supports.
        (PI_MEM_TYPE_IMAGE1D_ARRAY, [16, 1 << 20, 1], PI_ERROR_INVALID_IMAGE_SIZE),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, [16, 8, 1 << 20], PI_ERROR_INVALID_IMAGE_SIZE),
    ] {
        let (mut image, shape) = (null_mut(), array_desc(kind, whole));
        fails!(
            piMemImageCreate(
                fixture.context,
                PI_MEM_FLAGS_ACCESS_RW,
                &RGBA32,
                &shape,
                null_mut(),
                &mut image
            ),
            expected
        );
    }
}

fn native() {
    let fixture = Fixture::new();
    let shape = array_desc(PI_MEM_TYPE_IMAGE2D_ARRAY, [16, 8, 4]);
    let image = create(&fixture, &shape);
    let (mut native, mut again) = (0, null_mut());
    ok!(piextMemGetNativeHandle(image, fixture.device, &mut native));
    let context = fixture.context;
    ok!(piextMemImageCreateWithNativeHandle(native, context, 0, &RGBA32, &shape, &mut again));
    let pixels: Vec<u32> = (0..4 * 16 * 8 * 4).collect();
    assert_eq!(write(&fixture, image, [16, 8, 4], &pixels), PI_SUCCESS);
    assert_eq!(read(&fixture, again, [16, 8, 4]), pixels);
    ok!(piMemRelease(again));
    assert_eq!(read(&fixture, image, [16, 8, 4]), pixels);
    // A shape and a format that differ from the array's, and no handle.
    let other_shape = array_desc(PI_MEM_TYPE_IMAGE2D_ARRAY, [16, 8, 3]);
    let solid = array_desc(PI_MEM_TYPE_IMAGE3D, [16, 8, 4]);
    let other_format = pi_image_format { image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_FLOAT, ..RGBA32 };
    for (format, shape) in [(&RGBA32, &other_shape), (&RGBA32, &solid), (&other_format, &shape)] {
        fails!(
            piextMemImageCreateWithNativeHandle(native, context, 0, format, shape, &mut again),
            PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR
        );
    }
    fails!(
        piextMemImageCreateWithNativeHandle(0, context, 0, &RGBA32, &shape, &mut again),
        PI_ERROR_INVALID_MEM_OBJECT
    );
    // The native handle of a buffer is an address, which the driver would take for an array.
    let mut buffer = null_mut();
    ok!(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, 4096, null_mut(), &mut buffer, null()));
    ok!(piextMemGetNativeHandle(buffer, fixture.device, &mut native));
    fails!(
        piextMemImageCreateWithNativeHandle(native, context, 0, &RGBA32, &shape, &mut again),
        PI_ERROR_INVALID_MEM_OBJECT
    );
    ok!(piMemRelease(buffer));
    ok!(piMemRelease(image));
}

/// The pixels are in a block that is used again after the fill.
fn fill_without_end() {
    let fixture = Fixture::new();
    let image = create(&fixture, &array_desc(PI_MEM_TYPE_IMAGE2D, [16, 8, 1]));
    let (color, start, region) = ([7_u32, 8, 9, 10], [0_usize; 3], [16_usize, 8, 1]);
    let (queue, color) = (fixture.queue, color.as_ptr().cast());
    let (start, region) = (start.as_ptr(), region.as_ptr());
    for (faults, waits) in [("", 0), ("cuLaunchHostFunc:1:2", 1)] {
        software::inject(faults);
        let code = code!(piEnqueueMemImageFill(queue, image, color, start, region, 0, null(), null_mut()));
        assert_eq!(code, if waits == 0 { PI_SUCCESS } else { PI_ERROR_OUT_OF_RESOURCES });
        assert_eq!(software::calls("cuStreamSynchronize"), waits);
        software::inject("");
    }
    fixture.finish();
    ok!(piMemRelease(image));
}

fn huge() {
    let fixture = Fixture::new();
    let (mut image, desc) = (null_mut(), image_desc(PI_MEM_TYPE_IMAGE2D, [1 << 30, 4, 1]));
    fails!(
        piMemImageCreate(fixture.context, PI_MEM_FLAGS_ACCESS_RW, &RGBA32, &desc, null_mut(), &mut image),
        PI_ERROR_INVALID_IMAGE_SIZE
    );
}

fn bindless() {
    let fixture = Fixture::new();
    let (mut format, mut shape) = (RGBA32, image_desc(PI_MEM_TYPE_IMAGE2D, [8, 4, 0]));
    let mut memory = null_mut();
    ok!(piextMemImageAllocate(fixture.context, fixture.device, &mut format, &mut shape, &mut memory));
    let mut pixels: Vec<u32> = (0..128).collect();
    let mut back = vec![0_u32; 128];
    let mut zero = pi_image_offset_struct { x: 0, y: 0, z: 0 };
    let mut also_zero = pi_image_offset_struct { x: 0, y: 0, z: 0 };
    let mut extent = pi_image_region_struct { width: 8, height: 4, depth: 1 };
    let mut host = pi_image_region_struct { width: 8, height: 4, depth: 1 };
    let mut copy = |dst, src, flags| {
        ok!(piextMemImageCopy(
            fixture.queue,
            dst,
            src,
            &format,
            &shape,
            flags,
            &mut zero,
            &mut also_zero,
            &mut extent,
            &mut host,
            0,
            null(),
            null_mut()
        ));
    };
    copy(memory, pixels.as_mut_ptr().cast(), PI_IMAGE_COPY_HOST_TO_DEVICE);
    copy(back.as_mut_ptr().cast(), memory, PI_IMAGE_COPY_DEVICE_TO_HOST);
    fixture.finish();
    assert_eq!(back, pixels);
    let mut width = 0_usize;
    ok!(piextMemImageGetInfo(memory, PI_IMAGE_INFO_WIDTH, (&raw mut width).cast(), null_mut()));
    assert_eq!(width, 8);
    let (mut format, mut shape, mut mem, mut handle) = (format, shape, null_mut(), 0);
    ok!(piextMemUnsampledImageCreate(
        fixture.context,
        fixture.device,
        memory,
        &mut format,
        &mut shape,
        &mut mem,
        &mut handle
    ));
    ok!(piextMemUnsampledImageHandleDestroy(fixture.context, fixture.device, handle));
    let mut sampler = null_mut();
    ok!(piextBindlessImageSamplerCreate(fixture.context, null(), 0.0, 0.0, 0.0, &mut sampler));
    ok!(piextMemSampledImageCreate(
        fixture.context,
        fixture.device,
        memory,
        &mut format,
        &mut shape,
        sampler,
        &mut mem,
        &mut handle
    ));
    ok!(piextMemSampledImageHandleDestroy(fixture.context, fixture.device, handle));
    ok!(piSamplerRelease(sampler));
    ok!(piextMemImageFree(fixture.context, fixture.device, memory));
}

fn outside() {
    let fixture = Fixture::new();
    let (mut format, mut shape) = (RGBA32, image_desc(PI_MEM_TYPE_IMAGE2D, [8, 4, 0]));
    let (mut memory, mut pixels) = (null_mut(), vec![0_u32; 4 * 64]);
    ok!(piextMemImageAllocate(fixture.context, fixture.device, &mut format, &mut shape, &mut memory));
    let mut copy = |[x, y]: [usize; 2], [width, height]: [usize; 2], to_device| {
        let mut zero = pi_image_offset_struct { x: 0, y: 0, z: 0 };
        let mut corner = pi_image_offset_struct { x, y, z: 0 };
        let mut extent = pi_image_region_struct { width, height, depth: 1 };
        let mut host = pi_image_region_struct { width: 16, height: 4, depth: 1 };
        let host_memory = pixels.as_mut_ptr().cast();
        let [zero, corner] = [&raw mut zero, &raw mut corner];
        let ([dst, src], [from, to], flags) = if to_device {
            ([memory, host_memory], [zero, corner], PI_IMAGE_COPY_HOST_TO_DEVICE)
        } else {
            ([host_memory, memory], [corner, zero], PI_IMAGE_COPY_DEVICE_TO_HOST)
        };
        let (queue, none, extent, host) = (fixture.queue, null_mut(), &raw mut extent, &raw mut host);
        let (format, shape) = (&raw const format, &raw const shape);
        code!(piextMemImageCopy(
            queue,
            dst,
            src,
            format,
            shape,
            flags,
            from,
            to,
            extent,
            host,
            0,
            null(),
            none
        ))
    };
    for to_device in [true, false] {
        assert_eq!(copy([0, 0], [8, 4], to_device), PI_SUCCESS);
        assert_eq!(copy([7, 3], [1, 1], to_device), PI_SUCCESS);
        for (corner, size) in
            [([0, 0], [9, 4]), ([0, 0], [8, 5]), ([1, 0], [8, 4]), ([0, 1], [8, 4]), ([8, 0], [1, 1])]
        {
            let told = copy(corner, size, to_device);
            assert_eq!(told, PI_ERROR_INVALID_VALUE, "{corner:?} {size:?} {to_device}");
        }
    }
    fixture.finish();
    ok!(piextMemImageFree(fixture.context, fixture.device, memory));
}

/// The bits are those of DPC++'s plugin, which its headers read: bit 0 for normalized coordinates, bit 1 for a linear
/// filter, from bit 2 on the addressing mode.
fn sampler_bits() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let (scale, from, to) = (program.kernel("scale"), fixture.device_memory(4), fixture.device_memory(4));
    fixture.write(&from, &[1_u32]);
    scale.pointer(1, from.start).pointer(2, to.start);
    for normalized in [0, 1] {
        for (filter, linear) in [(PI_SAMPLER_FILTER_MODE_NEAREST, 0), (PI_SAMPLER_FILTER_MODE_LINEAR, 1)] {
            for (number, addressing) in [
                PI_SAMPLER_ADDRESSING_MODE_NONE,
                PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE,
                PI_SAMPLER_ADDRESSING_MODE_CLAMP,
                PI_SAMPLER_ADDRESSING_MODE_REPEAT,
                PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
            ]
            .into_iter()
            .enumerate()
            {
                let asked: [pi_sampler_properties; 7] = [
                    PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                    normalized,
                    PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                    addressing.into(),
                    PI_SAMPLER_PROPERTIES_FILTER_MODE,
                    filter.into(),
                    0,
                ];
                let mut sampler = null_mut();
                if code!(piSamplerCreate(fixture.context, asked.as_ptr(), &mut sampler)) != PI_SUCCESS {
                    // Repetition needs normalized coordinates.
                    assert!(normalized == 0 && number > 2, "{addressing:#x}");
                    continue;
                }
                ok!(piextKernelSetArgSampler(scale.raw, 0, &sampler));
                fixture.launch(scale.raw, &[1], Some(&[1]));
                let bits = normalized as u32 | linear << 1 | (number as u32) << 2;
                assert_eq!(fixture.read::<u32>(&to, 1), [bits], "{addressing:#x}");
                ok!(piSamplerRelease(sampler));
            }
        }
    }
}
