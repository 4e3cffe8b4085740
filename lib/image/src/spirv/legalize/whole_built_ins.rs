//! Loads built-in vectors as a whole.
//!
//! DPC++ loads a component of a built-in vector through a pointer to its bytes. rusticl then never finishes compiling
//! some kernels, among them dpctl's cumulative sums of strided arrays. It compiles them if the vector is loaded, and the
//! component taken from it.

use std::collections::HashMap;

use rspirv::spirv::Op;

use super::draft::Draft;
use super::early_casts::passes_on;
use super::line::Line;
use super::vector_type::VectorType;
use crate::spirv::Index;
use crate::spirv::SpirvError;
use crate::spirv::types::Types;

/// A built-in variable that is a vector.
#[derive(Clone, Copy)]
struct Vector {
    id: u32,
    kind: u32,
    component: u32,
    /// The bytes of a component.
    size: u64,
    count: u64,
}

/// A byte of a built-in vector.
#[derive(Clone, Copy)]
struct Place {
    vector: Vector,
    offset: u64,
}

/// Replaces each load of a component by a load of the vector.
pub(super) fn rewrite(index: &Index<'_>, draft: &mut Draft) -> Result<(), SpirvError> {
    let types = Types::new(index);
    let vectors: Vec<Vector> = draft.built_ins().filter_map(|(id, _)| vector(draft, &types, id)).collect();
    let mut places: HashMap<u32, Place> =
        vectors.into_iter().map(|vector| (vector.id, Place { vector, offset: 0 })).collect();
    if places.is_empty() {
        return Ok(());
    }
    draft.rewrite(|draft, line, code| {
        let (kind, id) = (line.operand(0), line.operand(1));
        if let Some(&place) = places.get(&line.operand(2)) {
            let Place { vector, offset } = place;
            if line.opcode() == Op::Load && kind == vector.component && offset.is_multiple_of(vector.size) {
                let number = offset / vector.size;
                if number < vector.count {
                    let whole = draft.emit(code, Op::Load, vector.kind, &[vector.id])?;
                    // A vector has at most sixteen components.
                    let number = number as u32;
                    return draft.emit_as(code, id, Op::CompositeExtract, kind, &[whole, number]);
                }
            }
            places.extend(moved(draft, &types, &line, place).map(|place| (id, place)));
        }
        code.push(line);
        Ok(())
    })
}

/// Returns a built-in variable's vector, if it is one.
fn vector(draft: &Draft, types: &Types<'_>, id: u32) -> Option<Vector> {
    let kind = pointee(draft, draft.kind(id)?)?;
    let VectorType { component, count, .. } = VectorType::of(draft, kind)?;
    Some(Vector { id, kind, component, size: types.size(component)?, count: count.into() })
}

fn pointee(draft: &Draft, pointer: u32) -> Option<u32> {
    draft.definition(pointer).filter(|line| line.opcode() == Op::TypePointer).map(|line| line.operand(2))
}

/// Returns the place of a pointer that an instruction computes from one to `place`, if it is constant.
fn moved(draft: &Draft, types: &Types<'_>, line: &Line, place: Place) -> Option<Place> {
    if !passes_on(line.opcode()) {
        return None;
    }
    let indices = line.operands.get(3..).unwrap_or_default();
    let mut kind = pointee(draft, draft.kind(line.operand(2))?)?;
    let mut offset = place.offset;
    // The first index of these counts elements of the pointer's own type.
    let is_element = matches!(line.opcode(), Op::PtrAccessChain | Op::InBoundsPtrAccessChain);
    for (at, &index) in indices.iter().enumerate() {
        if !(is_element && at == 0) {
            kind = VectorType::of(draft, kind)?.component;
        }
        offset = offset.checked_add(constant(draft, types, index)?.checked_mul(types.size(kind)?)?)?;
    }
    Some(Place { offset, ..place })
}

/// Returns the value of an integer constant. Those of specialization constants are not known yet.
fn constant(draft: &Draft, types: &Types<'_>, id: u32) -> Option<u64> {
    match draft.definition(id)?.opcode() {
        Op::ConstantNull => Some(0),
        Op::Constant => types.number(id),
        _ => None,
    }
}
