//! Types and numbers for the new code: the module's own, and new ones.

use std::collections::HashMap;

use rspirv::spirv::{Capability, Op, StorageClass};

use crate::spirv::Index;
use crate::spirv::SpirvError;
use crate::spirv::build::{Builder, Section};

/// Types and constants by their definitions. Each occurs once, because SPIR-V allows no duplicate types.
pub(super) struct Shared {
    known: HashMap<(Op, Vec<u32>), u32>,
    /// Instructions to add to the module.
    new: Vec<(Op, Vec<u32>)>,
    has_bytes: bool,
}

impl Shared {
    pub(super) fn new(index: &Index<'_>) -> Self {
        let mut shared = Self { known: HashMap::new(), new: Vec::new(), has_bytes: false };
        for inst in index.globals() {
            match inst.opcode {
                Op::TypeInt | Op::TypePointer | Op::TypeFunction => {
                    let operands = inst.operands.get(1..).unwrap_or_default().to_vec();
                    shared.known.insert((inst.opcode, operands), inst.operand(0));
                }
                Op::Constant => {
                    let value = inst.operands.iter().skip(2);
                    let operands = [inst.operand(0)].into_iter().chain(value.copied()).collect();
                    shared.known.insert((inst.opcode, operands), inst.operand(1));
                }
                Op::Capability if inst.operand(0) == Capability::Int8 as u32 => shared.has_bytes = true,
                _ => {}
            }
        }
        shared
    }

    /// Returns the type or constant with these operands, which exclude the result's id.
    pub(super) fn get(
        &mut self,
        opcode: Op,
        operands: Vec<u32>,
        builder: &mut Builder,
    ) -> Result<u32, SpirvError> {
        let key = (opcode, operands);
        if let Some(&id) = self.known.get(&key) {
            return Ok(id);
        }
        let id = builder.id()?;
        let mut words = key.1.clone();
        // A type starts with its result's id; a constant has it after its type.
        words.insert(usize::from(opcode == Op::Constant), id);
        self.new.push((opcode, words));
        self.known.insert(key, id);
        Ok(id)
    }

    pub(super) fn byte(&mut self, builder: &mut Builder) -> Result<u32, SpirvError> {
        self.get(Op::TypeInt, vec![8, 0], builder)
    }

    pub(super) fn zero_byte(&mut self, builder: &mut Builder) -> Result<u32, SpirvError> {
        let byte = self.byte(builder)?;
        self.get(Op::Constant, vec![byte, 0], builder)
    }

    /// Returns a 32-bit number.
    pub(super) fn number(&mut self, number: u32, builder: &mut Builder) -> Result<u32, SpirvError> {
        let word = self.get(Op::TypeInt, vec![32, 0], builder)?;
        self.get(Op::Constant, vec![word, number], builder)
    }

    /// Returns the type of a pointer to global memory.
    pub(super) fn pointer(&mut self, to: u32, builder: &mut Builder) -> Result<u32, SpirvError> {
        self.get(Op::TypePointer, vec![StorageClass::CrossWorkgroup as u32, to], builder)
    }

    pub(super) fn byte_pointer(&mut self, builder: &mut Builder) -> Result<u32, SpirvError> {
        let byte = self.byte(builder)?;
        self.pointer(byte, builder)
    }

    /// Adds the new instructions to the module.
    pub(super) fn write(self, builder: &mut Builder) -> Result<(), SpirvError> {
        if !self.has_bytes {
            builder.push(Section::Capability, Op::Capability, [Capability::Int8 as u32])?;
        }
        for (opcode, operands) in self.new {
            builder.push(Section::Global, opcode, operands)?;
        }
        Ok(())
    }
}
