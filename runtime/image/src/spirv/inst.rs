//! An instruction of a SPIR-V module.

use super::error::SpirvError;

/// An instruction, together with those that it goes on in.
#[derive(Clone, Copy, Debug)]
pub struct Inst<'m> {
    /// Which instruction it is.
    pub opcode: u16,
    /// Its operands: all words but the first, and those of the instructions that it goes on in.
    pub operands: &'m [u32],
    /// Its number in the module.
    pub number: u32,
    /// The number of its first word.
    pub word: usize,
}

impl<'m> Inst<'m> {
    /// An operand, 0 where there is none: no id is 0.
    pub fn operand(&self, at: usize) -> u32 {
        self.operands.get(at).copied().unwrap_or(0)
    }

    /// The text that starts at an operand, and the number of the operand after it.
    pub fn text(&self, at: usize) -> Option<(String, usize)> {
        let words = self.operands.get(at..)?;
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        let text: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        let length = text.len() / 4 + 1;
        (length <= words.len()).then(|| (String::from_utf8_lossy(&text).into_owned(), at + length))
    }

    /// An error at this instruction.
    pub fn error(&self, problem: impl Into<String>) -> SpirvError {
        SpirvError::at(self.word, problem)
    }
}
