//! Checks that UR's numbers of images are converted to those of OpenCL's headers.

use sycl_ur_core::*;
use sycl_ur_front::convert::result;
use sycl_ur_front::image;

fn format(order: u32, kind: u32) -> Result<(u32, u32), ur_result_t> {
    let format = ur_image_format_t { channelOrder: order, channelType: kind };
    let format = image::format(&format).map_err(|error| result(error.code()))?;
    Ok((format.channel_order.0, format.channel_type.0))
}

fn image_type(number: ur_mem_type_t) -> Result<u32, ur_result_t> {
    let desc = ur_image_desc_t {
        stype: UR_STRUCTURE_TYPE_IMAGE_DESC,
        pNext: std::ptr::null(),
        type_: number,
        width: 3,
        height: 5,
        depth: 7,
        arraySize: 11,
        rowPitch: 13,
        slicePitch: 17,
        numMipLevel: 19,
        numSamples: 23,
    };
    let desc = image::desc(&desc).map_err(|error| result(error.code()))?;
    assert_eq!((desc.width, desc.height, desc.depth, desc.array_size), (3, 5, 7, 11));
    assert_eq!((desc.row_pitch, desc.slice_pitch, desc.num_mip_levels, desc.num_samples), (13, 17, 19, 23));
    Ok(desc.image_type.0)
}

#[test]
fn channels_are_those_of_opencl() {
    // CL_A and CL_SNORM_INT8, CL_R and CL_UNORM_SHORT_565, CL_RGBA and CL_FLOAT, CL_ABGR and CL_UNSIGNED_INT8, CL_sRGBA
    // and CL_HALF_FLOAT.
    let known = [
        (UR_IMAGE_CHANNEL_ORDER_A, UR_IMAGE_CHANNEL_TYPE_SNORM_INT8, 0x10b1, 0x10d0),
        (UR_IMAGE_CHANNEL_ORDER_R, UR_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565, 0x10b0, 0x10d4),
        (UR_IMAGE_CHANNEL_ORDER_RGBA, UR_IMAGE_CHANNEL_TYPE_FLOAT, 0x10b5, 0x10de),
        (UR_IMAGE_CHANNEL_ORDER_ABGR, UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, 0x10c3, 0x10da),
        (UR_IMAGE_CHANNEL_ORDER_SRGBA, UR_IMAGE_CHANNEL_TYPE_HALF_FLOAT, 0x10c1, 0x10dd),
    ];
    for (order, kind, cl_order, cl_kind) in known {
        assert_eq!(format(order, kind), Ok((cl_order, cl_kind)));
    }
}

#[test]
fn numbers_past_the_last_channel_are_unknown() {
    let unknown = Err(UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    assert_eq!(format(UR_IMAGE_CHANNEL_ORDER_SRGBA + 1, UR_IMAGE_CHANNEL_TYPE_FLOAT), unknown);
    assert_eq!(format(UR_IMAGE_CHANNEL_ORDER_R, UR_IMAGE_CHANNEL_TYPE_FLOAT + 1), unknown);
}

#[test]
fn kinds_of_images_are_those_of_opencl() {
    // CL_MEM_OBJECT_IMAGE2D, ..._IMAGE3D, ..._IMAGE2D_ARRAY, ..._IMAGE1D, ..._IMAGE1D_ARRAY.
    let known = [
        (UR_MEM_TYPE_IMAGE2D, 0x10f1),
        (UR_MEM_TYPE_IMAGE3D, 0x10f2),
        (UR_MEM_TYPE_IMAGE2D_ARRAY, 0x10f3),
        (UR_MEM_TYPE_IMAGE1D, 0x10f4),
        (UR_MEM_TYPE_IMAGE1D_ARRAY, 0x10f5),
    ];
    for (number, cl) in known {
        assert_eq!(image_type(number), Ok(cl));
    }
    assert_eq!(image_type(5), Err(UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR));
    assert_eq!(image_type(UR_MEM_TYPE_IMAGE_GATHER_EXP), Err(UR_RESULT_ERROR_UNSUPPORTED_FEATURE));
}
