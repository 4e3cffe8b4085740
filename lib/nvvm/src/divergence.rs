//! Finds divergent blocks: blocks that some work-items of a sub-group may reach without the others.
//!
//! SPIR-V requires all work-items of a sub-group to reach a group operation. Existing programs violate this where
//! Intel's GPUs permit it: oneDAL reduces in a branch that only a few work-items take. A shuffle that waits for the
//! whole sub-group never returns there. In the blocks found here, a group operation therefore works on the work-items
//! that reached the block; everywhere else it waits for the whole sub-group.

use std::collections::{HashMap, HashSet};

use sycl_pi_image::spirv::{BuiltIn, FunctionSpan, GroupOperation, Inst, Op, grammar};

use crate::active_masks::add_masks;
use crate::flow::{Block, Flow};
use crate::masks::Masks;
use crate::program::Program;

/// Determines which work-items take part in the group operations of divergent blocks, in all functions that run. Does
/// nothing if no function has group operations.
pub(crate) fn masks(program: &Program<'_>) -> Masks {
    let spans: HashMap<u32, FunctionSpan> =
        program.reach.functions.iter().map(|(span, _)| (span.id, *span)).collect();
    let module = &program.index.module;
    let is_group_operation = |inst: Inst<'_>| {
        is_uniform_group_operation(inst.opcode) || is_non_uniform_group_operation(inst.opcode)
    };
    if !spans.values().any(|span| module.range(span.first, span.end).any(is_group_operation)) {
        return Masks::default();
    }
    // Functions called in divergent control flow. The callers of a function whose address is taken are unknown.
    let mut called_apart: HashSet<u32> = program.reach.by_address().map(|(id, _)| id).collect();
    let functions = loop {
        let mut functions = Vec::new();
        let before = called_apart.len();
        for span in spans.values() {
            let mut function = Divergence::new(program, *span, called_apart.contains(&span.id));
            function.spread();
            called_apart.extend(function.calls_in_divergent_blocks());
            functions.push(function);
        }
        if called_apart.len() == before {
            break functions;
        }
    };
    let mut masks = Masks::default();
    // Calls through a pointer pass no masks, nor do the callers of a kernel or of another library.
    let cannot_get: HashSet<u32> =
        program.roots().into_iter().chain(program.reach.by_address()).map(|(id, _)| id).collect();
    masks.given = with_group_operations(program, &spans, is_group_operation);
    masks.given.retain(|id| called_apart.contains(id) && !cannot_get.contains(id));
    for function in functions {
        let calls =
            |inst: &Inst<'_>| inst.opcode == Op::FunctionCall && masks.given.contains(&inst.operand(2));
        let has_group_operations: Vec<bool> = function
            .flow
            .blocks
            .iter()
            .map(|block| {
                let (first, end) = block.instructions;
                module.range(first, end).any(|inst| is_group_operation(inst) || calls(&inst))
            })
            .collect();
        let is_given = masks.given.contains(&function.span.id);
        add_masks(
            &mut masks,
            &function.flow,
            (&function.divergent, is_given),
            |at| function.diverges_after(at),
            |at| has_group_operations[at],
        );
    }
    masks
}

/// Returns the functions that contain group operations, or that call such functions.
fn with_group_operations(
    program: &Program<'_>,
    spans: &HashMap<u32, FunctionSpan>,
    is_group_operation: impl Fn(Inst<'_>) -> bool,
) -> HashSet<u32> {
    let module = &program.index.module;
    let own = spans.values().filter(|span| module.range(span.first, span.end).any(&is_group_operation));
    let mut waiting: Vec<u32> = own.map(|span| span.id).collect();
    let mut found = HashSet::new();
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            waiting.extend(program.reach.callers(id));
        }
    }
    found
}

/// Returns whether an instruction is a group operation that all work-items of its scope have to reach.
fn is_uniform_group_operation(opcode: Op) -> bool {
    matches!(opcode, Op::ControlBarrier)
        || (Op::GroupAll..=Op::GroupSMax).contains(&opcode)
        || (Op::SubgroupShuffleINTEL..=Op::SubgroupShuffleXorINTEL).contains(&opcode)
        || (Op::GroupIMulKHR..=Op::GroupLogicalXorKHR).contains(&opcode)
}

