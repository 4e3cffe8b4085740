//! Tensor maps.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn urTensorMapEncodeIm2ColExp<B: Backend>(
    _hDevice: ur_device_handle_t, _TensorMapType: ur_exp_tensor_map_data_type_flags_t, _TensorRank: u32,
    _GlobalAddress: *mut c_void, _GlobalDim: *const u64, _GlobalStrides: *const u64,
    _PixelBoxLowerCorner: *const c_int, _PixelBoxUpperCorner: *const c_int, _ChannelsPerPixel: u32,
    _PixelsPerColumn: u32, _ElementStrides: *const u32, _Interleave: ur_exp_tensor_map_interleave_flags_t,
    _Swizzle: ur_exp_tensor_map_swizzle_flags_t, _L2Promotion: ur_exp_tensor_map_l2_promotion_flags_t,
    _OobFill: ur_exp_tensor_map_oob_fill_flags_t, _hTensorMap: *mut ur_exp_tensor_map_handle_t,
) -> Result<()> {
    no_such_function::<B>()
}

#[entry]
pub unsafe extern "C" fn urTensorMapEncodeTiledExp<B: Backend>(
    _hDevice: ur_device_handle_t, _TensorMapType: ur_exp_tensor_map_data_type_flags_t, _TensorRank: u32,
    _GlobalAddress: *mut c_void, _GlobalDim: *const u64, _GlobalStrides: *const u64, _BoxDim: *const u32,
    _ElementStrides: *const u32, _Interleave: ur_exp_tensor_map_interleave_flags_t,
    _Swizzle: ur_exp_tensor_map_swizzle_flags_t, _L2Promotion: ur_exp_tensor_map_l2_promotion_flags_t,
    _OobFill: ur_exp_tensor_map_oob_fill_flags_t, _hTensorMap: *mut ur_exp_tensor_map_handle_t,
) -> Result<()> {
    no_such_function::<B>()
}
