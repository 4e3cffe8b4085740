//! Finds accesses through generic pointers that may point to several kinds of memory, and that were not divided.
//!
//! rusticl does not determine at run time which memory a generic pointer points to. It takes one that it cannot trace to
//! its origin for a pointer to global memory, and the process ends.

use std::collections::HashMap;

use rspirv::spirv::{Op, StorageClass};

use super::draft::{Draft, Function};
use super::early_casts::{class, passes_on};
use super::line::Line;

/// Returns why a function is refused that accesses memory in this way.
pub(super) fn reason(draft: &Draft, function: u32) -> String {
    format!(
        "function {} accesses memory through a generic pointer that may point to several kinds of memory, which this \
         driver takes for a pointer to global memory",
        draft.name(function)
    )
}

/// Refuses the functions that access memory through a pointer that is chosen among such to different memories.
pub(super) fn check(draft: &mut Draft) {
    let found: Vec<u32> =
        draft.functions.iter().filter(|function| accesses(draft, function)).map(Function::id).collect();
    for id in found {
        draft.refuse(id, reason(draft, id));
    }
}

/// The memory to which a generic pointer points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// A storage class.
    Of(u32),
    /// One of several.
    Several,
}

/// Returns whether a function accesses memory through a pointer that is chosen among such to different memories.
pub(super) fn accesses(draft: &Draft, function: &Function) -> bool {
    let mut memories: HashMap<u32, Memory> = HashMap::new();
    for line in &function.lines {
        let known = match line.opcode() {
            Op::PtrCastToGeneric => {
                draft.kind(line.operand(2)).and_then(|kind| class(draft, kind)).map(Memory::Of)
            }
            opcode if passes_on(opcode) => memories.get(&line.operand(2)).copied(),
            Op::Select | Op::Phi if class(draft, line.operand(0)) == Some(StorageClass::Generic as u32) => {
                chosen(line, &memories)
            }
            _ => None,
        };
        memories.extend(known.map(|known| (line.operand(1), known)));
        if addresses(line).any(|address| memories.get(&address) == Some(&Memory::Several)) {
            return true;
        }
    }
    false
}

/// Returns the memory of a pointer that is one of several, as far as these are known.
fn chosen(line: &Line, memories: &HashMap<u32, Memory>) -> Option<Memory> {
    let (first, step) = if line.opcode() == Op::Phi { (2, 2) } else { (3, 1) };
    let all: Vec<Option<Memory>> =
        line.operands.iter().skip(first).step_by(step).map(|id| memories.get(id).copied()).collect();
    let mut known = all.iter().flatten();
    let one = *known.next()?;
    if known.any(|other| *other != one) {
        return Some(Memory::Several);
    }
    (one == Memory::Several || !all.contains(&None)).then_some(one)
}

/// Returns the addresses at which an instruction accesses memory.
fn addresses(line: &Line) -> impl Iterator<Item = u32> {
    places(line.opcode()).iter().map(|&at| line.operand(at))
}

/// Returns the numbers of the operands that are addresses at which an instruction accesses memory.
pub(super) fn places(opcode: Op) -> &'static [usize] {
    match opcode {
        Op::Store | Op::AtomicStore | Op::AtomicFlagClear => &[0],
        Op::CopyMemory | Op::CopyMemorySized => &[0, 1],
        opcode if opcode == Op::Load || (Op::AtomicLoad..=Op::AtomicXor).contains(&opcode) => &[2],
        _ => &[],
    }
}
