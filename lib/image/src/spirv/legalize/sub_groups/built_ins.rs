//! Replaces the built-in variables of sub-groups by constants and numbers of work-items.

use std::collections::HashMap;

use rspirv::spirv::{BuiltIn, Op};

use crate::spirv::SpirvError;
use crate::spirv::grammar;
use crate::spirv::legalize::divergent_loads;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;
use crate::spirv::legalize::work_items;

/// Returns the variables of sub-groups, with the number of their built-in. The one that another rewrite adds tells
/// nothing about sub-groups.
pub(super) fn variables(draft: &Draft) -> HashMap<u32, u32> {
    let lane = divergent_loads::lane(draft);
    let is_of_sub_group = |number| BuiltIn::from_u32(number).is_some_and(is_of_sub_group);
    draft.built_ins().filter(|&(id, number)| is_of_sub_group(number) && Some(id) != lane).collect()
}

fn is_of_sub_group(built_in: BuiltIn) -> bool {
    matches!(
        built_in,
        BuiltIn::SubgroupSize
            | BuiltIn::SubgroupMaxSize
            | BuiltIn::NumSubgroups
            | BuiltIn::NumEnqueuedSubgroups
            | BuiltIn::SubgroupId
            | BuiltIn::SubgroupLocalInvocationId
            | BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask
    )
}

/// Returns whether a built-in has a bit for each work-item.
fn is_mask(built_in: BuiltIn) -> bool {
    (BuiltIn::SubgroupEqMask..=BuiltIn::SubgroupLtMask).contains(&built_in)
}

/// Returns whether a type is that of a number, or of a mask: four words. No validator looks at it.
fn has_its_type(draft: &Draft, kind: u32, is_mask: bool) -> bool {
    let Some(kind) = draft.definition(kind) else { return false };
    if !is_mask {
        return kind.opcode() == Op::TypeInt;
    }
    let is_word = |kind: &Line| kind.opcode() == Op::TypeInt && kind.operand(1) == 32;
    let is_of_words = || draft.definition(kind.operand(1)).is_some_and(is_word);
    kind.opcode() == Op::TypeVector && kind.operand(2) == 4 && is_of_words()
}

/// Replaces a load of such a variable. Returns whether it was one.
pub(super) fn load(
    draft: &mut Draft,
    line: &Line,
    code: &mut Vec<Line>,
    variables: &HashMap<u32, u32>,
) -> Result<bool, SpirvError> {
    let Some(built_in) = variables.get(&line.operand(2)).filter(|_| line.opcode() == Op::Load) else {
        return Ok(false);
    };
    let (kind, id) = (line.operand(0), line.operand(1));
    let built_in = BuiltIn::from_u32(*built_in);
    if !has_its_type(draft, kind, built_in.is_some_and(is_mask)) {
        return Err(SpirvError::whole("it loads a built-in variable of sub-groups that has a wrong type"));
    }
    let value = match built_in {
        Some(BuiltIn::SubgroupSize | BuiltIn::SubgroupMaxSize) => draft.constant(kind, 1)?,
        Some(BuiltIn::SubgroupLocalInvocationId) => draft.constant(kind, 0)?,
        Some(BuiltIn::SubgroupId) => work_items::index(draft, code)?,
        Some(BuiltIn::NumSubgroups) => work_items::count(draft, code, BuiltIn::WorkgroupSize)?,
        Some(BuiltIn::NumEnqueuedSubgroups) => {
            work_items::count(draft, code, BuiltIn::EnqueuedWorkgroupSize)?
        }
        Some(BuiltIn::SubgroupEqMask | BuiltIn::SubgroupGeMask | BuiltIn::SubgroupLeMask) => {
            mask(draft, kind, 1)?
        }
        _ => mask(draft, kind, 0)?,
    };
    // The value keeps its id. SPIR-V has no instruction that only renames, so a value of the same type is copied.
    let same = draft.kind(value) == Some(kind);
    draft.emit_as(code, id, if same { Op::CopyObject } else { Op::UConvert }, kind, &[value])?;
    Ok(true)
}

/// Returns a mask of four words, of which only the first one has bits.
fn mask(draft: &mut Draft, kind: u32, first: u32) -> Result<u32, SpirvError> {
    let (first, other) = (draft.word(first)?, draft.word(0)?);
    draft.constant_of(Op::ConstantComposite, kind, &[first, other, other, other])
}

/// Refuses other uses of such a variable.
pub(super) fn check(draft: &Draft, line: &Line, variables: &HashMap<u32, u32>) -> Result<(), SpirvError> {
    if !line.operands.iter().any(|operand| variables.contains_key(operand)) {
        return Ok(());
    }
    let name = grammar::name(line.inst().raw_opcode).unwrap_or_default();
    match draft.ids(line) {
        Ok(ids) if ids.iter().any(|id| variables.contains_key(id)) => Err(SpirvError::whole(format!(
            "Op{name} uses a built-in variable of sub-groups, which is only loaded on this driver"
        ))),
        // The grammar does not say which of its operands are ids.
        Ok(_) | Err(_) => Ok(()),
    }
}
