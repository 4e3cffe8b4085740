//! Images, with the OpenCL CPU runtime of the environment.
#![expect(unsafe_code, reason = "the tests call a driver")]
#![allow(clippy::unwrap_used)]

mod common;

use common::bench;
use level_zero_sys::*;

#[test]
#[ignore = "needs an OpenCL CPU runtime that takes SPIR-V"]
fn pixels_go_there_and_back() {
    let b = bench();
    let list = b.immediate();
    let pool = b.pool(1);
    let done = b.event(pool, 0);
    let format = ze_image_format_t {
        layout: ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8,
        r#type: ZE_IMAGE_FORMAT_TYPE_UINT,
        ..Default::default()
    };
    let desc = ze_image_desc_t {
        r#type: ZE_IMAGE_TYPE_2D,
        format,
        width: 4,
        height: 4,
        depth: 1,
        ..Default::default()
    };
    let source: Vec<u8> = (0..64).collect();
    let mut back = [0_u8; 16];
    let (mut one, mut two) = (ze_image_handle_t::NULL, ze_image_handle_t::NULL);
    const NULL: ze_event_handle_t = ze_event_handle_t::NULL;
    let none = std::ptr::null_mut();
    // SAFETY: live handles, memory of the images' sizes.
    unsafe {
        b.ze.zeImageCreate(b.context, b.device, &desc, &mut one).unwrap();
        b.ze.zeImageCreate(b.context, b.device, &desc, &mut two).unwrap();
        let all = std::ptr::null();
        b.ze.zeCommandListAppendImageCopyFromMemory(list, one, source.as_ptr().cast(), all, NULL, 0, none)
            .unwrap();
        b.ze.zeCommandListAppendBarrier(list, NULL, 0, none).unwrap();
        b.ze.zeCommandListAppendImageCopy(list, two, one, NULL, 0, none).unwrap();
        b.ze.zeCommandListAppendBarrier(list, NULL, 0, none).unwrap();
        let middle = ze_image_region_t { originX: 1, originY: 1, width: 2, height: 2, depth: 1, originZ: 0 };
        let to = back.as_mut_ptr().cast();
        b.ze.zeCommandListAppendImageCopyToMemory(list, to, two, &middle, done, 0, none).unwrap();
        b.ze.zeEventHostSynchronize(done, u64::MAX).unwrap();
        assert_eq!(back, [20, 21, 22, 23, 24, 25, 26, 27, 36, 37, 38, 39, 40, 41, 42, 43]);
        b.ze.zeImageDestroy(one).unwrap();
        b.ze.zeImageDestroy(two).unwrap();
        b.ze.zeCommandListDestroy(list).unwrap();
        b.ze.zeEventDestroy(done).unwrap();
        b.ze.zeEventPoolDestroy(pool).unwrap();
        let unsupported = ze_image_desc_t { r#type: ZE_IMAGE_TYPE_BUFFER, ..desc };
        let answer = b.ze.zeImageCreate(b.context, b.device, &unsupported, &mut one);
        assert_eq!(common::code(answer), ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    }
    assert_eq!(b.complaints(), 0, "{}", b.report());
}
