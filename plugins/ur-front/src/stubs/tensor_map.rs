//! Tensor maps.

use super::prelude::*;

absent! {
    urTensorMapEncodeIm2ColExp(hDevice: ur_device_handle_t, TensorMapType: ur_exp_tensor_map_data_type_flags_t,
        TensorRank: u32, GlobalAddress: *mut c_void, GlobalDim: *const u64, GlobalStrides: *const u64,
        PixelBoxLowerCorner: *const c_int, PixelBoxUpperCorner: *const c_int, ChannelsPerPixel: u32, PixelsPerColumn:
        u32, ElementStrides: *const u32, Interleave: ur_exp_tensor_map_interleave_flags_t, Swizzle:
        ur_exp_tensor_map_swizzle_flags_t, L2Promotion: ur_exp_tensor_map_l2_promotion_flags_t, OobFill:
        ur_exp_tensor_map_oob_fill_flags_t, hTensorMap: *mut ur_exp_tensor_map_handle_t);
    urTensorMapEncodeTiledExp(hDevice: ur_device_handle_t, TensorMapType: ur_exp_tensor_map_data_type_flags_t,
        TensorRank: u32, GlobalAddress: *mut c_void, GlobalDim: *const u64, GlobalStrides: *const u64, BoxDim: *const
        u32, ElementStrides: *const u32, Interleave: ur_exp_tensor_map_interleave_flags_t, Swizzle:
        ur_exp_tensor_map_swizzle_flags_t, L2Promotion: ur_exp_tensor_map_l2_promotion_flags_t, OobFill:
        ur_exp_tensor_map_oob_fill_flags_t, hTensorMap: *mut ur_exp_tensor_map_handle_t);
}
