//! Images and samplers.

use std::ptr::{null, null_mut};

use testing_opencl::*;
use testing_support::image_desc;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "image",
        [
            shapes_and_their_facts,
            write_then_read_in_1_2_and_3_dimensions,
            copy_with_offsets,
            fill_repeats_a_colour,
            bad_descriptions_are_refused,
            regions_past_the_edge_are_refused,
            an_image_is_no_buffer_to_partition,
        ],
        isolated [
            images_on_a_sub_devices_queue,
            a_buffer_of_another_context_makes_no_image,
            regions_past_the_last_image_of_an_array_are_refused,
        ]
    );
    cases!(
        registry,
        "sampler",
        [
            every_combination,
            missing_keys_have_defaults,
            unknown_and_repeated_keys_are_refused,
            is_counted,
            bad_questions_are_refused,
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

fn shapes_and_their_facts() {
    let f = Fixture::new();
    for (kind, width, height, depth) in
        [(PI_MEM_TYPE_IMAGE1D, 16, 0, 0), (PI_MEM_TYPE_IMAGE2D, 16, 8, 0), (PI_MEM_TYPE_IMAGE3D, 16, 8, 4)]
    {
        let image = image(&f, image_desc(kind, [width, height, depth]));
        let fact = |name| get!(f.pi, piMemImageGetInfo(*image, name) as usize);
        assert_eq!(fact(PI_IMAGE_INFO_ELEMENT_SIZE), 4);
        assert_eq!(fact(PI_IMAGE_INFO_WIDTH), width);
        assert_eq!(fact(PI_IMAGE_INFO_HEIGHT), height);
        assert_eq!(fact(PI_IMAGE_INFO_DEPTH), depth);
        assert!(fact(PI_IMAGE_INFO_ROW_PITCH) >= 4 * width);
        assert!(kind != PI_MEM_TYPE_IMAGE3D || fact(PI_IMAGE_INFO_SLICE_PITCH) >= 4 * width * height);
        let format = get!(f.pi, piMemImageGetInfo(*image, PI_IMAGE_INFO_FORMAT) as pi_image_format);
        assert_eq!(format.image_channel_order, RGBA_U8.image_channel_order);
        assert_eq!(format.image_channel_data_type, RGBA_U8.image_channel_data_type);
        bad_questions!(f.pi, piMemImageGetInfo(*image), PI_IMAGE_INFO_WIDTH);
    }
}

fn write_then_read_in_1_2_and_3_dimensions() {
    let f = Fixture::new();
    for (kind, width, height, depth) in
        [(PI_MEM_TYPE_IMAGE1D, 16, 1, 1), (PI_MEM_TYPE_IMAGE2D, 16, 8, 1), (PI_MEM_TYPE_IMAGE3D, 16, 8, 4)]
    {
        let image = image(&f, image_desc(kind, [width, height, depth]));
        let data: Vec<u32> = (0..(width * height * depth) as u32).collect();
        write(&f, *image, at(0, 0, 0), size(width, height, depth), &data);
        assert_eq!(read(&f, *image, at(0, 0, 0), size(width, height, depth)), data);
        let (y, z) = (height - 1, depth - 1);
        let last = ((z * height + y) * width + 3) as u32;
        assert_eq!(read(&f, *image, at(3, y, z), size(2, 1, 1)), [last, last + 1]);
    }
}

fn copy_with_offsets() {
    let f = Fixture::new();
    let (from, to) = (
        image(&f, image_desc(PI_MEM_TYPE_IMAGE2D, [8, 8, 0])),
        image(&f, image_desc(PI_MEM_TYPE_IMAGE2D, [8, 8, 0])),
    );
    write(&f, *from, at(0, 0, 0), size(8, 8, 1), &(0..64).collect::<Vec<u32>>());
    write(&f, *to, at(0, 0, 0), size(8, 8, 1), &[1000; 64]);
    let (mut source, mut target, mut region) = (at(1, 2, 0), at(4, 5, 0), size(3, 2, 1));
    let event: pi_event = made!(f.pi, |out| piEnqueueMemImageCopy(
        f.queue,
        *from,
        *to,
        &mut source,
        &mut target,
        &mut region,
        0,
        null(),
        out
    ));
    f.wait(event);
    assert_eq!(read(&f, *to, at(4, 5, 0), size(3, 2, 1)), [17, 18, 19, 25, 26, 27]);
    assert_eq!(read(&f, *to, at(3, 5, 0), size(1, 1, 1)), [1000]);
    assert_eq!(read(&f, *to, at(7, 5, 0), size(1, 1, 1)), [1000]);
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

fn bad_descriptions_are_refused() {
    let f = Fixture::new();
    let mut out = null_mut();
    let good = image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 0]);
    let mut try_desc = |desc: pi_image_desc, codes: &[pi_result]| {
        let result = call!(f.pi, piMemImageCreate(f.context, RW, &RGBA_U8, &desc, null_mut(), &mut out));
        calls::expect_refusal(result, codes);
        assert!(out.is_null());
    };
    let bad =
        [PI_ERROR_INVALID_IMAGE_DESCRIPTOR, PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, PI_ERROR_INVALID_VALUE];
    try_desc(pi_image_desc { image_type: 0x7777, ..good }, &bad);
    try_desc(pi_image_desc { num_mip_levels: 3, ..good }, &bad);
    try_desc(pi_image_desc { num_samples: 4, ..good }, &bad);
    try_desc(pi_image_desc { image_row_pitch: 64, ..good }, &bad);
    // PoCL says INVALID_BUFFER_SIZE to no width and INVALID_OPERATION to too much of it.
    let size_codes = [
        PI_ERROR_INVALID_IMAGE_SIZE,
        PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
        PI_ERROR_INVALID_BUFFER_SIZE,
        PI_ERROR_INVALID_OPERATION,
    ];
    try_desc(pi_image_desc { image_width: 0, ..good }, &size_codes);
    try_desc(pi_image_desc { image_width: 1 << 40, ..good }, &size_codes);
    let format = pi_image_format { image_channel_data_type: 0x7777, ..RGBA_U8 };
    refused!(
        f.pi,
        piMemImageCreate(f.context, RW, &format, &good, null_mut(), &mut out),
        PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED
            | PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR
            | PI_ERROR_INVALID_OPERATION
    );
    let mut host = 0_u32;
    let host = (&raw mut host).cast();
    refused!(
        f.pi,
        piMemImageCreate(f.context, RW, &RGBA_U8, &good, host, &mut out),
        PI_ERROR_INVALID_HOST_PTR
    );
    let pi = f.pi;
    refused!(
        pi,
        piMemImageCreate(f.context, RW, null(), &good, null_mut(), &mut out),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR
    );
    refused!(
        pi,
        piMemImageCreate(f.context, RW, &RGBA_U8, null(), null_mut(), &mut out),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_IMAGE_DESCRIPTOR
    );
    refused!(
        pi,
        piMemImageCreate(f.context, RW, &RGBA_U8, &good, null_mut(), null_mut()),
        PI_ERROR_INVALID_VALUE
    );
}

fn regions_past_the_edge_are_refused() {
    let f = Fixture::new();
    let image = image(&f, image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 0]));
    let mut data = [0_u32; 64];
    let room = data.as_mut_ptr();
    for (mut from, mut region) in [
        (at(1, 0, 0), size(4, 4, 1)),
        (at(0, 0, 0), size(4, 5, 1)),
        (at(0, 0, 0), size(4, 4, 2)),
        (at(usize::MAX - 1, 0, 0), size(4, 1, 1)),
        (at(0, 0, 0), size(0, 1, 1)),
    ] {
        refused!(
            f.pi,
            piEnqueueMemImageRead(
                f.queue,
                *image,
                1,
                &mut from,
                &mut region,
                0,
                0,
                room.cast(),
                0,
                null(),
                null_mut()
            ),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
        let (source, none) = (room.cast_const().cast(), null_mut());
        refused!(
            f.pi,
            piEnqueueMemImageWrite(f.queue, *image, 1, &mut from, &mut region, 0, 0, source, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
    }
}

fn an_image_is_no_buffer_to_partition() {
    let f = Fixture::new();
    let image = image(&f, image_desc(PI_MEM_TYPE_IMAGE2D, [64, 64, 0]));
    let mut region = pi_buffer_region_struct { origin: 0, size: 64 };
    let (info, mut out) = ((&raw mut region).cast(), null_mut());
    refused!(
        f.pi,
        piMemBufferPartition(*image, RW, PI_BUFFER_CREATE_TYPE_REGION, info, &mut out),
        PI_ERROR_INVALID_MEM_OBJECT
    );
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

/// PoCL 3.1 does not look, and writes past the end of its memory.
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
        // Intel's CPU runtimes make one.
        ok!(f.pi, piMemRelease(out));
    }
    let image: pi_mem =
        made!(f.pi, |out| piMemImageCreate(f.context, RW, &RGBA_U8, &of(*own), null_mut(), out));
    ok!(f.pi, piMemRelease(image));
}

fn sampler<'a>(f: &'a Fixture, properties: &[pi_sampler_properties]) -> Owned<'a, pi_sampler> {
    let sampler = made!(f.pi, |out| piSamplerCreate(f.context, properties.as_ptr(), out));
    Owned::new(f.pi, sampler, |pi, sampler| call!(pi, piSamplerRelease(sampler)))
}

