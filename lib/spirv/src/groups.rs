//! Groups of decorations, which are expanded when a module is parsed, so that no other code meets them.
//!
//! SPIR-V has deprecated them, but older translators write them.

use std::collections::HashMap;

use rspirv::spirv::Op;
use sycl_pi_host_process::{OutOfMemory, reserve};

use crate::{Inst, SpirvError};

/// The most words into which the decorations of groups may expand.
const MOST_WORDS: usize = 1 << 24;

/// Returns whether a module with this opcode has groups.
pub(crate) fn is_of_group(opcode: u16) -> bool {
    const OPCODES: [Op; 3] = [Op::DecorationGroup, Op::GroupDecorate, Op::GroupMemberDecorate];
    OPCODES.iter().any(|group| *group as u32 == u32::from(opcode))
}

/// Returns a module's words as if each decoration of a group had been written for each of the group's targets.
pub(crate) fn write_out<'m, I: Iterator<Item = Inst<'m>>>(
    words: &'m [u32],
    instructions: impl Fn() -> I,
) -> Result<Vec<u32>, SpirvError> {
    let mut groups: HashMap<u32, Vec<Inst<'m>>> = HashMap::new();
    groups.extend(
        instructions()
            .filter(|inst| inst.opcode == Op::DecorationGroup)
            .map(|inst| (inst.operand(0), Vec::new())),
    );
    for inst in instructions().filter(decorates) {
        if let Some(decorations) = groups.get_mut(&inst.operand(0)) {
            decorations.push(inst);
        }
    }
    let (mut output, mut left) = (Vec::new(), MOST_WORDS);
    let mut copied = 0;
    let mut all = instructions().peekable();
    while let Some(inst) = all.next() {
        let targets_group =
            (decorates(&inst) || inst.opcode == Op::Name) && groups.contains_key(&inst.operand(0));
        if !targets_group && !is_of_group(inst.raw_opcode) {
            continue;
        }
        copy(&mut output, words.get(copied..inst.word).unwrap_or_default())?;
        copied = all.peek().map_or(words.len(), |next| next.word);
        let size = match inst.opcode {
            Op::GroupDecorate => 1,
            Op::GroupMemberDecorate => 2,
            _ => continue,
        };
        let missing = || inst.error(format!("id {} is not a group of decorations", inst.operand(0)));
        let decorations = groups.get(&inst.operand(0)).ok_or_else(missing)?;
        let targets = inst.operands.get(1..).unwrap_or_default().chunks_exact(size);
        let for_each: usize = decorations.iter().map(|decoration| size + decoration.operands.len()).sum();
        let too_large = || inst.error("the groups of decorations are too large");
        left = left.checked_sub(targets.len().saturating_mul(for_each)).ok_or_else(too_large)?;
        for target in targets {
            for decoration in decorations {
                decorate(&mut output, decoration, target)?;
            }
        }
    }
    copy(&mut output, words.get(copied..).unwrap_or_default())?;
    Ok(output)
}

/// Returns whether an instruction decorates an id, which may be a group.
fn decorates(inst: &Inst<'_>) -> bool {
    matches!(inst.opcode, Op::Decorate | Op::DecorateId | Op::DecorateString)
}

/// Appends a group's decoration with one of the group's targets: an id, or a structure and a member.
fn decorate(output: &mut Vec<u32>, decoration: &Inst<'_>, target: &[u32]) -> Result<(), SpirvError> {
    let opcode = match (target, decoration.opcode) {
        ([_], opcode) => opcode,
        ([_, _], Op::Decorate) => Op::MemberDecorate,
        ([_, _], Op::DecorateString) => Op::MemberDecorateString,
        _ => return Err(decoration.error("a member of a structure does not have such a decoration")),
    };
    let rest = decoration.operands.get(1..).unwrap_or_default();
    let length = u16::try_from(1 + target.len() + rest.len())
        .map_err(|_| decoration.error("the decoration is too long"))?;
    copy(output, &[u32::from(length) << 16 | opcode as u32])?;
    copy(output, target)?;
    Ok(copy(output, rest)?)
}

fn copy(output: &mut Vec<u32>, words: &[u32]) -> Result<(), OutOfMemory> {
    reserve(output, words.len())?;
    output.extend_from_slice(words);
    Ok(())
}
