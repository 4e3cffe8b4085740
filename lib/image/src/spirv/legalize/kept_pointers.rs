//! Tells a driver to which memory the generic pointers are that a variable keeps.
//!
//! rusticl takes a generic pointer from memory for one to global memory, and crashes if it is another. dpctl's radix
//! sort keeps pointers to local memory in an array.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Op, StorageClass};

use super::draft::{Draft, Function};
use super::early_casts::{class, in_class, passes_on};
use crate::spirv::error::SpirvError;

/// What is known of the generic pointers that were stored to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// None yet.
    Nothing,
    /// All are to this storage class.
    In(u32),
    /// They may be to any.
    Unknown,
}

impl Stored {
    fn and(self, other: Stored) -> Stored {
        match (self, other) {
            (Stored::Nothing, one) | (one, Stored::Nothing) => one,
            (one, same) if one == same => one,
            _ => Stored::Unknown,
        }
    }
}

/// Casts each generic pointer that is loaded from a variable to the memory of all pointers that were stored there, and
/// back.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let mut loads = HashMap::new();
    for function in &draft.functions {
        find(draft, function, &mut loads)?;
    }
    if loads.is_empty() {
        return Ok(());
    }
    draft.rewrite(|draft, line, code| {
        let (kind, id) = (line.operand(0), line.operand(1));
        let Some(&memory) = loads.get(&id).filter(|_| line.opcode() == Op::Load) else {
            code.push(line);
            return Ok(());
        };
        let loaded = draft.emit(code, Op::Load, kind, line.operands.get(2..).unwrap_or_default())?;
        let known = in_class(draft, kind, memory)?;
        let cast = draft.emit(code, Op::GenericCastToPtr, known, &[loaded])?;
        draft.emit_as(code, id, Op::PtrCastToGeneric, kind, &[cast])
    })
}

/// Adds the loads of generic pointers to local or private memory in a function, with their storage class.
fn find(draft: &Draft, function: &Function, loads: &mut HashMap<u32, u32>) -> Result<(), SpirvError> {
    let mut variables: HashMap<u32, Stored> = HashMap::new();
    // The variables that pointers are to, and the memory of generic pointers.
    let (mut owners, mut memories) = (HashMap::new(), HashMap::new());
    for line in &function.lines {
        let (kind, id, first) = (line.operand(0), line.operand(1), line.operand(2));
        match line.opcode() {
            Op::Variable if keeps_pointers(draft, kind) => {
                variables.insert(id, Stored::Nothing);
                owners.insert(id, id);
            }
            Op::PtrCastToGeneric => {
                let memory = draft.kind(first).and_then(|kind| class(draft, kind));
                memories.insert(id, memory.map_or(Stored::Unknown, Stored::In));
            }
            opcode if passes_on(opcode) => {
                owners.get(&first).copied().map(|owner| owners.insert(id, owner));
                memories.get(&first).copied().map(|memory| memories.insert(id, memory));
            }
            _ => {}
        }
    }
    if variables.is_empty() {
        return Ok(());
    }
    for line in &function.lines {
        match line.opcode() {
            Op::Load | Op::LifetimeStart | Op::LifetimeStop | Op::Variable => continue,
            opcode if passes_on(opcode) => continue,
            _ => {}
        }
        let used =
            draft.ids(line).map_err(|unclear| SpirvError::whole(unclear.describe(line.inst().raw_opcode)))?;
        let is_store = line.opcode() == Op::Store;
        for (at, id) in used.iter().enumerate() {
            let Some(kept) = owners.get(id).and_then(|owner| variables.get_mut(owner)) else { continue };
            // The first operand is the place, the second one the value.
            let stored = used.get(1).and_then(|value| memories.get(value)).copied();
            let stored = stored.filter(|_| is_store && at == 0);
            *kept = kept.and(stored.unwrap_or(Stored::Unknown));
        }
    }
    let casts = function.lines.iter().filter(|line| line.opcode() == Op::GenericCastToPtr);
    let cast: HashSet<u32> = casts.map(|line| line.operand(2)).collect();
    for line in function.lines.iter().filter(|line| line.opcode() == Op::Load) {
        let kept = owners.get(&line.operand(2)).and_then(|owner| variables.get(owner));
        let is_generic = class(draft, line.operand(0)) == Some(StorageClass::Generic as u32);
        match kept {
            Some(Stored::In(memory))
                if is_generic
                    && *memory != StorageClass::CrossWorkgroup as u32
                    && !cast.contains(&line.operand(1)) =>
            {
                loads.insert(line.operand(1), *memory);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns whether a variable of this type of pointers keeps generic pointers and nothing else: one, or an array.
fn keeps_pointers(draft: &Draft, kind: u32) -> bool {
    let mut pointee = draft.definition(kind).map_or(0, |kind| kind.operand(2));
    while let Some(array) = draft.definition(pointee).filter(|kind| kind.opcode() == Op::TypeArray) {
        // A type comes after those that it consists of, except in a malformed module.
        if array.operand(1) >= pointee {
            return false;
        }
        pointee = array.operand(1);
    }
    class(draft, pointee) == Some(StorageClass::Generic as u32)
}