const NORMALIZED: pi_sampler_properties = PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS;
const ADDRESSING: pi_sampler_properties = PI_SAMPLER_PROPERTIES_ADDRESSING_MODE;
const FILTER: pi_sampler_properties = PI_SAMPLER_PROPERTIES_FILTER_MODE;

fn facts(f: &Fixture, sampler: pi_sampler) -> (pi_bool, u32, u32) {
    (
        get!(f.pi, piSamplerGetInfo(sampler, PI_SAMPLER_INFO_NORMALIZED_COORDS) as pi_bool),
        get!(f.pi, piSamplerGetInfo(sampler, PI_SAMPLER_INFO_ADDRESSING_MODE) as u32),
        get!(f.pi, piSamplerGetInfo(sampler, PI_SAMPLER_INFO_FILTER_MODE) as u32),
    )
}

fn every_combination() {
    let f = Fixture::new();
    for normalized in [0, 1] {
        for addressing in [
            PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
            PI_SAMPLER_ADDRESSING_MODE_REPEAT,
            PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE,
            PI_SAMPLER_ADDRESSING_MODE_CLAMP,
            PI_SAMPLER_ADDRESSING_MODE_NONE,
        ] {
            for filter in [PI_SAMPLER_FILTER_MODE_NEAREST, PI_SAMPLER_FILTER_MODE_LINEAR] {
                let repeats = [PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT, PI_SAMPLER_ADDRESSING_MODE_REPEAT];
                if normalized == 0 && repeats.contains(&addressing) {
                    // Without meaning in OpenCL: drivers may refuse it.
                    continue;
                }
                let sampler = sampler(
                    &f,
                    &[NORMALIZED, normalized, ADDRESSING, addressing.into(), FILTER, filter.into(), 0],
                );
                assert_eq!(facts(&f, *sampler), (normalized as u32, addressing, filter));
                assert_eq!(
                    get!(f.pi, piSamplerGetInfo(*sampler, PI_SAMPLER_INFO_CONTEXT) as pi_context),
                    f.context
                );
            }
        }
    }
}

