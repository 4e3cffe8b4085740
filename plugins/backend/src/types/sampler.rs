//! Numbers of samplers.

enumeration! {
    /// Queries of a sampler.
    pub struct SamplerInfo: u32 {
        REFERENCE_COUNT = 0x1150,
        CONTEXT = 0x1151,
        NORMALIZED_COORDS = 0x1152,
        ADDRESSING_MODE = 0x1153,
        FILTER_MODE = 0x1154,
        MIP_FILTER_MODE = 0x1155,
        LOD_MIN = 0x1156,
        LOD_MAX = 0x1157,
    }
}

enumeration! {
    /// Addressing mode for coordinates outside of an image.
    pub struct SamplerAddressingMode: u32 {
        MIRRORED_REPEAT = 0x1134,
        REPEAT = 0x1133,
        CLAMP_TO_EDGE = 0x1131,
        CLAMP = 0x1132,
        NONE = 0x1130,
    }
}

enumeration! {
    /// Filter mode.
    pub struct SamplerFilterMode: u32 {
        NEAREST = 0x1140,
        LINEAR = 0x1141,
    }
}

enumeration! {
    /// Filter mode across the edges of a cube map.
    pub struct SamplerCubemapFilterMode: u32 {
        DISJOINTED = 0x1142,
        SEAMLESS = 0x1143,
    }
}
