//! Tells a driver which memory the generic pointers in a variable point to.
//!
//! rusticl takes a generic pointer from memory for one to global memory, and crashes if it is another. dpctl's radix
//! sort keeps pointers to local memory in an array.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Op, StorageClass};

use super::draft::{Draft, Function};
use super::early_casts::{class, in_class, passes_on};
use super::mixed_pointers;
use crate::spirv::SpirvError;

/// The memories to which the generic pointers in a variable point, as far as the module shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// None yet.
    Nothing,
    /// All point to this storage class.
    In(u32),
    /// They point to different ones.
    Several,
    /// They may point to any.
    Unknown,
}

impl Stored {
    fn and(self, other: Stored) -> Stored {
        match (self, other) {
            (Stored::Nothing, one) | (one, Stored::Nothing) => one,
            (one, same) if one == same => one,
            (Stored::In(_) | Stored::Several, Stored::In(_) | Stored::Several) => Stored::Several,
            _ => Stored::Unknown,
        }
    }
}

/// Casts each generic pointer that is loaded from a variable to the memory of all pointers that were stored there, and
/// back. Refuses functions that load one of several pointers to different memories.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let (mut loads, mut mixed) = (HashMap::new(), Vec::new());
    for function in &draft.functions {
        if find(draft, function, &mut loads)? {
            mixed.push(function.id());
        }
    }
    for id in mixed {
        draft.refuse(id, mixed_pointers::reason(draft, id));
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

/// Adds the loads of generic pointers to local or private memory in a function, with their storage class. Returns
/// whether it loads one of several pointers to different memories.
fn find(draft: &Draft, function: &Function, loads: &mut HashMap<u32, u32>) -> Result<bool, SpirvError> {
    let mut variables: HashMap<u32, Stored> = HashMap::new();
    // The variables to which pointers point, and the memory of generic pointers.
    let (mut owners, mut memories) = (HashMap::new(), HashMap::new());
    // Pointers with an index that is no constant.
    let mut indexed: HashSet<u32> = HashSet::new();
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
                let mut indices = line.operands.iter().skip(3);
                if indexed.contains(&first) || indices.any(|&index| draft.number(index).is_none()) {
                    indexed.insert(id);
                }
                owners.get(&first).copied().map(|owner| owners.insert(id, owner));
                memories.get(&first).copied().map(|memory| memories.insert(id, memory));
            }
            _ => {}
        }
    }
    if variables.is_empty() {
        return Ok(false);
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
    let mut is_mixed = false;
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
            // The driver traces pointers through variables that it can take apart.
            Some(Stored::Several) if is_generic && !cast.contains(&line.operand(1)) => {
                is_mixed |= indexed.contains(&line.operand(2));
            }
            _ => {}
        }
    }
    Ok(is_mixed)
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
