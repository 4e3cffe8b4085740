//! The arithmetic of group collectives.

use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

use super::draft::Draft;
use super::line::Line;
use super::vector_type::VectorType;
use crate::spirv::SpirvError;

/// The operation that combines two work-items' values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Combine {
    IAdd,
    FAdd,
    IMul,
    FMul,
    UMin,
    SMin,
    FMin,
    UMax,
    SMax,
    FMax,
    And,
    Or,
    Xor,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
}

impl Combine {
    /// Returns the operation that an instruction for a work-group or a sub-group computes.
    pub(super) fn of(opcode: Op) -> Option<Self> {
        Some(match opcode {
            Op::GroupIAdd | Op::GroupNonUniformIAdd => Self::IAdd,
            Op::GroupFAdd | Op::GroupNonUniformFAdd => Self::FAdd,
            Op::GroupIMulKHR | Op::GroupNonUniformIMul => Self::IMul,
            Op::GroupFMulKHR | Op::GroupNonUniformFMul => Self::FMul,
            Op::GroupUMin | Op::GroupNonUniformUMin => Self::UMin,
            Op::GroupSMin | Op::GroupNonUniformSMin => Self::SMin,
            Op::GroupFMin | Op::GroupNonUniformFMin => Self::FMin,
            Op::GroupUMax | Op::GroupNonUniformUMax => Self::UMax,
            Op::GroupSMax | Op::GroupNonUniformSMax => Self::SMax,
            Op::GroupFMax | Op::GroupNonUniformFMax => Self::FMax,
            Op::GroupBitwiseAndKHR | Op::GroupNonUniformBitwiseAnd => Self::And,
            Op::GroupBitwiseOrKHR | Op::GroupNonUniformBitwiseOr => Self::Or,
            Op::GroupBitwiseXorKHR | Op::GroupNonUniformBitwiseXor => Self::Xor,
            Op::GroupLogicalAndKHR | Op::GroupNonUniformLogicalAnd => Self::LogicalAnd,
            Op::GroupLogicalOrKHR | Op::GroupNonUniformLogicalOr => Self::LogicalOr,
            Op::GroupLogicalXorKHR | Op::GroupNonUniformLogicalXor => Self::LogicalXor,
            _ => return None,
        })
    }

    /// Returns the equivalent operation on the integers 0 and 1 if this one works on truth values, or the same one
    /// otherwise.
    pub(super) fn on_integers(self) -> Self {
        match self {
            Self::LogicalAnd => Self::And,
            Self::LogicalOr => Self::Or,
            Self::LogicalXor => Self::Xor,
            other => other,
        }
    }

    /// Returns the identity: the constant that leaves every other value unchanged.
    pub(super) fn identity(self, draft: &mut Draft, kind: u32) -> Result<u32, SpirvError> {
        if let Some(vector) = VectorType::of(draft, kind) {
            let part = self.identity(draft, vector.component)?;
            return draft.constant_of(Op::ConstantComposite, kind, &vec![part; vector.count as usize]);
        }
        let Some(line) = draft.definition(kind).cloned() else {
            return Err(SpirvError::whole(format!("type {kind} of a group operation is not defined")));
        };
        match line.opcode() {
            Op::TypeBool => draft.truth(self == Self::LogicalAnd),
            Op::TypeInt | Op::TypeFloat if [8, 16, 32, 64].contains(&line.operand(1)) => {
                draft.constant(kind, self.identity_bits(line.operand(1)))
            }
            _ => Err(SpirvError::whole(format!(
                "type {kind} of a group operation is neither a number nor a truth"
            ))),
        }
    }

    /// Returns the bits of the identity of numbers.
    fn identity_bits(self, bits: u32) -> u64 {
        let (one, infinity) = match bits {
            16 => (0x3c00, 0x7c00),
            32 => (0x3f80_0000, 0x7f80_0000),
            _ => (0x3ff0_0000_0000_0000, 0x7ff0_0000_0000_0000),
        };
        let sign = 1_u64 << (bits - 1);
        match self {
            Self::IMul => 1,
            Self::FMul => one,
            Self::FMin => infinity,
            Self::FMax => infinity | sign,
            Self::UMin | Self::And => sign | (sign - 1),
            Self::SMin => sign - 1,
            Self::SMax => sign,
            _ => 0,
        }
    }

    /// Combines two numbers.
    pub(super) fn apply(
        self,
        draft: &mut Draft,
        code: &mut Vec<Line>,
        kind: u32,
        [a, b]: [u32; 2],
    ) -> Result<u32, SpirvError> {
        let chosen = match self {
            Self::UMin => Op::ULessThan,
            Self::SMin => Op::SLessThan,
            Self::UMax => Op::UGreaterThan,
            Self::SMax => Op::SGreaterThan,
            // If one operand is NaN, these return the other.
            Self::FMin | Self::FMax => {
                let function = if self == Self::FMin { CLOp::fmin } else { CLOp::fmax };
                let set = draft.opencl()?;
                return draft.emit(code, Op::ExtInst, kind, &[set, function as u32, a, b]);
            }
            _ => return draft.emit(code, self.instruction(), kind, &[a, b]),
        };
        let booleans = draft.booleans_like(kind)?;
        let takes_first = draft.emit(code, chosen, booleans, &[a, b])?;
        draft.emit(code, Op::Select, kind, &[takes_first, a, b])
    }

    fn instruction(self) -> Op {
        match self {
            Self::FAdd => Op::FAdd,
            Self::IMul => Op::IMul,
            Self::FMul => Op::FMul,
            Self::And => Op::BitwiseAnd,
            Self::Or => Op::BitwiseOr,
            Self::Xor => Op::BitwiseXor,
            _ => Op::IAdd,
        }
    }
}
