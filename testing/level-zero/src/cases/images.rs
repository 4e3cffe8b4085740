//! Tests of images on the software driver.

use std::ptr::{null, null_mut};

use super::Case;
use crate::{Fixture, fails, fixture, ok};
use sycl_pi_core::*;
use testing_support::image_desc;

pub(crate) const CASES: &[Case] = &[
    ("an_image_larger_than_the_device_has_is_refused", too_large),
    ("images_of_other_element_sizes_are_not_copied", other_elements),
    ("slices_are_a_pitch_apart_in_host_memory", slices),
];

const RGBA8: pi_image_format = pi_image_format {
    image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
    image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
};

fn too_large() {
    let fixture = Fixture::new(fixture::plugin());
    let (mut most, mut image) = (0_usize, null_mut());
    let room = (&raw mut most).cast();
    ok!(fixture.pi, piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_IMAGE2D_MAX_HEIGHT, 8, room, null_mut()));
    let desc = image_desc(PI_MEM_TYPE_IMAGE2D, [1, most + 1, 1]);
    let (context, flags) = (fixture.context, PI_MEM_FLAGS_ACCESS_RW);
    let text = fails!(
        fixture.pi,
        piMemImageCreate(context, flags, &RGBA8, &desc, null_mut(), &mut image),
        PI_ERROR_INVALID_IMAGE_SIZE
    );
    assert!(text.contains(&format!("the device has up to {most}")), "{text}");
}

fn other_elements() {
    let fixture = Fixture::new(fixture::plugin());
    let (pi, context, queue) = (fixture.pi, fixture.context, fixture.queue);
    let wide = pi_image_format { image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32, ..RGBA8 };
    let desc = image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 1]);
    let images = [RGBA8, wide].map(|format| {
        let (flags, mut image) = (PI_MEM_FLAGS_ACCESS_RW, null_mut());
        ok!(pi, piMemImageCreate(context, flags, &format, &desc, null_mut(), &mut image));
        image
    });
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

/// Rows are dense, and slices are not.
fn slices() {
    const SLICE: usize = 4 * 2 * 4;
    const PITCH: usize = SLICE + 16;
    let fixture = Fixture::new(fixture::plugin());
    let (pi, context, queue) = (fixture.pi, fixture.context, fixture.queue);
    let (desc, mut image) = (image_desc(PI_MEM_TYPE_IMAGE3D, [4, 2, 3]), null_mut());
    ok!(pi, piMemImageCreate(context, PI_MEM_FLAGS_ACCESS_RW, &RGBA8, &desc, null_mut(), &mut image));
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
