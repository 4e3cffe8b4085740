//! Rewrites the operations of sub-groups for one work-item: most of them return the work-item's own value.

use rspirv::spirv::{GroupOperation, Op, Scope};

use crate::spirv::SpirvError;
use crate::spirv::grammar;
use crate::spirv::legalize::arithmetic::Combine;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;
use crate::spirv::legalize::scope;

/// Replaces an operation. Returns whether it was one of a sub-group.
pub(super) fn rewrite(draft: &mut Draft, line: &Line, code: &mut Vec<Line>) -> Result<bool, SpirvError> {
    let opcode = line.opcode();
    let (kind, id) = (line.operand(0), line.operand(1));
    let own = match opcode {
        Op::SubgroupShuffleINTEL | Op::SubgroupShuffleXorINTEL => line.operand(2),
        Op::SubgroupShuffleDownINTEL | Op::SubgroupShuffleUpINTEL => return shuffle_pair(draft, line, code),
        Op::SubgroupAllKHR
        | Op::SubgroupAnyKHR
        | Op::SubgroupReadInvocationKHR
        | Op::SubgroupFirstInvocationKHR => line.operand(2),
        Op::SubgroupAllEqualKHR => draft.truth(true)?,
        Op::SubgroupBallotKHR => return ballot(draft, line, line.operand(2), code),
        _ if !scope::is_group_operation(opcode) || !scope::is(draft, line.operand(2), Scope::Subgroup) => {
            return Ok(false);
        }
        Op::GroupNonUniformElect | Op::GroupNonUniformAllEqual => draft.truth(true)?,
        Op::GroupAll
        | Op::GroupAny
        | Op::GroupBroadcast
        | Op::GroupNonUniformAll
        | Op::GroupNonUniformAny
        | Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformBroadcastFirst
        | Op::GroupNonUniformShuffle
        | Op::GroupNonUniformShuffleXor
        | Op::GroupNonUniformShuffleUp
        | Op::GroupNonUniformShuffleDown
        | Op::GroupNonUniformRotateKHR
        | Op::GroupNonUniformQuadBroadcast
        | Op::GroupNonUniformQuadSwap => line.operand(3),
        Op::GroupNonUniformBallot => return ballot(draft, line, line.operand(3), code),
        Op::GroupNonUniformInverseBallot | Op::GroupNonUniformBallotBitExtract => {
            return first_bit(draft, line, code);
        }
        Op::GroupNonUniformBallotBitCount => return bit_count(draft, line, code),
        Op::GroupNonUniformBallotFindLSB | Op::GroupNonUniformBallotFindMSB => draft.constant(kind, 0)?,
        _ => match Combine::of(opcode) {
            Some(combine) if line.operand(3) == GroupOperation::ExclusiveScan as u32 => {
                combine.identity(draft, kind)?
            }
            Some(_) => line.operand(4),
            None => {
                let name = grammar::name(line.inst().raw_opcode).unwrap_or_default();
                return Err(SpirvError::whole(format!(
                    "Op{name} of a sub-group is not known on a driver where each work-item is a sub-group of its own"
                )));
            }
        },
    };
    draft.emit_as(code, id, Op::CopyObject, kind, &[own])?;
    Ok(true)
}

/// Rewrites a shuffle between two values: at a distance of 0 it returns the sub-group's own, at 1 the other one's.
fn shuffle_pair(draft: &mut Draft, line: &Line, code: &mut Vec<Line>) -> Result<bool, SpirvError> {
    let (kind, id) = (line.operand(0), line.operand(1));
    let (own, other) = match line.opcode() {
        Op::SubgroupShuffleDownINTEL => (line.operand(2), line.operand(3)),
        _ => (line.operand(3), line.operand(2)),
    };
    let distance = line.operand(4);
    let number = draft.kind(distance).ok_or_else(|| SpirvError::whole("a shuffle's distance has no type"))?;
    let (boolean, zero) = (draft.boolean()?, draft.constant(number, 0)?);
    let stays = draft.emit(code, Op::IEqual, boolean, &[distance, zero])?;
    let stays = draft.spread(code, stays, kind)?;
    draft.emit_as(code, id, Op::Select, kind, &[stays, own, other])?;
    Ok(true)
}

/// Rewrites a ballot: the work-item's vote is the lowest bit of four words.
fn ballot(draft: &mut Draft, line: &Line, vote: u32, code: &mut Vec<Line>) -> Result<bool, SpirvError> {
    let word = draft.int(32)?;
    let (one, zero) = (draft.word(1)?, draft.word(0)?);
    let first = draft.emit(code, Op::Select, word, &[vote, one, zero])?;
    let kind = line.operand(0);
    let none = draft.constant_of(Op::ConstantComposite, kind, &[zero; 4])?;
    draft.emit_as(code, line.operand(1), Op::CompositeInsert, kind, &[first, none, 0])?;
    Ok(true)
}

/// Returns the lowest bit of a ballot as a truth value.
fn first_bit(draft: &mut Draft, line: &Line, code: &mut Vec<Line>) -> Result<bool, SpirvError> {
    let bit = lowest(draft, line.operand(3), code)?;
    let zero = draft.word(0)?;
    draft.emit_as(code, line.operand(1), Op::INotEqual, line.operand(0), &[bit, zero])?;
    Ok(true)
}

/// Returns how many bits of a ballot are set among those up to the work-item's own, or before it.
fn bit_count(draft: &mut Draft, line: &Line, code: &mut Vec<Line>) -> Result<bool, SpirvError> {
    let kind = line.operand(0);
    let count = if line.operand(3) == GroupOperation::ExclusiveScan as u32 {
        draft.constant(kind, 0)?
    } else {
        lowest(draft, line.operand(4), code)?
    };
    let same = draft.kind(count) == Some(kind);
    draft.emit_as(code, line.operand(1), if same { Op::CopyObject } else { Op::UConvert }, kind, &[count])?;
    Ok(true)
}

/// Returns the lowest bit of a ballot as a word.
fn lowest(draft: &mut Draft, ballot: u32, code: &mut Vec<Line>) -> Result<u32, SpirvError> {
    let word = draft.int(32)?;
    let first = draft.emit(code, Op::CompositeExtract, word, &[ballot, 0])?;
    let one = draft.word(1)?;
    draft.emit(code, Op::BitwiseAnd, word, &[first, one])
}
