//! Features that only other GPUs have, described in the terms of the program's author.

use sycl_pi_image::spirv::{Inst, Op, grammar};

pub(crate) const ESIMD: &str = "ESIMD, code for the vector units of Intel's GPUs, is not supported on CUDA";
const MATRICES: &str =
    "this instruction on cooperative matrices (SYCL's joint_matrix) is not supported on CUDA";
const BUILTINS: &str = "functions of Intel's compiler for its GPUs are not supported on CUDA";
const RAYS: &str = "ray tracing with Intel's GPUs (Embree's ray queries) is not supported on CUDA";
const ASSEMBLY: &str = "assembly of Intel's GPUs is not supported on CUDA";
const IMAGES: &str = "of images, only the handles of bindless sampled images can be read on CUDA";
const BLOCKS: &str = "Intel's instructions for blocks of images and matrices are not supported on CUDA";

/// Instructions of Intel's matrices that the grammar lacks: `SPV_INTEL_joint_matrix`.
const JOINT_MATRIX: [u16; 10] = [6118, 6119, 6120, 6121, 6122, 6128, 6129, 6130, 6193, 6410];
const TYPE_JOINT_MATRIX: u16 = 6119;
/// The instructions of `SPV_INTEL_2d_block_io` and `SPV_INTEL_subgroup_matrix_multiply_accumulate`.
const BLOCK: std::ops::RangeInclusive<u16> = 6231..=6237;

/// Returns whether an instruction declares a type, including types that only other GPUs have.
pub(crate) fn is_type(inst: &Inst<'_>) -> bool {
    inst.opcode.is_type() || inst.raw_opcode == TYPE_JOINT_MATRIX
}

/// Returns the reason why an instruction or a type is not supported.
pub(crate) fn why(inst: &Inst<'_>) -> &'static str {
    let name = grammar::name(inst.raw_opcode).unwrap_or_default();
    match inst.opcode {
        Op::AsmTargetINTEL | Op::AsmINTEL | Op::AsmCallINTEL => ASSEMBLY,
        Op::TypeSampler => "samplers are not supported on CUDA",
        Op::TypePipe | Op::TypePipeStorage => "pipes are not supported on CUDA",
        _ if name.contains("CooperativeMatrix") || JOINT_MATRIX.contains(&inst.raw_opcode) => MATRICES,
        _ if name.contains("RayQuery") => RAYS,
        _ if name.contains("ImageBlock")
            || name.contains("MediaBlock")
            || BLOCK.contains(&inst.raw_opcode) =>
        {
            BLOCKS
        }
        _ if name.contains("Image") => IMAGES,
        _ if name.starts_with("Type") => "the type is not supported on CUDA",
        _ => "the instruction is not supported on CUDA",
    }
}

/// Returns the reason why an imported function is unavailable, if its name reveals it.
pub(crate) fn why_imported(name: &str) -> Option<&'static str> {
    let is = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if is(&["llvm.genx.", "__esimd_"]) {
        Some(ESIMD)
    } else if is(&["__builtin_IB_"]) {
        Some(BUILTINS)
    } else if is(&["intel_ray_query", "intel_get_hit", "intel_is_traversal", "intel_sync_ray_query", "rtas"])
    {
        Some(RAYS)
    } else {
        None
    }
}
