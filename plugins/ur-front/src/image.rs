//! Images and samplers: converts UR's numbers and structures to those of the backends.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use sycl_pi_backend::api::SamplerProperties;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};
use sycl_ur_core::*;

use crate::convert::error;
use crate::encode::CHANNEL_ORDERS;
use crate::view::chained;

/// The image types, in the order of UR's numbers.
const IMAGE_TYPES: [MemType; 5] =
    [MemType::IMAGE2D, MemType::IMAGE3D, MemType::IMAGE2D_ARRAY, MemType::IMAGE1D, MemType::IMAGE1D_ARRAY];
/// UR's channel types from 0 on correspond to OpenCL's from its first one on.
const CHANNEL_TYPES: std::ops::RangeInclusive<u32> =
    UR_IMAGE_CHANNEL_TYPE_SNORM_INT8..=UR_IMAGE_CHANNEL_TYPE_FLOAT;
/// UR's addressing modes from 0 on correspond to OpenCL's from its first one on.
const ADDRESSING_MODES: std::ops::RangeInclusive<u32> =
    UR_SAMPLER_ADDRESSING_MODE_NONE..=UR_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT;

/// Converts the format of an image's elements.
///
/// # Errors
///
/// `UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR`.
pub fn format(format: &ur_image_format_t) -> Result<ImageFormat> {
    let channel_order = CHANNEL_ORDERS.get(format.channelOrder as usize).copied();
    let channel_order = channel_order.ok_or_else(|| no_image("channelOrder", format.channelOrder))?;
    if !CHANNEL_TYPES.contains(&format.channelType) {
        return Err(no_image("channelType", format.channelType));
    }
    let channel_type = ImageChannelType(ImageChannelType::SNORM_INT8.0 + format.channelType);
    Ok(ImageFormat { channel_order, channel_type })
}

/// Converts the shape of an image.
///
/// # Errors
///
/// `UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR` for an unknown image type, `UR_RESULT_ERROR_UNSUPPORTED_FEATURE`
/// for gather images, which no backend supports.
pub fn desc(desc: &ur_image_desc_t) -> Result<ImageDesc> {
    let image_type = match desc.type_ {
        UR_MEM_TYPE_IMAGE_CUBEMAP_EXP => MemType::IMAGE_CUBEMAP,
        UR_MEM_TYPE_IMAGE_GATHER_EXP => {
            return Err(Error::unsupported("pImageDesc->type: no backend has images to gather from"));
        }
        number => {
            let known = IMAGE_TYPES.get(number as usize).copied();
            known.ok_or_else(|| no_image("pImageDesc->type", number))?
        }
    };
    Ok(ImageDesc {
        image_type,
        width: desc.width,
        height: desc.height,
        depth: desc.depth,
        array_size: desc.arraySize,
        row_pitch: desc.rowPitch,
        slice_pitch: desc.slicePitch,
        num_mip_levels: desc.numMipLevel,
        num_samples: desc.numSamples,
        buffer: std::ptr::null_mut(),
    })
}

/// The properties of a new sampler.
pub(crate) struct SamplerRequest {
    /// The properties of all samplers.
    pub properties: SamplerProperties,
    /// The properties that only samplers of bindless images have, if any of them is given.
    pub bindless: Option<BindlessSampler>,
}

/// The properties that only samplers of bindless images have.
#[derive(Clone, Copy, Default)]
pub(crate) struct BindlessSampler {
    /// The lowest and the highest mipmap level.
    pub mipmap_clamp: (f32, f32),
    /// The maximum anisotropy ratio.
    pub max_anisotropy: f32,
}

/// Reads the properties of a new sampler.
///
/// # Safety
///
/// The structures chained to `desc` must match their types.
///
/// # Errors
///
/// `UR_RESULT_ERROR_INVALID_ENUMERATION`, or `UR_RESULT_ERROR_UNSUPPORTED_FEATURE` for separate addressing modes per
/// dimension.
pub(crate) unsafe fn sampler(desc: &ur_sampler_desc_t) -> Result<SamplerRequest> {
    let mut properties = SamplerProperties {
        normalized: desc.normalizedCoords != 0,
        addressing: addressing(desc.addressingMode)?,
        filter: filter(desc.filterMode)?,
        mip_filter: None,
        cubemap_filter: None,
    };
    let mut bindless = None;
    let chain = desc.pNext;
    // SAFETY: guaranteed by the caller.
    let (mip, modes, cubemap) = unsafe {
        (
            chained::<ur_exp_sampler_mip_properties_t>(chain, UR_STRUCTURE_TYPE_EXP_SAMPLER_MIP_PROPERTIES),
            chained::<ur_exp_sampler_addr_modes_t>(chain, UR_STRUCTURE_TYPE_EXP_SAMPLER_ADDR_MODES),
            chained::<ur_exp_sampler_cubemap_properties_t>(
                chain,
                UR_STRUCTURE_TYPE_EXP_SAMPLER_CUBEMAP_PROPERTIES,
            ),
        )
    };
    if let Some(mip) = mip {
        properties.mip_filter = Some(filter(mip.mipFilterMode)?);
        bindless = Some(BindlessSampler {
            mipmap_clamp: (mip.minMipmapLevelClamp, mip.maxMipmapLevelClamp),
            max_anisotropy: mip.maxAnisotropy,
        });
    }
    if let Some(modes) = modes {
        let [first, second, third] = modes.addrModes;
        if first != second || first != third {
            return Err(Error::unsupported(
                "addrModes: no backend has samplers with another addressing mode for each dimension",
            ));
        }
        properties.addressing = addressing(first)?;
        bindless.get_or_insert_default();
    }
    if let Some(cubemap) = cubemap {
        properties.cubemap_filter = Some(match cubemap.cubemapFilterMode {
            UR_EXP_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED => SamplerCubemapFilterMode::DISJOINTED,
            UR_EXP_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS => SamplerCubemapFilterMode::SEAMLESS,
            mode => return Err(unknown("cubemapFilterMode", mode)),
        });
        bindless.get_or_insert_default();
    }
    Ok(SamplerRequest { properties, bindless })
}