/// Returns whether an instruction is a group operation of the active work-items of a sub-group.
fn is_non_uniform_group_operation(opcode: Op) -> bool {
    (Op::GroupNonUniformElect..=Op::GroupNonUniformQuadSwap).contains(&opcode)
        || opcode == Op::GroupNonUniformRotateKHR
}

/// The analysis of a function.
struct Divergence<'p, 'm> {
    program: &'p Program<'m>,
    span: FunctionSpan,
    flow: Flow,
    /// The reconvergence point of the work-items that leave a block.
    reconvergence_points: Vec<Option<usize>>,
    /// Whether each block is divergent.
    divergent: Vec<bool>,
    /// Values that may differ among the work-items of a sub-group.
    varying: HashSet<u32>,
}

impl<'p, 'm> Divergence<'p, 'm> {
    fn new(program: &'p Program<'m>, span: FunctionSpan, called_apart: bool) -> Self {
        let flow = Flow::of_function(program, span);
        let is_kernel = program.entry_of(span.id).is_some();
        // A work-item that returns from a function continues in its caller, and does not reach the blocks after the
        // return.
        let reconvergence_points =
            if is_kernel { flow.reconvergence_points() } else { flow.strict_reconvergence_points() };
        let divergent = vec![called_apart; flow.blocks.len()];
        let mut varying = HashSet::new();
        if !is_kernel {
            let all = program.index.module.range(span.first, span.end);
            varying
                .extend(all.filter(|inst| inst.opcode == Op::FunctionParameter).map(|inst| inst.operand(1)));
        }
        Self { program, span, flow, reconvergence_points, divergent, varying }
    }

    /// Finds varying values and divergent blocks until nothing changes.
    fn spread(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..self.flow.blocks.len() {
                let (first, end) = self.flow.blocks[at].instructions;
                for inst in self.program.index.module.range(first, end) {
                    let Some(result) = grammar::result(&inst) else { continue };
                    if !self.varying.contains(&result) && (self.divergent[at] || self.varies(&inst)) {
                        changed |= self.varying.insert(result);
                    }
                }
                changed |= self.diverges_after(at) && self.diverge_behind(at);
            }
        }
    }

    /// Returns whether work-items may leave a block along different edges.
    fn diverges_after(&self, at: usize) -> bool {
        let block = &self.flow.blocks[at];
        block.next.len() > 1 && block.selector.is_some_and(|selector| self.varying.contains(&selector))
    }

    /// Marks the blocks between a block and its reconvergence point as divergent.
    fn diverge_behind(&mut self, at: usize) -> bool {
        let end = self.reconvergence_points[at];
        let mut waiting = self.flow.blocks[at].next.clone();
        let mut seen = HashSet::new();
        let mut changed = false;
        while let Some(to) = waiting.pop() {
            if Some(to) != end && seen.insert(to) {
                changed |= !std::mem::replace(&mut self.divergent[to], true);
                waiting.extend(&self.flow.blocks[to].next);
            }
        }
        changed
    }

    /// Returns whether a result may differ among work-items that compute it together.
    fn varies(&self, inst: &Inst<'_>) -> bool {
        match inst.opcode {
            Op::Phi => self.operands_vary(inst) || self.comes_from_both_sides(inst),
            Op::Variable | Op::FunctionCall | Op::FunctionPointerCallINTEL | Op::ReadClockKHR => true,
            Op::GroupAll | Op::GroupAny | Op::GroupBroadcast => false,
            opcode if is_uniform_group_operation(opcode) => inst.operand(3) != GroupOperation::Reduce as u32,
            opcode => varies_by_work_item(opcode) || self.operands_vary(inst),
        }
    }

    fn operands_vary(&self, inst: &Inst<'_>) -> bool {
        let mut vary = false;
        let read = self.program.index.ids(inst, |_, id| {
            vary |= self.varying.contains(&id)
                || self.program.builtins.get(&id).is_some_and(|&which| !is_common(which));
        });
        vary || read.is_err()
    }

    /// Returns whether a phi joins divergent paths.
    fn comes_from_both_sides(&self, inst: &Inst<'_>) -> bool {
        let (pairs, _) = inst.operands.get(2..).unwrap_or_default().as_chunks::<2>();
        let diverged = |label: u32| {
            self.flow.place(label).is_none_or(|at| self.divergent[at] || self.diverges_after(at))
        };
        pairs.len() > 1 && pairs.iter().any(|&[_, label]| diverged(label))
    }

    fn divergent_blocks(&self) -> impl Iterator<Item = &Block> {
        let blocks = self.flow.blocks.iter().zip(&self.divergent);
        blocks.filter(|(_, divergent)| **divergent).map(|(block, _)| block)
    }

    fn calls_in_divergent_blocks(&self) -> impl Iterator<Item = u32> {
        let instructions = self
            .divergent_blocks()
            .flat_map(|block| self.program.index.module.range(block.instructions.0, block.instructions.1));
        instructions.filter(|inst| inst.opcode == Op::FunctionCall).map(|inst| inst.operand(2))
    }
}

