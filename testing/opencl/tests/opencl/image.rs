//! Tests of images, as far as OpenCL drivers differ. The conformance harness tests the rest, and samplers.

use std::ptr::{null, null_mut};

use testing_opencl::*;
use testing_support::image_desc;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "image",
        [
            fill_repeats_a_colour,
            sizes_and_formats_that_no_device_has_are_refused,
        ],
        isolated [
            images_on_a_sub_devices_queue,
            a_buffer_of_another_context_makes_no_image,
            regions_past_the_last_image_of_an_array_are_refused,
            copies_of_no_pixels_or_too_many_are_refused,
        ]
    );
}

const RGBA_U8: pi_image_format = pi_image_format {
    image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
    image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
};
const RW: pi_mem_flags = PI_MEM_FLAGS_ACCESS_RW;

fn image(f: &Fixture, desc: pi_image_desc) -> Owned<'_, pi_mem> {
    let mem = made!(f.pi, |out| piMemImageCreate(f.context, RW, &RGBA_U8, &desc, null_mut(), out));
    Owned::new(f.pi, mem, |pi, mem| call!(pi, piMemRelease(mem)))
}

fn at(x: usize, y: usize, z: usize) -> pi_image_offset_struct {
    pi_image_offset_struct { x, y, z }
}

fn size(width: usize, height: usize, depth: usize) -> pi_image_region_struct {
    pi_image_region_struct { width, height, depth }
}

fn write(
    f: &Fixture,
    image: pi_mem,
    mut from: pi_image_offset_struct,
    mut region: pi_image_region_struct,
    data: &[u32],
) {
    assert_eq!(data.len(), region.width * region.height * region.depth);
    let (start, none) = (data.as_ptr().cast(), null_mut());
    ok!(
        f.pi,
        piEnqueueMemImageWrite(f.queue, image, 1, &mut from, &mut region, 0, 0, start, 0, null(), none)
    );
}

fn read(
    f: &Fixture,
    image: pi_mem,
    mut from: pi_image_offset_struct,
    mut region: pi_image_region_struct,
) -> Vec<u32> {
    let mut data = vec![0; region.width * region.height * region.depth];
    let (room, none) = (data.as_mut_ptr().cast(), null_mut());
    ok!(f.pi, piEnqueueMemImageRead(f.queue, image, 1, &mut from, &mut region, 0, 0, room, 0, null(), none));
    data
}

fn fill_repeats_a_colour() {
    let f = Fixture::new();
    let image = image(&f, image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 0]));
    write(&f, *image, at(0, 0, 0), size(4, 4, 1), &[0; 16]);
    let (colour, origin, region) = ([1_u32, 2, 3, 4], [1_usize, 1, 0], [2_usize, 3, 1]);
    let start = colour.as_ptr().cast();
    let event: pi_event = made!(f.pi, |out| piEnqueueMemImageFill(
        f.queue,
        *image,
        start,
        origin.as_ptr(),
        region.as_ptr(),
        0,
        null(),
        out
    ));
    f.wait(event);
    let pixels = read(&f, *image, at(0, 0, 0), size(4, 4, 1));
    let filled = |x: usize, y: usize| (1..3).contains(&x) && (1..4).contains(&y);
    for (i, pixel) in pixels.into_iter().enumerate() {
        assert_eq!(pixel, if filled(i % 4, i / 4) { 0x0403_0201 } else { 0 }, "pixel {i}");
    }
}

