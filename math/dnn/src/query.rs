//! Queries of descriptors: `dnnl_query_t`.

use std::ffi::c_int;

pub(crate) const ENGINE: c_int = 1;
pub(crate) const PRIMITIVE_KIND: c_int = 2;
pub(crate) const INPUTS: c_int = 3;
pub(crate) const OUTPUTS: c_int = 4;
pub(crate) const MEMORY_CONSUMPTION: c_int = 6;
pub(crate) const SCRATCHPAD_ENGINE: c_int = 7;
pub(crate) const IMPLEMENTATION: c_int = 8;
pub(crate) const PROPAGATION_KIND: c_int = 11;
pub(crate) const STRIDES: c_int = 14;
/// Memory descriptors of a primitive descriptor. The numbers in between are for gradients.
pub(crate) const SOURCE: c_int = 129;
pub(crate) const WEIGHTS: c_int = 131;
pub(crate) const DESTINATION: c_int = 133;
pub(crate) const SCRATCHPAD: c_int = 136;
/// The memory descriptor of the argument with a given number.
pub(crate) const ARGUMENT: c_int = 255;
pub(crate) const DIMENSIONS: c_int = 256;
pub(crate) const LENGTHS: c_int = 257;
pub(crate) const DATA_TYPE: c_int = 258;
pub(crate) const OFFSET: c_int = 259;
pub(crate) const PADDED_LENGTHS: c_int = 260;
pub(crate) const FORMAT: c_int = 262;
pub(crate) const INNER_BLOCKS: c_int = 263;
