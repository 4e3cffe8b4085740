//! Accesses memory through the pointers from which generic ones were made.
//!
//! rusticl takes a generic pointer that it cannot trace to its origin for a pointer to global memory, and crashes if it
//! is another. It loses the trace between functions, and 25.0 sometimes inside one.

use std::collections::HashMap;

use rspirv::spirv::{Op, StorageClass};

use super::draft::Draft;
use super::early_casts::{class, in_class, passes_on};
use super::line::Line;
use super::mixed_pointers::places;
use crate::spirv::SpirvError;
use crate::spirv::grammar::InstructionSet;

/// Repeats each computation that starts at a pointer to a known memory, and accesses memory at its result. The original
/// computation stays, because other code may use it.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    // By generic pointer, the same pointer in its own storage class, and that class.
    let mut known: HashMap<u32, (u32, u32)> = HashMap::new();
    draft.rewrite(|draft, mut line, code| {
        let (kind, id, first) = (line.operand(0), line.operand(1), line.operand(2));
        let opcode = line.opcode();
        if opcode == Op::PtrCastToGeneric {
            let memory = draft.kind(first).and_then(|kind| class(draft, kind));
            known.extend(memory.map(|memory| (id, (first, memory))));
        } else if passes_on(opcode) && class(draft, kind) == Some(StorageClass::Generic as u32) {
            if let Some(&(pointer, memory)) = known.get(&first) {
                let own_kind = in_class(draft, kind, memory)?;
                let operands = [&[pointer], line.operands.get(3..).unwrap_or_default()].concat();
                let own = draft.emit(code, opcode, own_kind, &operands)?;
                known.insert(id, (own, memory));
            }
        } else {
            let used = places(opcode).iter().copied().chain(results(draft, &line));
            for place in used {
                let Some(address) = line.operands.get_mut(place) else { continue };
                if let Some((pointer, _)) = known.get(address) {
                    *address = *pointer;
                }
            }
        }
        code.push(line);
        Ok(())
    })
}

/// Returns the numbers of the operands of a function of OpenCL.std. Some of these functions write a second result through a
/// pointer, such as `frexp`.
fn results(draft: &Draft, line: &Line) -> std::ops::Range<usize> {
    let is_function = line.opcode() == Op::ExtInst && draft.set(line.operand(2)) == InstructionSet::OpenCl;
    if is_function { 4..line.operands.len() } else { 0..0 }
}
