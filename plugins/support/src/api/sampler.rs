//! Samplers.

use pi_core::*;

use crate::view::Properties;
use crate::{Info, New};

api! {
    /// Samplers.
    trait SamplerApi {
        /// A sampler; missing keys mean normalized coordinates, clamp, nearest.
        fn piSamplerCreate(context: &Self::Context, properties: Properties<'_, pi_sampler_properties>)
            -> New<Self::Sampler>;
        /// Reference count, context, coordinates, addressing, filter.
        fn piSamplerGetInfo(sampler: &Self::Sampler, name: pi_sampler_info, info: Info<'_>);
        /// One reference more.
        fn piSamplerRetain(sampler: &Self::Sampler);
        /// One reference less.
        fn piSamplerRelease(sampler: &Self::Sampler);
    }
}

stubs! {
    piSamplerCreate(context: pi_context, sampler_properties: *const pi_sampler_properties,
        result_sampler: *mut pi_sampler) {
        let context = object(context, "context")?;
        let list = properties_list(sampler_properties)?;
        create(result_sampler, "result_sampler", || B::piSamplerCreate(context, list))
    };

    piSamplerGetInfo(sampler: pi_sampler, param_name: pi_sampler_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize) {
        let sampler = object(sampler, "sampler")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piSamplerGetInfo(sampler, param_name, info))
    };

    piSamplerRetain(sampler: pi_sampler) B::piSamplerRetain(object(sampler, "sampler")?);

    piSamplerRelease(sampler: pi_sampler) B::piSamplerRelease(object(sampler, "sampler")?);
}
