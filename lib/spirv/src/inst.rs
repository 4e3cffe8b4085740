//! An instruction of a SPIR-V module.

use rspirv::spirv::{Decoration, Op, StorageClass};

use crate::{SpirvError, decoration};

/// An instruction, including the instructions that continue it.
#[derive(Clone, Copy, Debug)]
pub struct Inst<'m> {
    /// Its opcode, or the equally inert `OpNop` if the grammar does not know it.
    pub opcode: Op,
    /// The number of its opcode, even if the grammar does not know it.
    pub raw_opcode: u16,
    /// Its operands: all words except the first, and those of the instructions that continue it.
    pub operands: &'m [u32],
    /// Its number in the module.
    pub number: u32,
    /// The index of its first word.
    pub word: usize,
}

impl<'m> Inst<'m> {
    /// Creates the instruction with this opcode number.
    pub fn new(raw_opcode: u16, operands: &'m [u32], number: u32, word: usize) -> Self {
        let opcode = Op::from_u32(raw_opcode.into()).unwrap_or(Op::Nop);
        Self { opcode, raw_opcode, operands, number, word }
    }

    /// Returns an operand, or 0, which is never an id, if it is missing.
    pub fn operand(&self, at: usize) -> u32 {
        self.operands.get(at).copied().unwrap_or(0)
    }

    /// Returns the bytes of the text that starts at an operand, up to its NUL or the end of the operands.
    pub fn text_bytes(&self, at: usize) -> Vec<u8> {
        let words = self.operands.get(at..).unwrap_or_default();
        words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect()
    }

    /// Returns the text that starts at an operand, and the index of the operand after it.
    pub fn text(&self, at: usize) -> Option<(String, usize)> {
        let text = self.text_bytes(at);
        let after = at + text.len() / 4 + 1;
        (after <= self.operands.len()).then(|| (String::from_utf8_lossy(&text).into_owned(), after))
    }

    /// Returns the decoration that an instruction applies to its target. Does not distinguish members of structures
    /// from whole structures.
    pub fn decoration(&self) -> Option<Decoration> {
        match self.opcode {
            Op::Decorate | Op::DecorateId | Op::DecorateString => decoration::from_number(self.operand(1)),
            Op::MemberDecorate | Op::MemberDecorateString => decoration::from_number(self.operand(2)),
            _ => None,
        }
    }

    /// Returns the storage class of a pointer type or a variable.
    pub fn storage_class(&self) -> Option<StorageClass> {
        match self.opcode {
            Op::TypePointer => StorageClass::from_u32(self.operand(1)),
            Op::Variable => StorageClass::from_u32(self.operand(2)),
            _ => None,
        }
    }

    /// Creates an error at this instruction.
    pub fn error(&self, problem: impl Into<String>) -> SpirvError {
        SpirvError::at(self.word, problem)
    }
}
