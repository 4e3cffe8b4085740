//! How functions receive their parameters.

use sycl_pi_image::spirv::{Decoration, FunctionParameterAttribute, Op};

use crate::error::Result;
use crate::program::Program;

/// Structures with more scalars are passed in memory, because as values they would fill the registers.
const MOST_SCALARS: u64 = 64;

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// Unchanged.
    Direct,
    /// As the value of a structure of this type, which the callee stores in its own memory.
    Value(u32),
    /// In memory as a structure of this type, which the call copies.
    Memory(u32),
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) id: u32,
    pub(crate) ty: u32,
    pub(crate) passing: Passing,
    /// The alignment with which it is decorated, in bytes.
    pub(crate) align: Option<u64>,
}

impl Program<'_> {
    /// Returns the parameters of a function.
    pub(crate) fn parameters(&self, function: u32) -> Result<Vec<Parameter>> {
        let span = self.index.function(function).ok_or_else(|| format!("%{function} is not a function"))?;
        let mut parameters = Vec::new();
        for inst in self.index.module.range(span.first, span.end) {
            match inst.opcode {
                Op::FunctionParameter => {
                    let (ty, id) = (inst.operand(0), inst.operand(1));
                    let by_value = self.index.decorations(id, Decoration::FuncParamAttr);
                    let passing = match by_value
                        .map(|note| note.operand(2))
                        .any(|which| which == FunctionParameterAttribute::ByVal as u32)
                    {
                        true => self.by_value(ty)?,
                        false => Passing::Direct,
                    };
                    let align = self.index.decorations(id, Decoration::Alignment).next();
                    let align = align.map(|note| power_of_two(note.operand(2).into()));
                    parameters.push(Parameter { id, ty, passing, align });
                }
                Op::Label => break,
                _ => {}
            }
        }
        Ok(parameters)
    }

    /// Returns how a structure behind a pointer of this type is passed by value.
    pub(crate) fn by_value(&self, ty: u32) -> Result<Passing> {
        let (_, pointee) = self.types.pointer(ty)?;
        self.types.layout(pointee)?;
        Ok(match self.types.scalars(pointee, MOST_SCALARS) {
            0..=MOST_SCALARS => Passing::Value(pointee),
            _ => Passing::Memory(pointee),
        })
    }

    /// Returns the attribute of a pointer to a structure that a call copies.
    pub(crate) fn byval(&self, pointee: u32) -> Result<String> {
        Ok(match self.options.dialect {
            crate::options::Dialect::Llvm7 => "byval".into(),
            crate::options::Dialect::Modern => format!("byval({})", self.types.text(pointee)?),
        })
    }

    /// Returns a function's return type.
    pub(crate) fn returns(&self, function: u32) -> Result<u32> {
        let inst = self.index.definition(function).filter(|inst| inst.opcode == Op::Function);
        inst.map(|inst| inst.operand(0)).ok_or_else(|| format!("%{function} is not a function").into())
    }

    /// Returns the types of a function's parameters at the call, without names.
    pub(crate) fn parameter_types(&self, function: u32) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        for parameter in self.parameters(function)? {
            texts.push(match parameter.passing {
                Passing::Value(pointee) => self.types.text(pointee)?.to_owned(),
                _ => self.types.text(parameter.ty)?.to_owned(),
            });
        }
        texts.extend(self.reach.hidden(function).iter().map(|_| "i64".to_owned()));
        Ok(texts)
    }

    /// Returns the type of a function: `void (i32, float*)`.
    pub(crate) fn signature(&self, function: u32) -> Result<String> {
        let returns = self.types.text(self.returns(function)?)?;
        Ok(format!("{returns} ({})", self.parameter_types(function)?.join(", ")))
    }
}

/// Returns the greatest power of two, at least 1, that divides a number.
pub(crate) fn power_of_two(align: u64) -> u64 {
    if align == 0 { 1 } else { 1 << align.trailing_zeros().min(20) }
}