fn addressing(mode: ur_sampler_addressing_mode_t) -> Result<SamplerAddressingMode> {
    let is_known = ADDRESSING_MODES.contains(&mode);
    is_known
        .then(|| SamplerAddressingMode(SamplerAddressingMode::NONE.0 + mode))
        .ok_or_else(|| unknown("addressingMode", mode))
}

fn filter(mode: ur_sampler_filter_mode_t) -> Result<SamplerFilterMode> {
    match mode {
        UR_SAMPLER_FILTER_MODE_NEAREST => Ok(SamplerFilterMode::NEAREST),
        UR_SAMPLER_FILTER_MODE_LINEAR => Ok(SamplerFilterMode::LINEAR),
        _ => Err(unknown("filterMode", mode)),
    }
}

fn no_image(name: &str, number: u32) -> Error {
    error(UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, format!("{name} {number} is unknown"))
}

fn unknown(name: &str, number: u32) -> Error {
    error(UR_RESULT_ERROR_INVALID_ENUMERATION, format!("{name} {number} is unknown"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use std::ptr::null_mut;

    use super::*;

    #[test]
    fn each_structure_of_a_sampler_s_chain_counts() {
        const CLAMP: u32 = UR_SAMPLER_ADDRESSING_MODE_CLAMP;
        let request = |modes: [u32; 3]| {
            let mut modes = ur_exp_sampler_addr_modes_t {
                stype: UR_STRUCTURE_TYPE_EXP_SAMPLER_ADDR_MODES,
                pNext: null_mut(),
                addrModes: modes,
            };
            let mip = ur_exp_sampler_mip_properties_t {
                stype: UR_STRUCTURE_TYPE_EXP_SAMPLER_MIP_PROPERTIES,
                pNext: (&raw mut modes).cast(),
                minMipmapLevelClamp: 1.0,
                maxMipmapLevelClamp: 5.0,
                maxAnisotropy: 8.0,
                mipFilterMode: UR_SAMPLER_FILTER_MODE_LINEAR,
            };
            let desc = ur_sampler_desc_t {
                stype: UR_STRUCTURE_TYPE_SAMPLER_DESC,
                pNext: (&raw const mip).cast(),
                normalizedCoords: 1,
                addressingMode: UR_SAMPLER_ADDRESSING_MODE_REPEAT,
                filterMode: UR_SAMPLER_FILTER_MODE_NEAREST,
            };
            // SAFETY: a chain of two structures.
            unsafe { sampler(&desc) }
        };
        let SamplerRequest { properties, bindless } = request([CLAMP; 3]).unwrap();
        assert!(properties.normalized && properties.cubemap_filter.is_none());
        assert_eq!(properties.addressing.0, SamplerAddressingMode::NONE.0 + CLAMP);
        assert_eq!(
            (properties.filter.0, properties.mip_filter.unwrap().0),
            (SamplerFilterMode::NEAREST.0, SamplerFilterMode::LINEAR.0)
        );
        let BindlessSampler { mipmap_clamp, max_anisotropy } = bindless.unwrap();
        assert_eq!((mipmap_clamp, max_anisotropy), ((1.0, 5.0), 8.0));
        // Any such structure makes the sampler one of bindless images.
        let modes = ur_exp_sampler_addr_modes_t {
            stype: UR_STRUCTURE_TYPE_EXP_SAMPLER_ADDR_MODES,
            pNext: null_mut(),
            addrModes: [CLAMP; 3],
        };
        let desc = ur_sampler_desc_t {
            stype: UR_STRUCTURE_TYPE_SAMPLER_DESC,
            pNext: (&raw const modes).cast(),
            normalizedCoords: 0,
            addressingMode: UR_SAMPLER_ADDRESSING_MODE_REPEAT,
            filterMode: UR_SAMPLER_FILTER_MODE_NEAREST,
        };
        // SAFETY: a chain of one structure.
        let SamplerRequest { properties, bindless } = unsafe { sampler(&desc) }.unwrap();
        assert_eq!(properties.addressing.0, SamplerAddressingMode::NONE.0 + CLAMP);
        let BindlessSampler { mipmap_clamp, max_anisotropy } = bindless.unwrap();
        assert_eq!((mipmap_clamp, max_anisotropy), ((0.0, 0.0), 0.0));
        for place in 0..3 {
            let mut modes = [CLAMP; 3];
            modes[place] = UR_SAMPLER_ADDRESSING_MODE_REPEAT;
            assert!(request(modes).is_err(), "{modes:?}");
        }
    }
}
