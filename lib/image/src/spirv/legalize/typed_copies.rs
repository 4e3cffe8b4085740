//! Copies objects as values of their types instead of as bytes.
//!
//! rusticl 25.0 drops a store to an object if another one follows, although the object is copied as bytes in between.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::Op;

use super::draft::Draft;
use super::line::Line;
use crate::spirv::types::Types;
use crate::spirv::{Index, SpirvError};

/// Replaces copies of as many bytes as an object has, unless its type has padding, which may be part of another type.
pub(super) fn rewrite(index: &Index<'_>, draft: &mut Draft) -> Result<(), SpirvError> {
    let types = Types::new(index);
    let filled = filled(draft, &types);
    // Pointers by those that are the same, except for their types.
    let mut originals: HashMap<u32, u32> = HashMap::new();
    draft.rewrite(|draft, mut line, code| {
        let original = |pointer: u32| originals.get(&pointer).copied().unwrap_or(pointer);
        match (line.opcode(), line.operands.as_slice()) {
            (Op::Bitcast, &[_, id, pointer]) => {
                let pointer = original(pointer);
                originals.insert(id, pointer);
            }
            (Op::CopyMemorySized, &[target, source, size, ref access @ ..]) => {
                let pointers = [original(target), original(source)];
                let mut kinds = pointers.iter().filter_map(|pointer| whole(draft, &types, *pointer, size));
                let kind = kinds.find(|kind| filled.contains(kind));
                if let Some(kind) = kind {
                    let [target, source] = pointers.map(|pointer| typed(draft, code, pointer, kind));
                    line = Line::new(Op::CopyMemory, &[&[target?, source?], access].concat());
                }
            }
            _ => {}
        }
        code.push(line);
        Ok(())
    })
}

/// Returns the types without padding.
fn filled(draft: &Draft, types: &Types<'_>) -> HashSet<u32> {
    let mut filled = HashSet::new();
    for line in &draft.globals {
        let parts = line.operands.get(1..).unwrap_or_default();
        let is_filled = match line.opcode() {
            Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypePointer => true,
            // A vector of three elements occupies the space of four.
            Op::TypeVector => line.operand(2) != 3 && filled.contains(&line.operand(1)),
            Op::TypeArray => filled.contains(&line.operand(1)),
            Op::TypeStruct => {
                let sizes = parts.iter().filter(|part| filled.contains(*part)).map(|part| types.size(*part));
                let sum = sizes.clone().try_fold(0_u64, |sum, size| sum.checked_add(size?));
                sizes.count() == parts.len() && sum.is_some() && sum == types.size(line.operand(0))
            }
            _ => false,
        };
        filled.extend(is_filled.then(|| line.operand(0)));
    }
    filled
}

/// Returns the type that a pointer points to if it has this size, a constant.
fn whole(draft: &Draft, types: &Types<'_>, pointer: u32, size: u32) -> Option<u32> {
    draft.definition(size).filter(|size| size.opcode() == Op::Constant)?;
    let kind = pointee(draft, pointer)?;
    (types.size(kind)? == types.number(size)?).then_some(kind)
}

fn pointee(draft: &Draft, pointer: u32) -> Option<u32> {
    let kind = draft.definition(draft.kind(pointer)?)?;
    (kind.opcode() == Op::TypePointer).then(|| kind.operand(2))
}

/// Returns a pointer as one to a type.
fn typed(draft: &mut Draft, code: &mut Vec<Line>, pointer: u32, kind: u32) -> Result<u32, SpirvError> {
    if pointee(draft, pointer) == Some(kind) {
        return Ok(pointer);
    }
    let class = draft.kind(pointer).and_then(|kind| draft.definition(kind)).map_or(0, |kind| kind.operand(1));
    let wanted = draft.type_of(Op::TypePointer, &[class, kind])?;
    draft.emit(code, Op::Bitcast, wanted, &[pointer])
}
