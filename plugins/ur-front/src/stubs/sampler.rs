//! Samplers.

use super::prelude::*;

stubs! {
    urSamplerRetain(hSampler: ur_sampler_handle_t)
        object::<B::Sampler>(hSampler, "hSampler")?.retain_by_caller();

    urSamplerRelease(hSampler: ur_sampler_handle_t)
        object::<B::Sampler>(hSampler, "hSampler")?.release_by_caller();

    urSamplerGetInfo(hSampler: ur_sampler_handle_t, propName: ur_sampler_info_t, propSize: usize, pPropValue: *mut
        c_void, pPropSizeRet: *mut usize) {
        let sampler = object(hSampler, "hSampler")?;
        query::sampler::<B>(sampler, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };
}

absent! {
    urSamplerCreate(hContext: ur_context_handle_t, pDesc: *const ur_sampler_desc_t, phSampler: *mut
        ur_sampler_handle_t);
    urSamplerGetNativeHandle(hSampler: ur_sampler_handle_t, phNativeSampler: *mut ur_native_handle_t);
    urSamplerCreateWithNativeHandle(hNativeSampler: ur_native_handle_t, hContext: ur_context_handle_t, pProperties:
        *const ur_sampler_native_properties_t, phSampler: *mut ur_sampler_handle_t);
}
