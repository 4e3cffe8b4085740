//! Computes a work-item's number in its work-group, and the number of work-items there.

use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass};

use super::draft::Draft;
use super::line::Line;
use crate::spirv::SpirvError;

/// Appends code that computes the work-item's number in its work-group, with the type of sizes.
pub(super) fn index(draft: &mut Draft, code: &mut Vec<Line>) -> Result<u32, SpirvError> {
    let kind = draft.size_type()?;
    let (variable, kind) = variable(draft, BuiltIn::LocalInvocationIndex, kind)?;
    draft.emit(code, Op::Load, kind, &[variable])
}

/// Appends code that computes a truth value that is always false, and that no compiler knows before it chooses the
/// work-item: whether the number of the work-item is the largest of all.
pub(super) fn never(draft: &mut Draft, code: &mut Vec<Line>) -> Result<u32, SpirvError> {
    let number = index(draft, code)?;
    is_largest(draft, code, number)
}

/// Appends code that computes whether a number of the type of sizes is the largest of all.
pub(super) fn is_largest(draft: &mut Draft, code: &mut Vec<Line>, number: u32) -> Result<u32, SpirvError> {
    let size = draft.size_type()?;
    let largest = draft.constant(size, u64::MAX)?;
    let boolean = draft.boolean()?;
    draft.emit(code, Op::IEqual, boolean, &[number, largest])
}

/// Returns whether an instruction computes this truth value.
pub(super) fn is_never(draft: &Draft, line: &Line) -> bool {
    let largest = draft.definition(line.operand(3)).filter(|line| line.opcode() == Op::Constant);
    let words = largest.and_then(|largest| largest.operands.get(2..)).unwrap_or_default();
    line.opcode() == Op::IEqual && !words.is_empty() && words.iter().all(|word| *word == u32::MAX)
}

/// Appends code that computes how many work-items a work-group has. `WorkgroupSize` is the size of this work-group,
/// which may be smaller if it is the last one of a launch; `EnqueuedWorkgroupSize` is the size of the others.
pub(super) fn count(draft: &mut Draft, code: &mut Vec<Line>, built_in: BuiltIn) -> Result<u32, SpirvError> {
    let kind = draft.size_type()?;
    let [x, y, z] = extent(draft, code, built_in)?;
    let plane = draft.emit(code, Op::IMul, kind, &[x, y])?;
    draft.emit(code, Op::IMul, kind, &[plane, z])
}

/// Appends code that loads the three sizes of a work-group.
pub(super) fn extent(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    built_in: BuiltIn,
) -> Result<[u32; 3], SpirvError> {
    let kind = draft.size_type()?;
    let vector = draft.type_of(Op::TypeVector, &[kind, 3])?;
    let (variable, vector) = variable(draft, built_in, vector)?;
    let whole = draft.emit(code, Op::Load, vector, &[variable])?;
    let mut part = |at| draft.emit(code, Op::CompositeExtract, kind, &[whole, at]);
    Ok([part(0)?, part(1)?, part(2)?])
}

/// Appends code that converts an unsigned number to another integer type.
pub(super) fn convert(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    value: u32,
    to: u32,
) -> Result<u32, SpirvError> {
    if draft.kind(value) == Some(to) { Ok(value) } else { draft.emit(code, Op::UConvert, to, &[value]) }
}

/// Returns the module's variable of a built-in, with its type. A new one gets this type.
fn variable(draft: &mut Draft, built_in: BuiltIn, kind: u32) -> Result<(u32, u32), SpirvError> {
    for &id in draft.variables_of(built_in) {
        let pointer = draft.kind(id).and_then(|pointer| draft.definition(pointer));
        if let Some(pointer) = pointer {
            return Ok((id, pointer.operand(2)));
        }
    }
    Ok((add_variable(draft, built_in, kind)?, kind))
}

/// Adds a variable of a built-in to the module.
pub(super) fn add_variable(draft: &mut Draft, built_in: BuiltIn, kind: u32) -> Result<u32, SpirvError> {
    let input = StorageClass::Input as u32;
    let pointer = draft.type_of(Op::TypePointer, &[input, kind])?;
    let id = draft.id()?;
    draft.add_global(Line::new(Op::Decorate, &[id, Decoration::BuiltIn as u32, built_in as u32]))?;
    draft.add_global(Line::new(Op::Decorate, &[id, Decoration::Constant as u32]))?;
    draft.add_global(Line::new(Op::Variable, &[pointer, id, input]))?;
    Ok(id)
}
