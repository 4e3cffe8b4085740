//! Images and samplers.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use crate::host::{Host, newest, ok};

const WIDTH: usize = 8;
const HEIGHT: usize = 4;
const NOWHERE: ur_rect_offset_t = ur_rect_offset_t { x: 0, y: 0, z: 0 };
const ALL: ur_rect_region_t = ur_rect_region_t { width: WIDTH as u64, height: HEIGHT as u64, depth: 1 };
const RGBA_FLOAT: ur_image_format_t =
    ur_image_format_t { channelOrder: UR_IMAGE_CHANNEL_ORDER_RGBA, channelType: UR_IMAGE_CHANNEL_TYPE_FLOAT };

fn create(host: Host, format: &ur_image_format_t) -> Result<ur_mem_handle_t, ur_result_t> {
    let desc = ur_image_desc_t {
        stype: UR_STRUCTURE_TYPE_IMAGE_DESC,
        pNext: null(),
        type_: UR_MEM_TYPE_IMAGE2D,
        width: WIDTH,
        height: HEIGHT,
        depth: 1,
        arraySize: 0,
        rowPitch: 0,
        slicePitch: 0,
        numMipLevel: 0,
        numSamples: 0,
    };
    let mut image = null_mut();
    // SAFETY: a live context, and a place for the image.
    let code = unsafe {
        host.calls.urMemImageCreate(
            host.context,
            UR_MEM_FLAG_READ_WRITE,
            format,
            &desc,
            null_mut(),
            &mut image,
        )
    };
    if code == UR_RESULT_SUCCESS { Ok(image) } else { Err(code) }
}

#[test]
fn images_are_written_copied_and_read() {
    let host = newest();
    assert!(host.has(UR_DEVICE_INFO_IMAGE_SUPPORT));
    let (from, to) = (create(host, &RGBA_FLOAT).unwrap(), create(host, &RGBA_FLOAT).unwrap());
    let mut pixels: Vec<f32> = (0..WIDTH * HEIGHT * 4).map(|number| number as f32).collect();
    let mut read = vec![0.0_f32; pixels.len()];
    // SAFETY: live handles, and memory of the image's size.
    unsafe {
        let (calls, queue) = (host.calls, host.queue);
        let source = pixels.as_mut_ptr().cast();
        ok(calls.urEnqueueMemImageWrite(queue, from, 1, NOWHERE, ALL, 0, 0, source, 0, null(), null_mut()));
        ok(calls.urEnqueueMemImageCopy(queue, from, to, NOWHERE, NOWHERE, ALL, 0, null(), null_mut()));
        let room = read.as_mut_ptr().cast();
        ok(calls.urEnqueueMemImageRead(queue, to, 1, NOWHERE, ALL, 0, 0, room, 0, null(), null_mut()));
    }
    assert_eq!(read, pixels);
}

#[test]
fn an_image_tells_its_format_and_width_in_the_numbers_of_ur() {
    let host = newest();
    assert!(host.has(UR_DEVICE_INFO_IMAGE_SUPPORT));
    let image = create(host, &RGBA_FLOAT).unwrap();
    let (mut format, mut width) = ([u32::MAX; 2], 0_usize);
    // SAFETY: a live handle, and room for the answers.
    unsafe {
        let calls = host.calls;
        ok(calls.urMemImageGetInfo(image, UR_IMAGE_INFO_FORMAT, 8, format.as_mut_ptr().cast(), null_mut()));
        ok(calls.urMemImageGetInfo(image, UR_IMAGE_INFO_WIDTH, 8, (&raw mut width).cast(), null_mut()));
    }
    assert_eq!(format, [UR_IMAGE_CHANNEL_ORDER_RGBA, UR_IMAGE_CHANNEL_TYPE_FLOAT]);
    assert_eq!(width, WIDTH);
}

#[test]
fn an_unknown_format_is_an_invalid_format_descriptor() {
    let unknown = ur_image_format_t { channelOrder: 99, ..RGBA_FLOAT };
    assert_eq!(create(newest(), &unknown), Err(UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR));
}

#[test]
fn a_sampler_tells_its_modes_and_survives_its_native_handle() {
    let host = newest();
    assert!(host.has(UR_DEVICE_INFO_IMAGE_SUPPORT));
    let desc = ur_sampler_desc_t {
        stype: UR_STRUCTURE_TYPE_SAMPLER_DESC,
        pNext: null(),
        normalizedCoords: 1,
        addressingMode: UR_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
        filterMode: UR_SAMPLER_FILTER_MODE_LINEAR,
    };
    let (mut sampler, mut native, mut again) = (null_mut(), 0, null_mut());
    let (mut addressing, mut filter) = (u32::MAX, u32::MAX);
    // SAFETY: live handles, and places for what is asked for.
    unsafe {
        let calls = host.calls;
        ok(calls.urSamplerCreate(host.context, &desc, &mut sampler));
        ok(calls.urSamplerGetNativeHandle(sampler, &mut native));
        ok(calls.urSamplerCreateWithNativeHandle(native, host.context, null(), &mut again));
        ok(calls.urSamplerRelease(sampler));
        let room = (&raw mut addressing).cast();
        ok(calls.urSamplerGetInfo(again, UR_SAMPLER_INFO_ADDRESSING_MODE, 4, room, null_mut()));
        let room = (&raw mut filter).cast();
        ok(calls.urSamplerGetInfo(again, UR_SAMPLER_INFO_FILTER_MODE, 4, room, null_mut()));
        ok(calls.urSamplerRelease(again));
    }
    assert_eq!(addressing, UR_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT);
    assert_eq!(filter, UR_SAMPLER_FILTER_MODE_LINEAR);
}
