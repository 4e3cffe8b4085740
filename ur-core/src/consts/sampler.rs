//! Samplers.

enumerations! {
    /// Filter modes across the edges of a cube map.
    ur_exp_sampler_cubemap_filter_mode_t {
        UR_EXP_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED = 0;
        UR_EXP_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS = 1;
    }

    /// Addressing modes for coordinates outside of the image.
    ur_sampler_addressing_mode_t {
        UR_SAMPLER_ADDRESSING_MODE_NONE = 0;
        UR_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE = 1;
        UR_SAMPLER_ADDRESSING_MODE_CLAMP = 2;
        UR_SAMPLER_ADDRESSING_MODE_REPEAT = 3;
        UR_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT = 4;
    }

    /// Filter modes.
    ur_sampler_filter_mode_t {
        UR_SAMPLER_FILTER_MODE_NEAREST = 0;
        UR_SAMPLER_FILTER_MODE_LINEAR = 1;
    }

    /// Queries for `urSamplerGetInfo`.
    ur_sampler_info_t {
        UR_SAMPLER_INFO_REFERENCE_COUNT = 0;
        UR_SAMPLER_INFO_CONTEXT = 1;
        UR_SAMPLER_INFO_NORMALIZED_COORDS = 2;
        UR_SAMPLER_INFO_ADDRESSING_MODE = 3;
        UR_SAMPLER_INFO_FILTER_MODE = 4;
    }
}
