//! Types of vectors.

use rspirv::spirv::Op;

use crate::spirv::legalize::draft::Draft;

/// The bytes of a register on every x86-64 processor.
const REGISTER: u32 = 16;
/// The most components of a vector.
const LONGEST: u32 = 16;

/// A vector type.
#[derive(Clone, Copy, Debug)]
pub(super) struct VectorType {
    pub(super) kind: u32,
    pub(super) component: u32,
    pub(super) count: u32,
}

/// Returns a type as one of vectors, if it is one.
pub(super) fn vector(draft: &Draft, kind: u32) -> Option<VectorType> {
    let line = draft.definition(kind).filter(|line| line.opcode() == Op::TypeVector)?;
    let count = line.operand(2);
    (2..=LONGEST).contains(&count).then_some(VectorType { kind, component: line.operand(1), count })
}

impl VectorType {
    /// Returns the type of number of a component, and its bits.
    pub(super) fn component_bits(self, draft: &Draft) -> Option<(Op, u32)> {
        let line = draft.definition(self.component)?;
        matches!(line.opcode(), Op::TypeInt | Op::TypeFloat).then(|| (line.opcode(), line.operand(1)))
    }

    /// Returns whether it does not fit into a register.
    pub(super) fn is_long(self, draft: &Draft) -> bool {
        let bits = self.component_bits(draft).map_or(0, |(_, bits)| bits.min(64));
        self.count * bits / 8 > REGISTER
    }
}
