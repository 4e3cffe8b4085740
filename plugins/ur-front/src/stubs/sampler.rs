//! Samplers.

use super::prelude::*;
use crate::image::{self, SamplerRequest};

stubs! {
    urSamplerCreate(hContext: ur_context_handle_t, pDesc: *const ur_sampler_desc_t, phSampler: *mut
        ur_sampler_handle_t) {
        let context = object::<B::Context>(hContext, "hContext")?;
        let request = image::sampler(value(pDesc, "pDesc")?)?;
        create(phSampler, "phSampler", context, || create_sampler::<B>(context, request))
    };

    urSamplerRetain(hSampler: ur_sampler_handle_t)
        object::<B::Sampler>(hSampler, "hSampler")?.retain_by_caller();

    urSamplerRelease(hSampler: ur_sampler_handle_t)
        object::<B::Sampler>(hSampler, "hSampler")?.release_by_caller();

    urSamplerGetInfo(hSampler: ur_sampler_handle_t, propName: ur_sampler_info_t, propSize: usize, pPropValue: *mut
        c_void, pPropSizeRet: *mut usize) {
        let sampler = object(hSampler, "hSampler")?;
        query::sampler::<B>(sampler, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };

    urSamplerGetNativeHandle(hSampler: ur_sampler_handle_t, phNativeSampler: *mut ur_native_handle_t) {
        let sampler = object(hSampler, "hSampler")?;
        put(phNativeSampler, "phNativeSampler", || B::sampler_native_handle(sampler))
    };

    urSamplerCreateWithNativeHandle(hNativeSampler: ur_native_handle_t, hContext: ur_context_handle_t, pProperties:
        *const ur_sampler_native_properties_t, phSampler: *mut ur_sampler_handle_t) {
        let context = object::<B::Context>(hContext, "hContext")?;
        let owned = pProperties.as_ref().is_some_and(|properties| properties.isNativeHandleOwned != 0);
        create(phSampler, "phSampler", context,
            || B::sampler_create_with_native_handle(hNativeSampler, context, owned))
    };
}

/// Creates a sampler: an ordinary one, or one for bindless images if the request has properties that only those have.
pub(super) fn create_sampler<B: Backend>(context: &B::Context, request: SamplerRequest) -> Result<New<B::Sampler>> {
    let SamplerRequest { properties, bindless } = request;
    match bindless {
        None => B::sampler_create(context, properties),
        Some(bindless) => {
            let (clamp, anisotropy) = (bindless.mipmap_clamp, bindless.max_anisotropy);
            B::bindless_image_sampler_create(context, properties, clamp, anisotropy)
        }
    }
}