fn missing_keys_have_defaults() {
    let f = Fixture::new();
    let defaults = (1, PI_SAMPLER_ADDRESSING_MODE_CLAMP, PI_SAMPLER_FILTER_MODE_NEAREST);
    assert_eq!(facts(&f, *sampler(&f, &[0])), defaults);
    let linear = sampler(&f, &[FILTER, PI_SAMPLER_FILTER_MODE_LINEAR.into(), 0]);
    assert_eq!(facts(&f, *linear), (1, PI_SAMPLER_ADDRESSING_MODE_CLAMP, PI_SAMPLER_FILTER_MODE_LINEAR));
}

fn unknown_and_repeated_keys_are_refused() {
    let f = Fixture::new();
    let mut out = null_mut();
    for list in [[0x7777, 1, 0, 0, 0], [NORMALIZED, 1, NORMALIZED, 1, 0], [ADDRESSING, 0x7777, 0, 0, 0]] {
        refused!(f.pi, piSamplerCreate(f.context, list.as_ptr(), &mut out), PI_ERROR_INVALID_VALUE);
    }
    refused!(f.pi, piSamplerCreate(f.context, [0].as_ptr(), null_mut()), PI_ERROR_INVALID_VALUE);
}

fn is_counted() {
    let f = Fixture::new();
    let sampler = sampler(&f, &[0]);
    let count = || get!(f.pi, piSamplerGetInfo(*sampler, PI_SAMPLER_INFO_REFERENCE_COUNT) as u32);
    assert_eq!(count(), 1);
    ok!(f.pi, piSamplerRetain(*sampler));
    assert_eq!(count(), 2);
    ok!(f.pi, piSamplerRelease(*sampler));
    assert_eq!(count(), 1);
}

fn bad_questions_are_refused() {
    let f = Fixture::new();
    let sampler = sampler(&f, &[0]);
    bad_questions!(f.pi, piSamplerGetInfo(*sampler), PI_SAMPLER_INFO_CONTEXT);
}
