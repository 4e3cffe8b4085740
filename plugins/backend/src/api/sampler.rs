//! Samplers.

use crate::types::*;
use crate::{Error, Info, New, Result};

/// How a sampler is created. Each value is a known one.
#[derive(Clone, Copy, Debug)]
pub struct SamplerProperties {
    /// Coordinates from 0 to 1; the default.
    pub normalized: bool,
    /// Clamp by default.
    pub addressing: SamplerAddressingMode,
    /// Nearest by default.
    pub filter: SamplerFilterMode,
    /// Between mipmap levels; of bindless images only.
    pub mip_filter: Option<SamplerFilterMode>,
    /// Across the edges of a cube; of bindless images only.
    pub cubemap_filter: Option<SamplerCubemapFilterMode>,
}

impl SamplerProperties {
    /// Refuses what only bindless images have, for backends without them.
    pub fn without_bindless(self) -> Result<Self> {
        let name = match (self.mip_filter, self.cubemap_filter) {
            (None, None) => return Ok(self),
            (Some(_), _) => "mip filter mode",
            _ => "cubemap filter mode",
        };
        Err(Error::invalid_value(format!(
            "a sampler with a {name}, which is for bindless images; this backend has none"
        )))
    }
}

api! {
    /// Samplers.
    trait SamplerApi {
        /// A sampler.
        #[doc(alias = "piSamplerCreate")]
        #[doc(alias = "urSamplerCreate")]
        fn sampler_create(context: &Self::Context, properties: SamplerProperties) -> New<Self::Sampler>;
        /// Reference count, context, coordinates, addressing, filter.
        #[doc(alias = "piSamplerGetInfo")]
        #[doc(alias = "urSamplerGetInfo")]
        fn sampler_info(sampler: &Self::Sampler, name: SamplerInfo, info: Info<'_>);
        /// The driver's own handle.
        #[doc(alias = "urSamplerGetNativeHandle")]
        fn sampler_native_handle(sampler: &Self::Sampler) -> NativeHandle;
        /// The sampler of a driver's handle. `owned`: the backend takes over the caller's reference.
        #[doc(alias = "urSamplerCreateWithNativeHandle")]
        fn sampler_create_with_native_handle(native: NativeHandle, context: &Self::Context, owned: bool)
            -> New<Self::Sampler>;
    }
}