fn sizes_and_formats_that_no_device_has_are_refused() {
    let f = Fixture::new();
    let mut out = null_mut();
    let good = image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 0]);
    for width in [0, 1 << 40] {
        let desc = pi_image_desc { image_width: width, ..good };
        // PoCL returns INVALID_BUFFER_SIZE for a width of 0 and INVALID_OPERATION for too large a width.
        refused!(
            f.pi,
            piMemImageCreate(f.context, RW, &RGBA_U8, &desc, null_mut(), &mut out),
            PI_ERROR_INVALID_IMAGE_SIZE
                | PI_ERROR_INVALID_IMAGE_DESCRIPTOR
                | PI_ERROR_INVALID_BUFFER_SIZE
                | PI_ERROR_INVALID_OPERATION
        );
    }
    let format = pi_image_format { image_channel_data_type: 0x7777, ..RGBA_U8 };
    refused!(
        f.pi,
        piMemImageCreate(f.context, RW, &format, &good, null_mut(), &mut out),
        PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED
            | PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR
            | PI_ERROR_INVALID_OPERATION
    );
    for desc in [pi_image_desc { num_samples: 2, ..good }, pi_image_desc { num_mip_levels: 2, ..good }] {
        let text = refused!(
            f.pi,
            piMemImageCreate(f.context, RW, &RGBA_U8, &desc, null_mut(), &mut out),
            PI_ERROR_INVALID_IMAGE_DESCRIPTOR
        );
        assert!(text.contains("mip levels or several samples"), "{text}");
    }
    assert!(out.is_null());
}

/// PoCL 3.1 ends the process over every command on an image in such a queue, so the plugin refuses them there.
fn images_on_a_sub_devices_queue() {
    let f = Fixture::new();
    let one_each = [PI_DEVICE_PARTITION_EQUALLY, 1, 0];
    let count: pi_uint32 =
        made!(f.pi, |out| piDevicePartition(f.device, one_each.as_ptr(), 0, null_mut(), out));
    let mut parts: Vec<pi_device> = vec![null_mut(); count as usize];
    ok!(f.pi, piDevicePartition(f.device, one_each.as_ptr(), count, parts.as_mut_ptr(), null_mut()));
    let context = made!(f.pi, |out| piContextCreate(null(), 1, parts.as_ptr(), None, null_mut(), out));
    let queue: pi_queue = made!(f.pi, |out| piQueueCreate(context, parts[0], 0, out));
    let images = [(); 2].map(|()| {
        made!(f.pi, |out| piMemImageCreate(
            context,
            RW,
            &RGBA_U8,
            &image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 0]),
            null_mut(),
            out
        ))
    });
    let [from, to]: [pi_mem; 2] = images;
    let (data, mut back, none) = ([7_u32; 16], [0_u32; 16], null_mut());
    let (start, room, colour) = (data.as_ptr().cast(), back.as_mut_ptr().cast(), [9_u32; 4]);
    let (mut a, mut b, mut all) = (at(0, 0, 0), at(0, 0, 0), size(4, 4, 1));
    let (origin, region) = ([0_usize; 3], [4_usize, 4, 1]);
    let (origin, region, colour) = (origin.as_ptr(), region.as_ptr(), colour.as_ptr().cast());
    let commands = [
        call!(f.pi, piEnqueueMemImageFill(queue, from, colour, origin, region, 0, null(), none)),
        call!(f.pi, piEnqueueMemImageWrite(queue, from, 1, &mut a, &mut all, 0, 0, start, 0, null(), none)),
        call!(f.pi, piEnqueueMemImageCopy(queue, from, to, &mut a, &mut b, &mut all, 0, null(), none)),
        call!(f.pi, piEnqueueMemImageRead(queue, to, 1, &mut a, &mut all, 0, 0, room, 0, null(), none)),
    ];
    ok!(f.pi, piQueueFinish(queue));
    let refuses = f.driver() == Driver::Pocl;
    for command in commands {
        match command {
            Err(error) if refuses => {
                let text = calls::expect_refusal(Err(error), &[PI_ERROR_INVALID_OPERATION]);
                assert!(text.contains("sub-device"), "{text}");
            }
            Err(error) => panic!("{error}"),
            Ok(()) => assert!(!refuses, "taken, and the process still lives: nothing need be refused"),
        }
    }
    assert_eq!(back, if refuses { [0; 16] } else { data });
    for image in images {
        ok!(f.pi, piMemRelease(image));
    }
    ok!(f.pi, piQueueRelease(queue));
    ok!(f.pi, piContextRelease(context));
    for part in parts {
        ok!(f.pi, piDeviceRelease(part));
    }
}

