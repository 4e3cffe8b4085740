//! The driver's codes by name: `CUresult` of cuda.h, without the prefix `CUDA_ERROR_`.

use std::ffi::c_uint;

/// A driver's result. It is a plain number because newer drivers have additional codes.
pub(crate) type Code = c_uint;

pub(crate) const SUCCESS: Code = 0;
pub(crate) const INVALID_VALUE: Code = 1;
pub(crate) const OUT_OF_MEMORY: Code = 2;
pub(crate) const NOT_INITIALIZED: Code = 3;
pub(crate) const DEINITIALIZED: Code = 4;
pub(crate) const DEVICE_UNAVAILABLE: Code = 46;
pub(crate) const NO_DEVICE: Code = 100;
pub(crate) const INVALID_DEVICE: Code = 101;
pub(crate) const INVALID_IMAGE: Code = 200;
pub(crate) const INVALID_CONTEXT: Code = 201;
pub(crate) const NO_BINARY_FOR_GPU: Code = 209;
pub(crate) const ECC_UNCORRECTABLE: Code = 214;
pub(crate) const INVALID_PTX: Code = 218;
pub(crate) const NVLINK_UNCORRECTABLE: Code = 220;
pub(crate) const JIT_COMPILER_NOT_FOUND: Code = 221;
pub(crate) const UNSUPPORTED_PTX_VERSION: Code = 222;
pub(crate) const JIT_COMPILATION_DISABLED: Code = 223;
pub(crate) const CONTAINED: Code = 226;
pub(crate) const INVALID_SOURCE: Code = 300;
pub(crate) const INVALID_HANDLE: Code = 400;
pub(crate) const NOT_FOUND: Code = 500;
pub(crate) const NOT_READY: Code = 600;
pub(crate) const ILLEGAL_ADDRESS: Code = 700;
pub(crate) const LAUNCH_OUT_OF_RESOURCES: Code = 701;
pub(crate) const LAUNCH_TIMEOUT: Code = 702;
pub(crate) const CONTEXT_IS_DESTROYED: Code = 709;
pub(crate) const ASSERT: Code = 710;
pub(crate) const HARDWARE_STACK_ERROR: Code = 714;
pub(crate) const ILLEGAL_INSTRUCTION: Code = 715;
pub(crate) const MISALIGNED_ADDRESS: Code = 716;
pub(crate) const INVALID_ADDRESS_SPACE: Code = 717;
pub(crate) const INVALID_PC: Code = 718;
pub(crate) const LAUNCH_FAILED: Code = 719;
pub(crate) const NOT_SUPPORTED: Code = 801;
pub(crate) const SYSTEM_NOT_READY: Code = 802;
