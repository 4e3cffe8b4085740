//! An instruction that can be changed.

use rspirv::spirv::{Decoration, FPRoundingMode, Op};

use crate::room::{OutOfMemory, copy_of};
use crate::spirv::Inst;

/// An instruction that owns its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The opcode's number, which the grammar may not know.
    raw_opcode: u16,
    /// All words except the first.
    pub(super) operands: Vec<u32>,
}

impl Line {
    /// Creates an instruction.
    pub(super) fn new(opcode: Op, operands: &[u32]) -> Self {
        Self { raw_opcode: opcode as u16, operands: operands.to_vec() }
    }

    /// Copies an instruction of a module.
    pub(super) fn copy(inst: &Inst<'_>) -> Result<Self, OutOfMemory> {
        Ok(Self { raw_opcode: inst.raw_opcode, operands: copy_of(inst.operands)? })
    }

    /// Returns the instruction, as if it were the first of a module.
    pub(super) fn inst(&self) -> Inst<'_> {
        Inst::new(self.raw_opcode, &self.operands, 0, 0)
    }

    /// Returns the opcode; `OpNop` if the grammar does not know it.
    pub(super) fn opcode(&self) -> Op {
        self.inst().opcode
    }

    /// Returns an operand, or 0, which is no id, if it is missing.
    pub(super) fn operand(&self, at: usize) -> u32 {
        self.operands.get(at).copied().unwrap_or(0)
    }

    /// Returns whether it applies this decoration to an id or to a member of it.
    pub(super) fn decorates(&self, decoration: Decoration) -> bool {
        self.inst().decoration() == Some(decoration)
    }

    /// Returns the result that it decorates with a rounding mode, and the mode.
    pub(super) fn rounding_mode(&self) -> Option<(u32, FPRoundingMode)> {
        let is_mode = self.opcode() == Op::Decorate && self.decorates(Decoration::FPRoundingMode);
        let mode = FPRoundingMode::from_u32(self.operand(2)).filter(|_| is_mode)?;
        Some((self.operand(0), mode))
    }

    /// Returns the id that it names or decorates.
    pub(super) fn annotated(&self) -> Option<u32> {
        let annotates = matches!(
            self.opcode(),
            Op::Name
                | Op::MemberName
                | Op::Decorate
                | Op::DecorateId
                | Op::DecorateString
                | Op::MemberDecorate
                | Op::MemberDecorateString
        );
        annotates.then(|| self.operand(0))
    }

    /// Returns the text of an extension or of an import of extended instructions.
    pub(super) fn text(&self, at: usize) -> String {
        self.inst().text(at).map(|(text, _)| text).unwrap_or_default()
    }
}
