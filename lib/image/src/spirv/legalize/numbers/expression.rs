//! Instructions that compute with scalars or vectors of numbers.

use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;
use crate::spirv::legalize::vector_type::VectorType;

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) kind: u32,
    /// The bits of a number.
    pub(super) bits: u32,
    /// The components, if they are vectors.
    pub(super) lanes: Option<u32>,
}

/// Code to which instructions are appended. Each method returns the result of the last one.
pub(super) struct Expression<'a> {
    pub(super) draft: &'a mut Draft,
    pub(super) code: &'a mut Vec<Line>,
}

impl<'a> Expression<'a> {
    pub(super) fn new(draft: &'a mut Draft, code: &'a mut Vec<Line>) -> Self {
        Self { draft, code }
    }

    /// Returns a type of floating-point numbers of IEEE's formats.
    pub(super) fn floats(&self, kind: u32) -> Option<Numbers> {
        // The encoding of other formats is a third operand.
        self.numbers(kind, |line| line.opcode() == Op::TypeFloat && line.operands.len() == 2)
    }

    /// Returns a type of integers.
    pub(super) fn integers(&self, kind: u32) -> Option<Numbers> {
        self.numbers(kind, |line| line.opcode() == Op::TypeInt)
    }

    fn numbers(&self, kind: u32, is: impl Fn(&Line) -> bool) -> Option<Numbers> {
        let vector = VectorType::of(self.draft, kind);
        let element = self.draft.definition(vector.map_or(kind, |vector| vector.component))?;
        is(element).then_some(Numbers {
            kind,
            bits: element.operand(1),
            lanes: vector.map(|vector| vector.count),
        })
    }

    /// Returns the unsigned integers of this width with as many components.
    pub(super) fn words_like(&mut self, like: Numbers, bits: u32) -> Result<Numbers, SpirvError> {
        let element = self.draft.int(bits)?;
        Ok(Numbers { kind: self.draft.type_like(like.kind, element)?, bits, lanes: like.lanes })
    }

    /// Returns the floating-point numbers of this width with as many components.
    pub(super) fn floats_like(&mut self, like: Numbers, bits: u32) -> Result<Numbers, SpirvError> {
        let element = self.draft.type_of(Op::TypeFloat, &[bits])?;
        Ok(Numbers { kind: self.draft.type_like(like.kind, element)?, bits, lanes: like.lanes })
    }

    /// Returns a constant, in each component.
    pub(super) fn constant(&mut self, numbers: Numbers, bits: u64) -> Result<u32, SpirvError> {
        self.draft.constants(numbers.kind, bits)
    }

    pub(super) fn compute(&mut self, opcode: Op, like: Numbers, operands: &[u32]) -> Result<u32, SpirvError> {
        self.draft.emit(self.code, opcode, like.kind, operands)
    }

    /// Computes a function of OpenCL.std.
    pub(super) fn call(
        &mut self,
        function: CLOp,
        like: Numbers,
        operands: &[u32],
    ) -> Result<u32, SpirvError> {
        let set = self.draft.opencl()?;
        let operands = [&[set, function as u32], operands].concat();
        self.draft.emit(self.code, Op::ExtInst, like.kind, &operands)
    }

    /// Computes a truth value for each component of numbers like these.
    pub(super) fn test(&mut self, opcode: Op, like: Numbers, operands: &[u32]) -> Result<u32, SpirvError> {
        let kind = self.draft.booleans_like(like.kind)?;
        self.draft.emit(self.code, opcode, kind, operands)
    }

    pub(super) fn select(
        &mut self,
        condition: u32,
        like: Numbers,
        [yes, no]: [u32; 2],
    ) -> Result<u32, SpirvError> {
        self.compute(Op::Select, like, &[condition, yes, no])
    }

    /// Ends with the selection that is the result of an instruction.
    pub(super) fn end_with_select(
        &mut self,
        id: u32,
        condition: u32,
        like: Numbers,
        [yes, no]: [u32; 2],
    ) -> Result<bool, SpirvError> {
        self.draft.emit_as(self.code, id, Op::Select, like.kind, &[condition, yes, no])?;
        Ok(true)
    }

    /// Returns the type and the value of an operand that is a floating-point number.
    pub(super) fn float_operand(&self, line: &Line, at: usize) -> Option<(Numbers, u32)> {
        let value = line.operand(at);
        let numbers = self.floats(self.draft.kind(value)?)?;
        Some((numbers, value))
    }
}
