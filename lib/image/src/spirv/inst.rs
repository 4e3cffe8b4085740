//! An instruction of a SPIR-V module.

use rspirv::spirv::{Decoration, Op, StorageClass};

use super::decoration;
use super::error::SpirvError;

/// An instruction, together with those that it goes on in.
#[derive(Clone, Copy, Debug)]
pub struct Inst<'m> {
    /// Which instruction it is; `OpNop`, which does nothing either, for one that the grammar does not know.
    pub opcode: Op,
    /// Its number, also of one that the grammar does not know.
    pub raw_opcode: u16,
    /// Its operands: all words but the first, and those of the instructions that it goes on in.
    pub operands: &'m [u32],
    /// Its number in the module.
    pub number: u32,
    /// The number of its first word.
    pub word: usize,
}

impl<'m> Inst<'m> {
    /// The instruction of an opcode's number.
    pub(super) fn new(raw_opcode: u16, operands: &'m [u32], number: u32, word: usize) -> Self {
        let opcode = Op::from_u32(raw_opcode.into()).unwrap_or(Op::Nop);
        Self { opcode, raw_opcode, operands, number, word }
    }

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

    /// What an instruction decorates its target with. Members of structures are not told from whole ones.
    pub fn decoration(&self) -> Option<Decoration> {
        match self.opcode {
            Op::Decorate | Op::DecorateId | Op::DecorateString => decoration::from_number(self.operand(1)),
            Op::MemberDecorate | Op::MemberDecorateString => decoration::from_number(self.operand(2)),
            _ => None,
        }
    }

    /// The storage class of a pointer's type, or of a variable.
    pub fn storage_class(&self) -> Option<StorageClass> {
        match self.opcode {
            Op::TypePointer => StorageClass::from_u32(self.operand(1)),
            Op::Variable => StorageClass::from_u32(self.operand(2)),
            _ => None,
        }
    }

    /// An error at this instruction.
    pub fn error(&self, problem: impl Into<String>) -> SpirvError {
        SpirvError::at(self.word, problem)
    }
}
