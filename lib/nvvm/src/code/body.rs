//! The code of a function that is being written.

use std::collections::HashMap;
use std::fmt::{Arguments, Write};

use sycl_pi_image::spirv::{FunctionSpan, Inst, grammar};

use crate::code::builtin_pointer::BuiltinPointer;
use crate::code::edges::Edges;
use crate::error::Result;
use crate::helpers::Helpers;
use crate::program::Program;
use crate::subgroup_size::SubgroupSize;
use crate::types::TypeKind;

/// The code of a function that is being written.
pub(crate) struct Body<'b, 'm> {
    pub(crate) program: &'b Program<'m>,
    pub(crate) helpers: &'b mut Helpers,
    pub(crate) out: &'b mut String,
    pub(crate) span: FunctionSpan,
    /// The sub-group size for which the function is written.
    pub(crate) size: SubgroupSize,
    /// The instruction that is being translated.
    pub(crate) inst: Inst<'m>,
    /// Addresses in built-in variables, which are not in memory.
    pub(crate) builtin_pointers: HashMap<u32, BuiltinPointer>,
    pub(crate) temporaries: u32,
    /// The block that is being written.
    pub(crate) block: u32,
    pub(crate) edges: Edges,
}

/// Writes a line of code.
macro_rules! emit {
    ($body:expr, $($text:tt)*) => { $body.line(format_args!($($text)*)) };
}
pub(crate) use emit;

impl<'m> Body<'_, 'm> {
    /// Writes a line.
    pub(crate) fn line(&mut self, text: Arguments<'_>) {
        self.out.push_str("  ");
        let _ = self.out.write_fmt(text);
        self.out.push('\n');
    }

    /// Returns a new name for a value.
    pub(crate) fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("%t{}", self.temporaries)
    }

    /// Writes an instruction with a new value, and returns the value's name.
    pub(crate) fn new_value(&mut self, text: Arguments<'_>) -> String {
        let name = self.temporary();
        emit!(self, "{name} = {text}");
        name
    }

    /// Returns an operand of the instruction.
    pub(crate) fn operand(&self, at: usize) -> u32 {
        self.inst.operand(at)
    }

    /// Returns the type of the instruction's result.
    pub(crate) fn result_type(&self) -> u32 {
        self.inst.operand(0)
    }

    /// Returns the name of the instruction's result.
    pub(crate) fn result(&self) -> String {
        format!("%v{}", self.inst.operand(1))
    }

    /// Writes the instruction that computes the result.
    pub(crate) fn set_result(&mut self, text: Arguments<'_>) {
        let result = self.inst.operand(1);
        emit!(self, "%v{result} = {text}");
    }

    /// Returns LLVM's spelling of a type.
    pub(crate) fn type_text(&self, ty: u32) -> Result<&str> {
        self.program.types.text(ty)
    }

    /// Returns the kind of a type.
    pub(crate) fn kind(&self, ty: u32) -> Result<&TypeKind> {
        self.program.types.kind(ty)
    }

    /// Returns the type of a value.
    pub(crate) fn type_of(&self, id: u32) -> Result<u32> {
        if let Some(constant) = self.program.constants.get(id) {
            return Ok(constant.ty);
        }
        self.check_refused(id)?;
        let inst = self.program.index.definition(id).ok_or_else(|| format!("%{id} is not defined"))?;
        grammar::result_type(&inst).ok_or_else(|| format!("%{id} is not a value").into())
    }

    /// Fails if the id is a constant or variable that cannot be translated.
    fn check_refused(&self, id: u32) -> Result<()> {
        match self.program.constants.refusal(id) {
            Some(reason) => Err(reason.clone()),
            None => Ok(()),
        }
    }

    /// Returns a value's spelling, without its type.
    pub(crate) fn value(&self, id: u32) -> Result<String> {
        if let Some(constant) = self.program.constants.get(id) {
            return Ok(constant.text.clone());
        }
        self.check_refused(id)?;
        if self.program.builtins.contains_key(&id) || self.builtin_pointers.contains_key(&id) {
            return Err("a built-in variable can be loaded, and nothing else".into());
        }
        let inst = self.program.index.definition(id).ok_or_else(|| format!("%{id} is not defined"))?;
        if !(self.span.first..self.span.end).contains(&inst.number) {
            return Err(format!("%{id} is not a value of this function").into());
        }
        Ok(format!("%v{id}"))
    }

    /// Returns a value's spelling with its type.
    pub(crate) fn typed(&self, id: u32) -> Result<String> {
        let ty = self.type_of(id)?;
        Ok(format!("{} {}", self.type_text(ty)?, self.value(id)?))
    }

    /// Returns the type and the values of two operands, which must have the same type.
    pub(crate) fn values_of_one_type(&self, a: u32, b: u32) -> Result<(u32, String, String)> {
        let ty = self.type_of(a)?;
        if self.type_text(ty)? != self.type_text(self.type_of(b)?)? {
            return Err("the operands have different types".into());
        }
        Ok((ty, self.value(a)?, self.value(b)?))
    }

    /// Returns the value of an integer constant.
    pub(crate) fn number(&self, id: u32) -> Option<u64> {
        self.program.constants.number(id)
    }

    /// Returns a scalar constant in this type, repeated if the type is a vector.
    pub(crate) fn splat(&self, ty: u32, scalar: &str) -> Result<String> {
        let (element, count) = self.program.types.scalar(ty)?;
        let Some(count) = count else { return Ok(scalar.to_owned()) };
        let element = self.type_text(element)?;
        let all = vec![format!("{element} {scalar}"); count as usize];
        Ok(format!("<{}>", all.join(", ")))
    }

    /// Returns the spelling of a vector type with other scalars: `i1` for `<4 x float>` gives `<4 x i1>`.
    pub(crate) fn shaped_like(&self, like: u32, scalar: &str) -> Result<String> {
        Ok(match self.program.types.scalar(like)?.1 {
            Some(count) => format!("<{count} x {scalar}>"),
            None => scalar.to_owned(),
        })
    }

    /// Returns the width in bits of a type's integers or integer vector elements.
    pub(crate) fn int_bits(&self, ty: u32) -> Result<u32> {
        match *self.kind(self.program.types.scalar(ty)?.0)? {
            TypeKind::Int(bits) => Ok(bits),
            TypeKind::Bool => Ok(1),
            _ => Err("an integer is expected".into()),
        }
    }

    /// Returns the width in bits of a type's floating-point numbers.
    pub(crate) fn float_bits(&self, ty: u32) -> Result<u32> {
        match *self.kind(self.program.types.scalar(ty)?.0)? {
            TypeKind::Float(bits) => Ok(bits),
            _ => Err("a floating-point number is expected".into()),
        }
    }
}
