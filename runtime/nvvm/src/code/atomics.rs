//! Atomic operations.

use crate::code::arithmetic::row;
use crate::code::body::{Body, emit};
use crate::error::Step;
use crate::helpers::atomics::Atomic;
use crate::helpers::synchronize::{Order, scope_name};
use crate::types::Kind;

/// Operations on integers: their names, and PTX's instruction with its type but for the width.
const INTEGERS: &[(u16, (&str, &str))] = &[
    (229, ("exchange", "exch.b")),
    (234, ("iadd", "add.u")),
    (236, ("smin", "min.s")),
    (237, ("umin", "min.u")),
    (238, ("smax", "max.s")),
    (239, ("umax", "max.u")),
    (240, ("and", "and.b")),
    (241, ("or", "or.b")),
    (242, ("xor", "xor.b")),
];

impl Body<'_, '_> {
    /// Atomics. Answers whether the instruction is one.
    pub(crate) fn atomics(&mut self) -> Step<bool> {
        let opcode = self.inst.opcode;
        let (pointer, value) = (self.operand(2), self.operand(5));
        if let Some((name, instruction)) = row(INTEGERS, opcode) {
            let value = self.value(value)?;
            self.integer_operation(name, instruction, pointer, &value)?;
            return Ok(true);
        }
        match opcode {
            227 => {
                let of = self.atomic(pointer, self.operand(3), self.operand(4))?;
                let (helper, pointer) = (self.helpers.atomic_load(&of)?, self.typed(pointer)?);
                let ty = of.ty;
                self.set(format_args!("call {ty} @{helper}({pointer})"));
            }
            228 => {
                let (pointer, value) = (self.operand(0), self.operand(3));
                let of = self.atomic(pointer, self.operand(1), self.operand(2))?;
                let (helper, pointer, value) =
                    (self.helpers.atomic_store(&of)?, self.typed(pointer)?, self.typed(value)?);
                emit!(self, "call void @{helper}({pointer}, {value})");
            }
            230 | 231 => self.exchange_if(pointer)?,
            232 => self.integer_operation("iadd", "add.u", pointer, "1")?,
            233 => self.integer_operation("iadd", "add.u", pointer, "-1")?,
            235 => {
                let ty = self.type_of(value)?;
                let (ty, value) = (self.text(ty)?.to_owned(), self.value(value)?);
                let negative = self.new_value(format_args!("sub {ty} 0, {value}"));
                self.integer_operation("iadd", "add.u", pointer, &negative)?;
            }
            318 => {
                let of = self.atomic(pointer, self.operand(3), self.operand(4))?;
                let helper = self.helpers.atomic(&of, "exchange", &format!("exch.b{}", of.bits))?;
                let (ty, pointer) = (of.ty, self.typed(pointer)?);
                let old = self.new_value(format_args!("call {ty} @{helper}({pointer}, {ty} 1)"));
                self.set(format_args!("icmp ne {ty} {old}, 0"));
            }
            319 => {
                let of = self.atomic(self.operand(0), self.operand(1), self.operand(2))?;
                let (helper, pointer) = (self.helpers.atomic_store(&of)?, self.typed(self.operand(0))?);
                let ty = of.ty;
                emit!(self, "call void @{helper}({pointer}, {ty} 0)");
            }
            6035 => self.float_operation("fadd", pointer, value)?,
            5614 => self.float_operation("fmin", pointer, value)?,
            5615 => self.float_operation("fmax", pointer, value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What an atomic operation works on: the pointer, and ids of scope and semantics.
    fn atomic(&self, pointer: u32, scope: u32, semantics: u32) -> Step<Atomic> {
        let (space, pointee) = self.program.types.pointer(self.type_of(pointer)?)?;
        let (bits, float) = match *self.kind(pointee)? {
            Kind::Int(bits) => (bits, false),
            Kind::Float(bits) => (bits, true),
            _ => return Err("atomic operations work on numbers".into()),
        };
        let order = Order::of(self.number(semantics));
        let scope = scope_name(self.number(scope).unwrap_or(0))?;
        Ok(Atomic { space, order, scope, ty: self.text(pointee)?.to_owned(), bits, float })
    }

    fn integer_operation(&mut self, name: &str, instruction: &str, pointer: u32, value: &str) -> Step {
        let of = self.atomic(pointer, self.operand(3), self.operand(4))?;
        if of.float && name != "exchange" {
            return Err("an integer is expected".into());
        }
        let (ty, pointer_text) = (of.ty.clone(), self.typed(pointer)?);
        if !of.float {
            let helper = self.helpers.atomic(&of, name, &format!("{instruction}{}", of.bits))?;
            self.set(format_args!("call {ty} @{helper}({pointer_text}, {ty} {value})"));
            return Ok(());
        }
        let bits = of.bits;
        let integer = Atomic { ty: format!("i{bits}"), float: false, ..of };
        let helper = self.helpers.atomic(&integer, name, &format!("{instruction}{bits}"))?;
        let space = if integer.space == 0 { String::new() } else { format!(" addrspace({})", integer.space) };
        let address = self.new_value(format_args!("bitcast {pointer_text} to i{bits}{space}*"));
        let value = self.new_value(format_args!("bitcast {ty} {value} to i{bits}"));
        let old = self
            .new_value(format_args!("call i{bits} @{helper}(i{bits}{space}* {address}, i{bits} {value})"));
        self.set(format_args!("bitcast i{bits} {old} to {ty}"));
        Ok(())
    }

    fn exchange_if(&mut self, pointer: u32) -> Step {
        let mut of = self.atomic(pointer, self.operand(3), self.operand(4))?;
        if of.float {
            return Err("an integer is expected".into());
        }
        if Order::of(self.number(self.operand(5))) == Order::Sequential {
            of.order = Order::Sequential;
        }
        let helper = self.helpers.atomic_exchange_if(&of)?;
        let (value, comparator) = (self.typed(self.operand(6))?, self.typed(self.operand(7))?);
        let (ty, pointer) = (of.ty, self.typed(pointer)?);
        self.set(format_args!("call {ty} @{helper}({pointer}, {value}, {comparator})"));
        Ok(())
    }

    fn float_operation(&mut self, name: &str, pointer: u32, value: u32) -> Step {
        let of = self.atomic(pointer, self.operand(3), self.operand(4))?;
        if !of.float {
            return Err("a floating-point number is expected".into());
        }
        let helper = match (name, of.bits) {
            ("fadd", 16) => self.helpers.atomic(&of, name, "add.noftz.f16")?,
            ("fadd", bits) => self.helpers.atomic(&of, name, &format!("add.f{bits}"))?,
            _ => self.helpers.atomic_float_limit(&of, name)?,
        };
        let (ty, pointer, value) = (of.ty, self.typed(pointer)?, self.typed(value)?);
        self.set(format_args!("call {ty} @{helper}({pointer}, {value})"));
        Ok(())
    }
}