/// PoCL 3.1 does not check this, and writes past the end of its memory.
fn regions_past_the_last_image_of_an_array_are_refused() {
    let f = Fixture::new();
    let array = |kind, height| pi_image_desc { image_array_size: 2, ..image_desc(kind, [8, height, 0]) };
    let mut data = [0_u32; 8 * 4 * 16];
    let (room, none) = (data.as_mut_ptr().cast(), null_mut());
    for (kind, height, inside, outside) in [
        (PI_MEM_TYPE_IMAGE1D_ARRAY, 0, size(8, 2, 1), size(8, 16, 1)),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, 4, size(8, 4, 2), size(8, 4, 16)),
    ] {
        let (image, mut from) = (image(&f, array(kind, height)), at(0, 0, 0));
        let (mut inside, mut outside, mut last) = (inside, outside, at(0, 0, 0));
        if height == 0 {
            last.y = 1
        } else {
            last.z = 1
        }
        for (from, region) in [(&mut from, &mut outside), (&mut last, &mut inside)] {
            refused!(
                f.pi,
                piEnqueueMemImageRead(f.queue, *image, 1, from, region, 0, 0, room, 0, null(), none),
                PI_ERROR_INVALID_VALUE
            );
            refused!(
                f.pi,
                piEnqueueMemImageWrite(f.queue, *image, 1, from, region, 0, 0, room, 0, null(), none),
                PI_ERROR_INVALID_VALUE
            );
        }
        let mut from = at(0, 0, 0);
        ok!(
            f.pi,
            piEnqueueMemImageWrite(f.queue, *image, 1, &mut from, &mut inside, 0, 0, room, 0, null(), none)
        );
    }
}

/// The pixels of a copy are inside both images.
fn copies_of_no_pixels_or_too_many_are_refused() {
    let f = Fixture::new();
    let [small, large] = [4, 8].map(|side| image(&f, image_desc(PI_MEM_TYPE_IMAGE2D, [side, side, 0])));
    for (from, to, mut region) in
        [(*small, *large, size(8, 4, 1)), (*large, *small, size(4, 8, 1)), (*small, *large, size(4, 0, 1))]
    {
        let (mut a, mut b, none) = (at(0, 0, 0), at(0, 0, 0), null_mut());
        refused!(
            f.pi,
            piEnqueueMemImageCopy(f.queue, from, to, &mut a, &mut b, &mut region, 0, null(), none),
            PI_ERROR_INVALID_VALUE
        );
    }
    let (mut far, mut start, mut all) = (at(usize::MAX - 1, 0, 0), at(0, 0, 0), size(4, 4, 1));
    for corners in [[&raw mut far, &raw mut start], [&raw mut start, &raw mut far]] {
        let ([a, b], none) = (corners, null_mut());
        let text = refused!(
            f.pi,
            piEnqueueMemImageCopy(f.queue, *small, *large, a, b, &mut all, 0, null(), none),
            PI_ERROR_INVALID_VALUE
        );
        assert!(text.contains("origin and region"), "{text}");
    }
}

/// PoCL 3.1 ends the process over it.
fn a_buffer_of_another_context_makes_no_image() {
    let (f, other) = (Fixture::new(), Fixture::new());
    let (buffer, own) = (other.buffer(&[0_u32; 16]), f.buffer(&[0_u32; 16]));
    let of = |buffer: pi_mem| pi_image_desc { buffer, ..image_desc(PI_MEM_TYPE_IMAGE1D_BUFFER, [16, 1, 0]) };
    let mut out = null_mut();
    let made = call!(f.pi, piMemImageCreate(f.context, RW, &RGBA_U8, &of(*buffer), null_mut(), &mut out));
    if f.driver() == Driver::Pocl || made.is_err() {
        calls::expect_refusal(made, &[PI_ERROR_INVALID_CONTEXT, PI_ERROR_INVALID_MEM_OBJECT]);
    } else {
        // Intel's CPU runtimes create one.
        ok!(f.pi, piMemRelease(out));
    }
    let image: pi_mem =
        made!(f.pi, |out| piMemImageCreate(f.context, RW, &RGBA_U8, &of(*own), null_mut(), out));
    ok!(f.pi, piMemRelease(image));
}
