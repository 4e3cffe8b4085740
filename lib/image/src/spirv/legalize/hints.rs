//! Drops instructions and decorations that affect no result: aliasing, loop controls, cache controls, permissions to
//! contract and reassociate, and decorations that repeat others.
//!
//! Neither PoCL nor rusticl knows Intel's extensions for these. rusticl refuses modules that declare aliasing outside
//! functions, as all modules of DPC++ 2025 do. It also refuses modules with an `OpLoopMerge` that is not the second to
//! last instruction of its block, which llvm-spirv 19 writes, and with decorations that llvm-spirv 15 writes twice.

use std::collections::HashSet;

use rspirv::spirv::{Capability, Decoration, FPFastMathMode, LoopControl, MemoryAccess, Op};

use super::draft::Draft;
use super::line::Line;
use crate::spirv::SpirvError;

const CAPABILITIES: [Capability; 5] = [
    Capability::MemoryAccessAliasingINTEL,
    Capability::UnstructuredLoopControlsINTEL,
    Capability::FPGALoopControlsALTERA,
    Capability::CacheControlsINTEL,
    Capability::FPFastMathModeINTEL,
];
const EXTENSIONS: [&str; 6] = [
    "SPV_INTEL_memory_access_aliasing",
    UNSTRUCTURED,
    "SPV_INTEL_fpga_loop_controls",
    "SPV_ALTERA_fpga_loop_controls",
    "SPV_INTEL_cache_controls",
    "SPV_INTEL_fp_fast_math_mode",
];
/// The extension for `OpLoopControlINTEL`.
const UNSTRUCTURED: &str = "SPV_INTEL_unstructured_loop_controls";
/// The permissions of `FPFastMathMode` that need no extension.
const FAST_MATH: u32 = FPFastMathMode::NOT_NAN.bits()
    | FPFastMathMode::NOT_INF.bits()
    | FPFastMathMode::NSZ.bits()
    | FPFastMathMode::ALLOW_RECIP.bits()
    | FPFastMathMode::FAST.bits();
const DECORATIONS: [Decoration; 4] = [
    Decoration::AliasScopeINTEL,
    Decoration::NoAliasINTEL,
    Decoration::CacheControlLoadINTEL,
    Decoration::CacheControlStoreINTEL,
];
const INSTRUCTIONS: [Op; 4] =
    [Op::AliasDomainDeclINTEL, Op::AliasScopeDeclINTEL, Op::AliasScopeListDeclINTEL, Op::LoopControlINTEL];

/// Drops all hints.
pub(super) fn drop(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.drop_capabilities(&CAPABILITIES)?;
    let mut decorations: HashSet<Vec<u32>> = HashSet::new();
    draft.retain_globals(|line| match line.opcode() {
        Op::Decorate if !decorations.insert(line.operands.clone()) => false,
        Op::Extension => !EXTENSIONS.contains(&line.text(0).as_str()),
        opcode if INSTRUCTIONS.contains(&opcode) => false,
        _ => !line.inst().decoration().is_some_and(|decoration| DECORATIONS.contains(&decoration)),
    });
    for line in draft.globals.iter_mut().filter(|line| line.decorates(Decoration::FPFastMathMode)) {
        if let Some(mode) = line.operands.get_mut(2) {
            *mode &= FAST_MATH;
        }
    }
    for function in &mut draft.functions {
        let lines = &mut function.lines;
        lines.retain(|line| !INSTRUCTIONS.contains(&line.opcode()));
        let mut at = 0;
        let branches: Vec<bool> = lines.iter().map(|line| is_branch(line.opcode())).collect();
        lines.retain(|line| {
            at += 1;
            let in_place = branches.get(at).copied().unwrap_or(false);
            in_place || !matches!(line.opcode(), Op::LoopMerge | Op::SelectionMerge)
        });
        for line in lines {
            drop_aliasing(line);
            keep_common_controls(line);
        }
    }
    Ok(())
}

/// Drops the controls that say how to compile loops, unless they forbid unrolling.
///
/// PoCL 7.1 unrolls a loop with barriers as often as it is told to. It copies the code after a barrier that not all
/// iterations reach for each iteration, so that compiling a loop of eight iterations takes hours.
pub(super) fn drop_loop_controls(draft: &mut Draft) {
    let forbids = |controls: u32| controls & LoopControl::DONT_UNROLL.bits() != 0;
    let mut unstructured = false;
    for function in &mut draft.functions {
        function.lines.retain(|line| match line.opcode() {
            Op::LoopMerge => forbids(line.operand(2)),
            Op::LoopControlINTEL => forbids(line.operand(0)),
            _ => true,
        });
        unstructured |= function.lines.iter().any(|line| line.opcode() == Op::LoopControlINTEL);
    }
    if !unstructured {
        draft.retain_globals(|line| match line.opcode() {
            Op::Capability => line.operand(0) != Capability::UnstructuredLoopControlsINTEL as u32,
            Op::Extension => line.text(0) != UNSTRUCTURED,
            _ => true,
        });
    }
}

/// Returns whether a merge instruction may precede this instruction.
fn is_branch(opcode: Op) -> bool {
    matches!(opcode, Op::Branch | Op::BranchConditional | Op::Switch)
}

/// Drops the controls of a loop that are not part of core SPIR-V, such as those for FPGAs.
fn keep_common_controls(line: &mut Line) {
    /// The first control of an extension. The operands that follow are in the order of the controls.
    const FIRST_OTHER: u32 = LoopControl::INITIATION_INTERVAL_ALTERA.bits();
    /// The controls that have an operand.
    const WITH_OPERAND: u32 = LoopControl::DEPENDENCY_LENGTH.bits()
        | LoopControl::MIN_ITERATIONS.bits()
        | LoopControl::MAX_ITERATIONS.bits()
        | LoopControl::ITERATION_MULTIPLE.bits()
        | LoopControl::PEEL_COUNT.bits()
        | LoopControl::PARTIAL_COUNT.bits();
    if line.opcode() != Op::LoopMerge {
        return;
    }
    if let Some(controls) = line.operands.get_mut(2).filter(|controls| **controls >= FIRST_OTHER) {
        *controls &= FIRST_OTHER - 1;
        let count = 3 + (*controls & WITH_OPERAND).count_ones();
        line.operands.truncate(count as usize);
    }
}

/// Drops the aliasing from an access to memory.
fn drop_aliasing(line: &mut Line) {
    let at = match line.opcode() {
        Op::Load => 3,
        Op::Store | Op::CopyMemory => 2,
        Op::CopyMemorySized => 3,
        _ => return,
    };
    // The operands that follow a mask are in the order of its bits. Those for aliasing are the last two.
    let (scope, none) =
        (MemoryAccess::ALIAS_SCOPE_INTEL_MASK.bits(), MemoryAccess::NO_ALIAS_INTEL_MASK.bits());
    let mut at = at;
    while let Some(&mask) = line.operands.get(at) {
        let own =
            [MemoryAccess::ALIGNED, MemoryAccess::MAKE_POINTER_AVAILABLE, MemoryAccess::MAKE_POINTER_VISIBLE]
                .iter()
                .filter(|bit| mask & bit.bits() != 0)
                .count();
        let hints = [scope, none].iter().filter(|&&bit| mask & bit != 0).count();
        let first = at + 1 + own;
        if hints > 0 && first + hints <= line.operands.len() {
            line.operands.drain(first..first + hints);
            if let Some(word) = line.operands.get_mut(at) {
                *word = mask & !(scope | none);
            }
        }
        at = first;
    }
}
