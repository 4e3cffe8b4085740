//! Instructions that are continued in other instructions.
//!
//! An instruction has at most 65535 words. A structure, a composite constant or a composite value with more parts is
//! continued in separate instructions (SPV_INTEL_long_composites), each of which belongs to the one before it.
//! [`Module`] presents such an instruction as one with all its operands, and [`write()`] splits it again, so that no
//! other code has to handle continuation.
//!
//! [`Module`]: crate::Module

use rspirv::spirv::Op;
use sycl_pi_host_process::{copy_of, reserve};

use crate::{SpirvError, grammar};

/// The most words of an instruction.
const LONGEST: usize = 0xffff;

/// Instructions that can be continued, with the opcode of their continuation.
const CONTINUED: [(Op, Op); 4] = [
    (Op::TypeStruct, Op::TypeStructContinuedINTEL),
    (Op::ConstantComposite, Op::ConstantCompositeContinuedINTEL),
    (Op::SpecConstantComposite, Op::SpecConstantCompositeContinuedINTEL),
    (Op::CompositeConstruct, Op::CompositeConstructContinuedINTEL),
];

/// Returns the opcode that this one continues, if it is a continuation.
pub(crate) fn continues(opcode: u16) -> Option<u16> {
    CONTINUED.iter().find(|(_, next)| *next as u16 == opcode).map(|(first, _)| *first as u16)
}

/// Writes an instruction, with continuations if it exceeds the longest instruction.
pub fn write(
    words: &mut Vec<u32>,
    opcode: Op,
    operands: impl IntoIterator<Item = u32>,
) -> Result<(), SpirvError> {
    write_raw(words, opcode as u16, operands)
}

/// Writes an instruction that may be unknown to the grammar, with continuations if necessary.
pub fn write_raw(
    words: &mut Vec<u32>,
    opcode: u16,
    operands: impl IntoIterator<Item = u32>,
) -> Result<(), SpirvError> {
    let start = words.len();
    reserve(words, 1)?;
    words.push(0);
    for operand in operands {
        reserve(words, 1)?;
        words.push(operand);
    }
    let length = words.len() - start;
    if length <= LONGEST {
        if let Some(first) = words.get_mut(start) {
            *first = head(length, opcode);
        }
        return Ok(());
    }
    let next = CONTINUED.iter().find(|(first, _)| *first as u16 == opcode).map(|(_, next)| *next as u16);
    let next = next.ok_or_else(|| {
        let name = grammar::name(opcode).unwrap_or("of a kind that is not known");
        SpirvError::whole(format!(
            "an instruction {name} would have {length} words, and at most {LONGEST} are possible"
        ))
    })?;
    let operands = copy_of(words.get(start + 1..).unwrap_or_default())?;
    words.truncate(start);
    reserve(words, length + length / (LONGEST - 1) + 1)?;
    for (number, part) in operands.chunks(LONGEST - 1).enumerate() {
        words.push(head(part.len() + 1, if number == 0 { opcode } else { next }));
        words.extend(part);
    }
    Ok(())
}

/// Encodes the first word of an instruction; `length` is at most [`LONGEST`].
fn head(length: usize, opcode: u16) -> u32 {
    (length as u32) << 16 | u32::from(opcode)
}
