//! Emulates specialization constants for targets without native support: the code loads them from a buffer, which is
//! the last argument ("Specialization constants", 2.2 Transformation of LLVM IR for emulating specialization
//! constants).

mod plan;
mod relocate;
mod shared;

pub(crate) use relocate::{relocate, takes_buffer};

use std::collections::HashMap;

use super::Inst;
use super::Module;
use super::SpirvError;
use super::build::{Builder, Section, text};
use super::grammar;
use super::types::Types;
use super::{FunctionSpan, Index};
use crate::property::SpecConstants;
use plan::{Constant, EmulationPlan};
use rspirv::spirv::{MemoryAccess, Op};
use shared::Shared;

/// The name that intel/llvm's front end gives the argument.
pub const BUFFER_ARGUMENT: &str = "_arg__specialization_constants_buffer";

/// A module whose specialization constants are emulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emulated {
    /// The module.
    pub module: Module,
    /// The kernels that take the buffer as their last argument.
    pub kernels: Vec<String>,
}

/// Replaces every specialization constant by a load from a buffer. `layout` gives the constants' offsets: the property
/// sets `SYCL/specialization constants` and `... default values` apply to the new module as they did to the old one.
/// Kernels that use a constant, directly or through a function, take a pointer to the buffer as an additional last
/// argument.
///
/// # Errors
/// Fails if a constant is missing from the layout or is needed before the code runs (an array's length, a variable's
/// initial value), or if a function that uses constants is called from another module or through a pointer, because
/// nothing could then pass it the buffer.
pub fn emulate(index: &Index<'_>, layout: &SpecConstants) -> Result<Emulated, SpirvError> {
    let types = Types::new(index);
    let plan = EmulationPlan::new(index, &types, layout)?;
    if plan.constants.is_empty() {
        return Ok(Emulated { module: index.module.clone(), kernels: Vec::new() });
    }
    let builder = Builder::after(index.module.bound() - 1);
    let mut writer = Writer { index, plan: &plan, builder, shared: Shared::new(index) };
    writer.globals()?;
    for &function in &index.functions {
        writer.function(function)?;
    }
    let Writer { mut builder, shared, .. } = writer;
    shared.write(&mut builder)?;
    let module = builder.finish(index.module.header(1), index.module.header(2))?;
    Ok(Emulated { module, kernels: plan.kernels })
}

struct Writer<'w> {
    index: &'w Index<'w>,
    plan: &'w EmulationPlan,
    builder: Builder,
    shared: Shared,
}

/// The replacements for constants in a function's code.
#[derive(Default)]
struct FunctionRewrite {
    /// The buffer argument.
    buffer: u32,
    /// The value of each constant.
    values: HashMap<u32, u32>,
    /// Variables whose initial value was a constant.
    stores: Vec<(u32, u32)>,
}

