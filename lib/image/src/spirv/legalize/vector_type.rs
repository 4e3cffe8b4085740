//! Vectors, and the same value in each of their components.

use rspirv::spirv::Op;

use super::draft::Draft;
use super::line::Line;
use crate::spirv::SpirvError;

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

impl VectorType {
    /// Returns a type as one of vectors, if it is one. In a damaged module, a vector may have any number of components,
    /// and they may be vectors themselves.
    pub(super) fn of(draft: &Draft, kind: u32) -> Option<Self> {
        let is_vector = |line: &&Line| line.opcode() == Op::TypeVector;
        let line = draft.definition(kind).filter(is_vector)?;
        let (component, count) = (line.operand(1), line.operand(2));
        let is_valid =
            (2..=LONGEST).contains(&count) && draft.definition(component).is_some_and(|of| !is_vector(&of));
        is_valid.then_some(Self { kind, component, count })
    }

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

impl Draft {
    /// Returns a scalar type, or the vector type of as many of its values as another type has components.
    pub(super) fn type_like(&mut self, kind: u32, scalar: u32) -> Result<u32, SpirvError> {
        match VectorType::of(self, kind) {
            Some(vector) => self.type_of(Op::TypeVector, &[scalar, vector.count]),
            None => Ok(scalar),
        }
    }

    /// Returns the type that comparing two values of a type returns: `bool`, or a vector of as many components.
    pub(super) fn booleans_like(&mut self, kind: u32) -> Result<u32, SpirvError> {
        let boolean = self.boolean()?;
        self.type_like(kind, boolean)
    }

    /// Returns a constant of a numeric type with these bits, or a vector with them in each component.
    pub(super) fn constants(&mut self, kind: u32, bits: u64) -> Result<u32, SpirvError> {
        let Some(vector) = VectorType::of(self, kind) else { return self.constant(kind, bits) };
        let component = self.constant(vector.component, bits)?;
        self.constant_of(Op::ConstantComposite, kind, &vec![component; vector.count as usize])
    }

    /// Appends a value of this type that repeats a scalar for each component. Returns the scalar itself for types other
    /// than vectors.
    pub(super) fn splat(&mut self, code: &mut Vec<Line>, scalar: u32, kind: u32) -> Result<u32, SpirvError> {
        match VectorType::of(self, kind) {
            Some(vector) => {
                self.emit(code, Op::CompositeConstruct, kind, &vec![scalar; vector.count as usize])
            }
            None => Ok(scalar),
        }
    }

    /// Appends a truth value for each component of a value of this type, because `OpSelect` needs a vector of them before
    /// SPIR-V 1.4.
    pub(super) fn spread(&mut self, code: &mut Vec<Line>, truth: u32, kind: u32) -> Result<u32, SpirvError> {
        let booleans = self.booleans_like(kind)?;
        self.splat(code, truth, booleans)
    }
}
