//! Casts generic pointers before other pointers are computed from them.
//!
//! rusticl's compiler never finishes on an access through a cast of a pointer that was computed from a generic pointer in
//! memory. It compiles the same computation after the cast.

use std::collections::HashMap;

use rspirv::spirv::{Op, StorageClass};

use super::draft::Draft;
use super::line::Line;
use crate::spirv::SpirvError;

/// The most instructions between a pointer and one that is computed from it. Modules have a few. An instruction of a
/// malformed module may be its own operand.
const MOST_STEPS: usize = 64;

/// Casts the pointer from which the operand of each cast was computed, and repeats the computation on the result.
///
/// A cast of a pointer to other memory is undefined, so this makes no difference to a program. The computation that it
/// replaces stays for other users.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let computed: HashMap<u32, Line> = draft
        .functions
        .iter()
        .flat_map(|function| &function.lines)
        .filter(|line| {
            passes_on(line.opcode()) && class(draft, line.operand(0)) == Some(StorageClass::Generic as u32)
        })
        .map(|line| (line.operand(1), line.clone()))
        .collect();
    if computed.is_empty() {
        return Ok(());
    }
    draft.rewrite(|draft, line, code| {
        let (kind, id, pointer) = (line.operand(0), line.operand(1), line.operand(2));
        let to = class(draft, kind).filter(|_| line.opcode() == Op::GenericCastToPtr);
        let Some((to, steps)) = to.map(|to| (to, steps(draft, &computed, pointer))) else {
            code.push(line);
            return Ok(());
        };
        let Some(first) = steps.last() else {
            code.push(line);
            return Ok(());
        };
        let base = first.operand(2);
        let base_kind = draft.kind(base).unwrap_or_default();
        let base_kind = in_class(draft, base_kind, to)?;
        let mut value = draft.emit(code, Op::GenericCastToPtr, base_kind, &[base])?;
        for (left, step) in steps.iter().enumerate().rev() {
            let step_kind = in_class(draft, step.operand(0), to)?;
            let operands = [&[value], step.operands.get(3..).unwrap_or_default()].concat();
            if left == 0 && step_kind == kind {
                return draft.emit_as(code, id, step.opcode(), kind, &operands);
            }
            value = draft.emit(code, step.opcode(), step_kind, &operands)?;
        }
        draft.emit_as(code, id, Op::Bitcast, kind, &[value])
    })
}

/// Returns the instructions that compute a generic pointer from another one, the last one first.
fn steps(draft: &Draft, computed: &HashMap<u32, Line>, pointer: u32) -> Vec<Line> {
    let generic = |line: &&Line| {
        let base = draft.kind(line.operand(2)).and_then(|kind| class(draft, kind));
        base == Some(StorageClass::Generic as u32)
    };
    let step = |pointer: u32| computed.get(&pointer).filter(generic);
    std::iter::successors(step(pointer), |line| step(line.operand(2))).take(MOST_STEPS).cloned().collect()
}

/// Returns whether an instruction computes a pointer from its first operand.
fn computes(opcode: Op) -> bool {
    use Op::{AccessChain, Bitcast, InBoundsAccessChain, InBoundsPtrAccessChain, PtrAccessChain};
    matches!(opcode, AccessChain | InBoundsAccessChain | PtrAccessChain | InBoundsPtrAccessChain | Bitcast)
}

/// Returns whether an instruction gives the pointer in its first operand, or one that it computes from that.
pub(super) fn passes_on(opcode: Op) -> bool {
    computes(opcode) || opcode == Op::CopyObject
}

/// Returns the pointer from which this one is computed in the end. `from` has the pointer before each step.
pub(super) fn base(from: &HashMap<u32, u32>, pointer: u32) -> u32 {
    let all = std::iter::successors(Some(pointer), |pointer| from.get(pointer).copied());
    all.take(MOST_STEPS + 1).last().unwrap_or(pointer)
}

/// Returns the storage class of a type of pointers.
pub(super) fn class(draft: &Draft, kind: u32) -> Option<u32> {
    let pointer = draft.definition(kind).filter(|kind| kind.opcode() == Op::TypePointer)?;
    Some(pointer.operand(1))
}

/// Returns the type of pointers to the same type in another storage class.
pub(super) fn in_class(draft: &mut Draft, kind: u32, class: u32) -> Result<u32, SpirvError> {
    let pointee = draft.definition(kind).map(|kind| kind.operand(2));
    let pointee = pointee.ok_or_else(|| SpirvError::whole("a generic pointer has no type"))?;
    draft.type_of(Op::TypePointer, &[class, pointee])
}