impl Writer<'_> {
    fn globals(&mut self) -> Result<(), SpirvError> {
        for inst in self.index.globals() {
            let section = Section::for_opcode(inst.opcode);
            let of_constant = match section {
                Section::Name | Section::Annotation => self.plan.constants.contains_key(&inst.operand(0)),
                Section::Global => {
                    grammar::is_spec_constant(inst.opcode)
                        && self.plan.constants.contains_key(&inst.operand(1))
                }
                _ => false,
            };
            if !of_constant && !self.index.is_debug(&inst) {
                self.builder.copy(section, &inst, inst.operands.iter().copied())?;
            }
        }
        Ok(())
    }

    fn function(&mut self, function: FunctionSpan) -> Result<(), SpirvError> {
        let section = if function.has_body { Section::Definition } else { Section::Declaration };
        let Some(used) = self.plan.functions.get(&function.id) else {
            for inst in self.index.module.range(function.first, function.end) {
                if !self.index.is_debug(&inst) {
                    self.builder.copy(section, &inst, inst.operands.iter().copied())?;
                }
            }
            return Ok(());
        };
        let mut body = FunctionRewrite { buffer: self.builder.id()?, ..FunctionRewrite::default() };
        let name = [body.buffer].into_iter().chain(text(BUFFER_ARGUMENT));
        self.builder.push(Section::Name, Op::Name, name)?;
        let mut labels = 0;
        let mut loaded = false;
        for inst in self.index.module.range(function.first, function.end) {
            if self.index.is_debug(&inst) {
                continue;
            }
            match inst.opcode {
                Op::Function => {
                    let kind = self.function_type(&inst)?;
                    let operands = [inst.operand(0), inst.operand(1), inst.operand(2), kind];
                    self.builder.copy(section, &inst, operands)?;
                    continue;
                }
                Op::Label => {
                    labels += 1;
                    if labels == 1 {
                        let pointer = self.shared.byte_pointer(&mut self.builder)?;
                        self.builder.push(section, Op::FunctionParameter, [pointer, body.buffer])?;
                    }
                }
                Op::Variable | Op::Line | Op::NoLine | Op::FunctionParameter => {}
                _ if !loaded => {
                    loaded = true;
                    for &id in used {
                        self.load(id, &mut body)?;
                    }
                    for (variable, constant) in std::mem::take(&mut body.stores) {
                        let value = body.values.get(&constant).copied().unwrap_or(constant);
                        self.builder.push(section, Op::Store, [variable, value])?;
                    }
                }
                _ => {}
            }
            self.copy(&inst, &mut body)?;
        }
        Ok(())
    }

    /// Copies an instruction, with values in place of constants, and with the buffer if it is needed.
    fn copy(&mut self, inst: &Inst<'_>, body: &mut FunctionRewrite) -> Result<(), SpirvError> {
        let mut operands = inst.operands.to_vec();
        if inst.opcode == Op::Variable
            && operands.get(3).is_some_and(|value| self.plan.constants.contains_key(value))
        {
            body.stores.push((inst.operand(1), inst.operand(3)));
            operands.truncate(3);
        }
        let mut places = Vec::new();
        self.index.ids(inst, |at, id| places.push((at, id)))?;
        for (at, id) in places {
            if let (Some(operand), Some(&value)) = (operands.get_mut(at), body.values.get(&id)) {
                *operand = value;
            }
        }
        if inst.opcode == Op::FunctionCall && self.plan.functions.contains_key(&inst.operand(2)) {
            operands.push(body.buffer);
        }
        self.builder.copy(Section::Definition, inst, operands)
    }

    /// Computes the value of a constant whose parts are already computed.
    fn load(&mut self, id: u32, body: &mut FunctionRewrite) -> Result<(), SpirvError> {
        let (Some(inst), Some(constant)) = (self.index.definition(id), self.plan.constants.get(&id)) else {
            return Ok(());
        };
        let kind = inst.operand(0);
        let value = |id: &u32| body.values.get(id).copied().unwrap_or(*id);
        let made = match *constant {
            Constant::Scalar { offset, size } => self.scalar(&inst, offset, size, body.buffer)?,
            Constant::Composite => {
                // OpCompositeConstruct is equivalent, but older translators accept it only with constants.
                let mut whole = self.make(Op::Undef, kind, Vec::new())?;
                for (part, at) in inst.operands.iter().skip(2).map(value).zip(0..) {
                    whole = self.make(Op::CompositeInsert, kind, vec![part, whole, at])?;
                }
                whole
            }
            Constant::Computed => {
                let mut operands = inst.operands.to_vec();
                self.index.ids(&inst, |at, id| {
                    if let Some(operand) = operands.get_mut(at) {
                        *operand = value(&id);
                    }
                })?;
                let opcode = Op::from_u32(inst.operand(2));
                let opcode = opcode.ok_or_else(|| inst.error("the operation is not known"))?;
                self.make(opcode, kind, operands.into_iter().skip(3).collect())?
            }
        };
        body.values.insert(id, made);
        Ok(())
    }

    /// Loads a scalar. Constants are consecutive without padding, so the offset determines the load's alignment.
    fn scalar(&mut self, inst: &Inst<'_>, offset: u32, size: u32, buffer: u32) -> Result<u32, SpirvError> {
        let kind = inst.operand(0);
        let is_bool = inst.opcode != Op::SpecConstant;
        let (byte, bytes) =
            (self.shared.byte(&mut self.builder)?, self.shared.byte_pointer(&mut self.builder)?);
        let at = self.shared.number(offset, &mut self.builder)?;
        let mut pointer = self.make(Op::InBoundsPtrAccessChain, bytes, vec![buffer, at])?;
        let stored = if is_bool { byte } else { kind };
        if stored != byte {
            let kind = self.shared.pointer(stored, &mut self.builder)?;
            pointer = self.make(Op::Bitcast, kind, vec![pointer])?;
        }
        let align = if offset == 0 { size } else { size.min(1 << offset.trailing_zeros()) };
        let value = self.make(Op::Load, stored, vec![pointer, MemoryAccess::ALIGNED.bits(), align])?;
        if is_bool {
            let zero = self.shared.zero_byte(&mut self.builder)?;
            return self.make(Op::INotEqual, kind, vec![value, zero]);
        }
        Ok(value)
    }

    fn make(&mut self, opcode: Op, kind: u32, operands: Vec<u32>) -> Result<u32, SpirvError> {
        let id = self.builder.id()?;
        self.builder.push(Section::Definition, opcode, [kind, id].into_iter().chain(operands))?;
        Ok(id)
    }

    /// Returns the function's type with an additional argument.
    fn function_type(&mut self, function: &Inst<'_>) -> Result<u32, SpirvError> {
        let kind = self.index.definition(function.operand(3));
        let kind = kind.filter(|kind| kind.opcode == Op::TypeFunction);
        let kind = kind.ok_or_else(|| function.error("the function has no function type"))?;
        let mut operands: Vec<u32> = kind.operands.iter().skip(1).copied().collect();
        operands.push(self.shared.byte_pointer(&mut self.builder)?);
        self.shared.get(Op::TypeFunction, operands, &mut self.builder)
    }
}
