//! Moves specialization constants in the buffer of an emulated module.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{MemoryAccess, Op};

use super::BUFFER_ARGUMENT;
use super::shared::Shared;
use crate::spirv::Index;
use crate::spirv::Inst;
use crate::spirv::Module;
use crate::spirv::SpirvError;
use crate::spirv::build::{Builder, Section};
use crate::spirv::types::Types;

/// Finds the arguments, by their names, through which functions take the buffer of emulated constants.
fn buffers(index: &Index<'_>) -> HashSet<u32> {
    let named = index.globals().filter(|inst| inst.opcode == Op::Name);
    named
        .filter(|inst| inst.text(1).is_some_and(|(name, _)| name == BUFFER_ARGUMENT))
        .map(|inst| inst.operand(0))
        .collect()
}

/// Returns whether functions of a module take the buffer of emulated constants.
pub(crate) fn takes_buffer(index: &Index<'_>) -> bool {
    !buffers(index).is_empty()
}

/// Rewrites a module to read its constants from other offsets in the buffer. `offsets` maps each scalar's old offset to
/// the new one.
///
/// # Errors
/// Fails if the code uses the buffer in a way that [`emulate`](super::emulate) does not generate.
pub(crate) fn relocate(index: &Index<'_>, offsets: &HashMap<u64, u64>) -> Result<Module, SpirvError> {
    let mut writer = Relocation {
        types: Types::new(index),
        buffers: buffers(index),
        builder: Builder::after(index.module.bound() - 1),
        shared: Shared::new(index),
        pointers: HashMap::new(),
        index,
        offsets,
    };
    for inst in index.globals().filter(|inst| !index.is_debug(inst)) {
        writer.builder.copy(Section::for_opcode(inst.opcode), &inst, inst.operands.iter().copied())?;
    }
    for function in &index.functions {
        let section = if function.has_body { Section::Definition } else { Section::Declaration };
        for inst in index.module.range(function.first, function.end).filter(|inst| !index.is_debug(inst)) {
            let operands = writer.moved(&inst)?;
            writer.builder.copy(section, &inst, operands)?;
        }
    }
    let Relocation { mut builder, shared, .. } = writer;
    shared.write(&mut builder)?;
    builder.finish(index.module.header(1), index.module.header(2))
}

struct Relocation<'r> {
    index: &'r Index<'r>,
    types: Types<'r>,
    offsets: &'r HashMap<u64, u64>,
    buffers: HashSet<u32>,
    builder: Builder,
    shared: Shared,
    /// Pointers to scalars in the buffer, with their new offsets.
    pointers: HashMap<u32, u64>,
}

impl Relocation<'_> {
    /// Returns the operands of an instruction with the new offsets.
    fn moved(&mut self, inst: &Inst<'_>) -> Result<Vec<u32>, SpirvError> {
        let mut operands = inst.operands.to_vec();
        let base = inst.operand(2);
        match inst.opcode {
            Op::InBoundsPtrAccessChain | Op::PtrAccessChain if self.buffers.contains(&base) => {
                let offset = self.types.number(inst.operand(3)).filter(|_| operands.len() == 4);
                let moved = offset.and_then(|offset| self.offsets.get(&offset).copied());
                let moved = moved.ok_or_else(|| foreign(inst))?;
                let number = u32::try_from(moved).map_err(|_| foreign(inst))?;
                self.pointers.insert(inst.operand(1), moved);
                if let Some(at) = operands.get_mut(3) {
                    *at = self.shared.number(number, &mut self.builder)?;
                }
            }
            Op::Bitcast => {
                if let Some(&offset) = self.pointers.get(&base) {
                    self.pointers.insert(inst.operand(1), offset);
                }
                self.refuse(inst)?;
            }
            Op::Load => {
                self.refuse(inst)?;
                let offset = self.pointers.get(&base).filter(|&&offset| offset != 0);
                let align =
                    operands.get_mut(4).filter(|_| inst.operand(3) & MemoryAccess::ALIGNED.bits() != 0);
                if let (Some(offset), Some(align)) = (offset, align) {
                    *align = (*align).min(1 << offset.trailing_zeros().min(30));
                }
            }
            // The buffer is passed on as the same argument.
            Op::FunctionCall | Op::FunctionParameter => {}
            _ => self.refuse(inst)?,
        }
        Ok(operands)
    }

    /// Refuses any other use of the buffer, because it may depend on the offsets.
    fn refuse(&self, inst: &Inst<'_>) -> Result<(), SpirvError> {
        let mut used = false;
        self.index.ids(inst, |_, id| used |= self.buffers.contains(&id))?;
        if used { Err(foreign(inst)) } else { Ok(()) }
    }
}

fn foreign(inst: &Inst<'_>) -> SpirvError {
    inst.error("the code uses the buffer of specialization constants in a way that is not known here")
}
