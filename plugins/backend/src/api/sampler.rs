//! Samplers.

use crate::types::*;
use crate::{Error, Info, New, Result};

/// The properties of a new sampler. All values are known ones.
#[derive(Clone, Copy, Debug)]
pub struct SamplerProperties {
    /// Whether coordinates are from 0 to 1, which is the default.
    pub normalized: bool,
    /// Addressing mode; clamp by default.
    pub addressing: SamplerAddressingMode,
    /// Filter mode; nearest by default.
    pub filter: SamplerFilterMode,
    /// Filter mode between mipmap levels, for bindless images only.
    pub mip_filter: Option<SamplerFilterMode>,
    /// Filter mode across the edges of a cube map, for bindless images only.
    pub cubemap_filter: Option<SamplerCubemapFilterMode>,
}

impl SamplerProperties {
    /// Refuses properties that only bindless images use, for backends without them.
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
        /// Creates a sampler.
        #[doc(alias = "piSamplerCreate")]
        #[doc(alias = "urSamplerCreate")]
        fn sampler_create(context: &Self::Context, properties: SamplerProperties) -> New<Self::Sampler>;
        /// Answers queries for reference count, context, coordinates, addressing and filter.
        #[doc(alias = "piSamplerGetInfo")]
        #[doc(alias = "urSamplerGetInfo")]
        fn sampler_info(sampler: &Self::Sampler, name: SamplerInfo, info: Info<'_>);
        /// Returns the driver's native handle.
        #[doc(alias = "urSamplerGetNativeHandle")]
        fn sampler_native_handle(sampler: &Self::Sampler) -> NativeHandle;
        /// Creates a sampler from a native handle. If `owned`, the backend takes over the caller's reference.
        #[doc(alias = "urSamplerCreateWithNativeHandle")]
        fn sampler_create_with_native_handle(native: NativeHandle, context: &Self::Context, owned: bool)
            -> New<Self::Sampler>;
    }
}
