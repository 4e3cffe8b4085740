//! Numbers of the SPIR-V specification that [`sycl_pi_image::spirv::op`] lacks, under the specification's names.
#![allow(non_upper_case_globals)]

pub(crate) use sycl_pi_image::spirv::op::*;

pub(crate) const OpCopyMemory: u16 = 63;
pub(crate) const OpCopyMemorySized: u16 = 64;
pub(crate) const OpAccessChain: u16 = 65;
pub(crate) const OpInBoundsAccessChain: u16 = 66;
pub(crate) const OpVectorExtractDynamic: u16 = 77;
pub(crate) const OpVectorInsertDynamic: u16 = 78;
pub(crate) const OpVectorShuffle: u16 = 79;
pub(crate) const OpCopyObject: u16 = 83;
pub(crate) const OpConvertPtrToU: u16 = 117;
pub(crate) const OpConvertUToPtr: u16 = 120;
pub(crate) const OpPtrCastToGeneric: u16 = 121;
pub(crate) const OpGenericCastToPtr: u16 = 122;
pub(crate) const OpGenericCastToPtrExplicit: u16 = 123;
pub(crate) const OpSelect: u16 = 169;
pub(crate) const OpPhi: u16 = 245;
pub(crate) const OpLoopMerge: u16 = 246;
pub(crate) const OpSelectionMerge: u16 = 247;
pub(crate) const OpBranch: u16 = 249;
pub(crate) const OpBranchConditional: u16 = 250;
pub(crate) const OpKill: u16 = 252;
pub(crate) const OpReturn: u16 = 253;
pub(crate) const OpReturnValue: u16 = 254;
pub(crate) const OpUnreachable: u16 = 255;
pub(crate) const OpLifetimeStart: u16 = 256;
pub(crate) const OpLifetimeStop: u16 = 257;
pub(crate) const OpPtrEqual: u16 = 401;
pub(crate) const OpPtrNotEqual: u16 = 402;
pub(crate) const OpPtrDiff: u16 = 403;
pub(crate) const OpCopyLogical: u16 = 400;
pub(crate) const OpAliasDomainDeclINTEL: u16 = 5911;
pub(crate) const OpAliasScopeListDeclINTEL: u16 = 5913;

/// Storage classes that the reader's list lacks.
pub(crate) mod class {
    pub(crate) const Input: u32 = 1;
    pub(crate) const Private: u32 = 6;
    pub(crate) const CodeSection: u32 = 5605;
    pub(crate) const DeviceOnly: u32 = 5936;
    pub(crate) const HostOnly: u32 = 5937;
}

/// Attributes of parameters.
pub(crate) mod attribute {
    pub(crate) const ByVal: u32 = 2;
}
