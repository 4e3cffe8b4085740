//! Samplers.

use sycl_pi_backend::api::{SamplerApi, SamplerProperties};
use sycl_pi_backend::types::{NativeHandle, SamplerInfo};
use sycl_pi_backend::{Info, New, Result};

use crate::OpenCl;
use crate::sys::{self, Context, Queried, Sampler, cl, create};

impl SamplerApi for OpenCl {
    fn sampler_create(context: &Context, properties: SamplerProperties) -> Result<New<Sampler>> {
        let SamplerProperties { normalized, addressing, filter, .. } = properties.without_bindless()?;
        create(|code| cl().clCreateSampler(context.cl(), normalized.into(), addressing.0, filter.0, code))
    }

    fn sampler_info(sampler: &Sampler, name: SamplerInfo, info: Info<'_>) -> Result<()> {
        sampler.answer(name.0, info)
    }

    fn sampler_native_handle(sampler: &Sampler) -> Result<NativeHandle> {
        Ok(sys::native_handle(sampler))
    }

    fn sampler_create_with_native_handle(
        native: NativeHandle,
        _: &Context,
        owned: bool,
    ) -> Result<New<Sampler>> {
        sys::from_native(native, owned)
    }
}
