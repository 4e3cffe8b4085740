//! Samplers.

use super::prelude::*;
use crate::image::{self, SamplerRequest};

#[entry]
pub unsafe extern "C" fn urSamplerCreate<B: Backend>(
    hContext: ur_context_handle_t, pDesc: *const ur_sampler_desc_t, phSampler: *mut ur_sampler_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: the arguments are passed on under the same contract.
    let request = unsafe { image::sampler(value(pDesc, "pDesc")?)? };
    // SAFETY: `phSampler` is null or writable.
    unsafe { create(phSampler, "phSampler", context, || create_sampler::<B>(context, request)) }
}

#[entry]
pub unsafe extern "C" fn urSamplerRetain<B: Backend>(hSampler: ur_sampler_handle_t) -> Result<()> {
    // SAFETY: `hSampler` is null or a live handle.
    unsafe { object::<B::Sampler>(hSampler, "hSampler")? }.retain_by_caller()
}

#[entry]
pub unsafe extern "C" fn urSamplerRelease<B: Backend>(hSampler: ur_sampler_handle_t) -> Result<()> {
    // SAFETY: `hSampler` is null or a live handle.
    unsafe { object::<B::Sampler>(hSampler, "hSampler")?.release_by_caller() }
}

#[entry]
pub unsafe extern "C" fn urSamplerGetInfo<B: Backend>(
    hSampler: ur_sampler_handle_t, propName: ur_sampler_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hSampler` is null or a live handle.
    let sampler = unsafe { object(hSampler, "hSampler")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::sampler::<B>(sampler, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urSamplerGetNativeHandle<B: Backend>(
    hSampler: ur_sampler_handle_t, phNativeSampler: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hSampler` is null or a live handle.
    let sampler = unsafe { object(hSampler, "hSampler")? };
    // SAFETY: `phNativeSampler` is null or writable.
    unsafe { put(phNativeSampler, "phNativeSampler", || B::sampler_native_handle(sampler)) }
}

#[entry]
pub unsafe extern "C" fn urSamplerCreateWithNativeHandle<B: Backend>(
    hNativeSampler: ur_native_handle_t, hContext: ur_context_handle_t,
    pProperties: *const ur_sampler_native_properties_t, phSampler: *mut ur_sampler_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let owned = unsafe { pProperties.as_ref() }.is_some_and(|properties| properties.isNativeHandleOwned != 0);
    // SAFETY: `phSampler` is null or writable.
    unsafe {
        create(phSampler, "phSampler", context, || {
            B::sampler_create_with_native_handle(hNativeSampler, context, owned)
        })
    }
}

/// Creates a sampler: an ordinary one, or one for bindless images if the request has properties that only those have.
pub(super) fn create_sampler<B: Backend>(
    context: &B::Context, request: SamplerRequest,
) -> Result<New<B::Sampler>> {
    let SamplerRequest { properties, bindless } = request;
    match bindless {
        None => B::sampler_create(context, properties),
        Some(bindless) => {
            let (clamp, anisotropy) = (bindless.mipmap_clamp, bindless.max_anisotropy);
            B::bindless_image_sampler_create(context, properties, clamp, anisotropy)
        }
    }
}
