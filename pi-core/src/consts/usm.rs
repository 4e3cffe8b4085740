//! Constants of the usm entry points, as of PI 15.47 (values: golden/enums.json).

use crate::types::*;

// _pi_mem_advice
/// `_pi_mem_advice`, since PI 10.12.
pub const PI_MEM_ADVICE_RESET: pi_mem_advice = 0;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY: pi_mem_advice = 1;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_UNSET_READ_MOSTLY: pi_mem_advice = 2;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION: pi_mem_advice = 4;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION: pi_mem_advice = 8;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY: pi_mem_advice = 0x10;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY: pi_mem_advice = 0x20;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION_HOST: pi_mem_advice = 0x40;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION_HOST: pi_mem_advice = 0x80;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY_HOST: pi_mem_advice = 0x100;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY_HOST: pi_mem_advice = 0x200;
/// `_pi_mem_advice`, since PI 15.44.
pub const PI_MEM_ADVICE_HIP_SET_COARSE_GRAINED: pi_mem_advice = 0x400;
/// `_pi_mem_advice`, since PI 15.44.
pub const PI_MEM_ADVICE_HIP_UNSET_COARSE_GRAINED: pi_mem_advice = 0x800;
/// `_pi_mem_advice`; until 14.37 another number, see [`crate::advice`].
pub const PI_MEM_ADVICE_UNKNOWN: pi_mem_advice = 0x7fffffff;

// mem_advice_aliases
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_SET_READ_MOSTLY: pi_mem_advice = 1;
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_UNSET_READ_MOSTLY: pi_mem_advice = 2;
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_SET_PREFERRED_LOCATION: pi_mem_advice = 4;
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_UNSET_PREFERRED_LOCATION: pi_mem_advice = 8;
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_SET_ACCESSED_BY: pi_mem_advice = 0x10;
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_UNSET_ACCESSED_BY: pi_mem_advice = 0x20;
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_SET_PREFERRED_LOCATION_HOST: pi_mem_advice = 0x40;
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_UNSET_PREFERRED_LOCATION_HOST: pi_mem_advice = 0x80;
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_SET_ACCESSED_BY_HOST: pi_mem_advice = 0x100;
/// `mem_advice_aliases`, since PI 14.40.
pub const PI_MEM_ADVICE_HIP_UNSET_ACCESSED_BY_HOST: pi_mem_advice = 0x200;

// _pi_mem_alloc_info
/// `_pi_mem_alloc_info`.
pub const PI_MEM_ALLOC_TYPE: pi_mem_alloc_info = 0x419a;
/// `_pi_mem_alloc_info`.
pub const PI_MEM_ALLOC_BASE_PTR: pi_mem_alloc_info = 0x419b;
/// `_pi_mem_alloc_info`.
pub const PI_MEM_ALLOC_SIZE: pi_mem_alloc_info = 0x419c;
/// `_pi_mem_alloc_info`.
pub const PI_MEM_ALLOC_DEVICE: pi_mem_alloc_info = 0x419d;

// _pi_usm_type
/// `_pi_usm_type`.
pub const PI_MEM_TYPE_UNKNOWN: pi_usm_type = 0x4196;
/// `_pi_usm_type`.
pub const PI_MEM_TYPE_HOST: pi_usm_type = 0x4197;
/// `_pi_usm_type`.
pub const PI_MEM_TYPE_DEVICE: pi_usm_type = 0x4198;
/// `_pi_usm_type`.
pub const PI_MEM_TYPE_SHARED: pi_usm_type = 0x4199;

// _pi_usm_migration_flags
/// `_pi_usm_migration_flags`.
pub const PI_USM_MIGRATION_TBD0: pi_usm_migration_flags = 1;

// pi_usm_mem_property_keys
/// `pi_usm_mem_property_keys`.
pub const PI_MEM_ALLOC_FLAGS: pi_usm_mem_properties = 0x4195;
/// `pi_usm_mem_property_keys`.
pub const PI_MEM_USM_ALLOC_BUFFER_LOCATION: pi_usm_mem_properties = 0x419e;

// pi_usm_mem_alloc_flag_bits
/// `pi_usm_mem_alloc_flag_bits`.
pub const PI_MEM_ALLOC_WRTITE_COMBINED: pi_usm_mem_properties = 1;
/// `pi_usm_mem_alloc_flag_bits`.
pub const PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE: pi_usm_mem_properties = 2;
/// `pi_usm_mem_alloc_flag_bits`.
pub const PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST: pi_usm_mem_properties = 4;
/// `pi_usm_mem_alloc_flag_bits`.
pub const PI_MEM_ALLOC_DEVICE_READ_ONLY: pi_usm_mem_properties = 8;