/// Returns whether a built-in variable is the same for all work-items of a sub-group.
fn is_common(number: u32) -> bool {
    matches!(
        BuiltIn::from_u32(number),
        Some(
            BuiltIn::NumWorkgroups
                | BuiltIn::WorkgroupSize
                | BuiltIn::EnqueuedWorkgroupSize
                | BuiltIn::WorkgroupId
                | BuiltIn::WorkDim
                | BuiltIn::GlobalSize
                | BuiltIn::GlobalOffset
                | BuiltIn::SubgroupSize
                | BuiltIn::SubgroupMaxSize
                | BuiltIn::NumSubgroups
                | BuiltIn::NumEnqueuedSubgroups
                | BuiltIn::SubgroupId
        )
    )
}

/// Returns whether an instruction gives each work-item a different result, among the translated instructions.
fn varies_by_work_item(opcode: Op) -> bool {
    (Op::AtomicLoad..=Op::AtomicXor).contains(&opcode)
        || (Op::AtomicFlagTestAndSet..=Op::AtomicFlagClear).contains(&opcode)
        || matches!(opcode, Op::AtomicFMinEXT | Op::AtomicFMaxEXT | Op::AtomicFAddEXT)
        || is_non_uniform_group_operation(opcode)
        || (Op::SubgroupShuffleINTEL..=Op::SubgroupBlockWriteINTEL).contains(&opcode)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operations with such names that the translator refuses, or whose results are as alike as their operands.
    const OTHERS: &[&str] = &[
        "GroupDecorate",
        "GroupMemberDecorate",
        "GroupAsyncCopy",
        "GroupWaitEvents",
        "GroupReserveReadPipePackets",
        "GroupReserveWritePipePackets",
        "GroupCommitReadPipe",
        "GroupCommitWritePipe",
        "SubgroupBallotKHR",
        "SubgroupFirstInvocationKHR",
        "SubgroupAllKHR",
        "SubgroupAnyKHR",
        "SubgroupAllEqualKHR",
        "SubgroupReadInvocationKHR",
        "GroupNonUniformQuadAllKHR",
        "GroupNonUniformQuadAnyKHR",
        "GroupNonUniformPartitionEXT",
        "SubgroupImageBlockReadINTEL",
        "SubgroupImageBlockWriteINTEL",
        "SubgroupImageMediaBlockReadINTEL",
        "SubgroupImageMediaBlockWriteINTEL",
        "SubgroupBlockPrefetchINTEL",
        "Subgroup2DBlockLoadINTEL",
        "Subgroup2DBlockLoadTransformINTEL",
        "Subgroup2DBlockLoadTransposeINTEL",
        "Subgroup2DBlockPrefetchINTEL",
        "Subgroup2DBlockStoreINTEL",
        "SubgroupMatrixMultiplyAccumulateINTEL",
    ];

    #[test]
    fn every_operation_of_groups_has_a_class() {
        let is_known = |opcode| is_uniform_group_operation(opcode) || varies_by_work_item(opcode);
        let unknown: Vec<String> = (0..=u16::MAX)
            .filter_map(|number| Op::from_u32(u32::from(number)))
            .filter(|opcode| !is_known(*opcode))
            .map(|opcode| format!("{opcode:?}"))
            .filter(|name| name.starts_with("Group") || name.starts_with("Subgroup"))
            .filter(|name| !name.starts_with("SubgroupAvc") && !name.ends_with("AMD"))
            .collect();
        assert_eq!(unknown, OTHERS);
    }
}
