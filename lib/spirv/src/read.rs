//! The words of a module, and the instructions in them as they are written.

use std::ops::Range;

use rspirv::spirv::MAGIC_NUMBER;
use sycl_pi_host_process::list_of;

use crate::{Inst, SpirvError};

/// The number of words before the first instruction.
pub const HEADER: usize = 5;

/// Returns the words of a module of either byte order.
pub fn words(bytes: &[u8]) -> Result<Vec<u32>, SpirvError> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    let big = chunks.first().is_some_and(|first| u32::from_be_bytes(*first) == MAGIC_NUMBER);
    let read = |chunk: &[u8; 4]| if big { u32::from_be_bytes(*chunk) } else { u32::from_le_bytes(*chunk) };
    if chunks.first().map(read) != Some(MAGIC_NUMBER) {
        return Err(SpirvError::at(0, "this is not SPIR-V: it does not start with 0x07230203"));
    }
    if !rest.is_empty() {
        let length = bytes.len();
        return Err(SpirvError::at(
            chunks.len(),
            format!("the file has {length} bytes, which is not a multiple of 4"),
        ));
    }
    Ok(list_of(chunks.iter().map(read))?)
}

/// Iterates over the instructions of a module, which need not be valid otherwise. An incomplete instruction is an error
/// and the last item. A continuation is a separate instruction here, unlike in a [`Module`](crate::Module).
pub fn instructions(words: &[u32]) -> impl Iterator<Item = Result<Inst<'_>, SpirvError>> {
    let mut number = 0;
    places(words).map(move |place| {
        let place = place?;
        let first = words.get(place.start).copied().unwrap_or_default();
        let operands = words.get(place.start + 1..place.end).unwrap_or_default();
        number += 1;
        Ok(Inst::new(first as u16, operands, number - 1, place.start))
    })
}

/// Returns the range of words of each such instruction.
pub(crate) fn places(words: &[u32]) -> impl Iterator<Item = Result<Range<usize>, SpirvError>> {
    let mut at = HEADER;
    std::iter::from_fn(move || {
        let (word, left) = (at, words.get(at..)?);
        let length = (left.first()? >> 16) as usize;
        at += length;
        if length == 0 || length > left.len() {
            at = words.len();
            let left = left.len();
            let problem = match length {
                0 => "an instruction has length 0".to_owned(),
                _ => format!("an instruction of {length} words, but {left} are left"),
            };
            return Some(Err(SpirvError::at(word, problem)));
        }
        Some(Ok(word..at))
    })
}

#[cfg(test)]
mod tests {
    use rspirv::spirv::Op;

    use super::*;

    /// The opcode, the operands and the index of the first word.
    type Read = Result<(Op, Vec<u32>, usize), String>;

    #[test]
    fn an_incomplete_instruction_is_an_error_and_the_last_item() {
        let (nop, load) = (1 << 16 | Op::Nop as u32, 4 << 16 | Op::Load as u32);
        let whole = [MAGIC_NUMBER, 0x1_0000, 0, 9, 0, nop, load, 1, 2, 3];
        let read = |words: &[u32]| -> Vec<Read> {
            let read = |inst: Inst<'_>| (inst.opcode, inst.operands.to_vec(), inst.word);
            instructions(words)
                .take(9)
                .map(|inst| inst.map(read).map_err(|error| error.to_string()))
                .collect()
        };
        let first = Ok((Op::Nop, vec![], 5));
        assert_eq!(read(&whole), [first.clone(), Ok((Op::Load, vec![1, 2, 3], 6))]);
        let cut = "at byte 24: an instruction of 4 words, but 3 are left".to_owned();
        assert_eq!(read(&whole[..9]), [first.clone(), Err(cut)]);
        let mut empty = whole;
        empty[6] = Op::Load as u32;
        assert_eq!(read(&empty), [first, Err("at byte 24: an instruction has length 0".to_owned())]);
        for words in [&whole[..5], &whole[..2], &[]] {
            assert_eq!(read(words), []);
        }
    }
}
