//! Atomic operations.

use sycl_pi_image::spirv::{Op, Scope};

use crate::code::arithmetic::row;
use crate::code::body::{Body, emit};
use crate::error::Step;
use crate::helpers::atomics::Atomic;
use crate::helpers::synchronize::{Order, scope_name};
use crate::types::Kind;

/// Operations on integers: their names, and PTX's instruction with its type but for the width.
const INTEGERS: &[(Op, (&str, &str))] = &[
    (Op::AtomicExchange, ("exchange", "exch.b")),
    (Op::AtomicIAdd, ("iadd", "add.u")),
    (Op::AtomicSMin, ("smin", "min.s")),
    (Op::AtomicUMin, ("umin", "min.u")),
    (Op::AtomicSMax, ("smax", "max.s")),
    (Op::AtomicUMax, ("umax", "max.u")),
    (Op::AtomicAnd, ("and", "and.b")),
    (Op::AtomicOr, ("or", "or.b")),
    (Op::AtomicXor, ("xor", "xor.b")),
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
            Op::AtomicLoad => {
                let of = self.atomic(pointer, self.operand(3), self.operand(4))?;
                let (helper, pointer) = (self.helpers.atomic_load(&of)?, self.typed(pointer)?);
                let ty = of.ty;
                self.set(format_args!("call {ty} @{helper}({pointer})"));
            }
            Op::AtomicStore => {
                let (pointer, value) = (self.operand(0), self.operand(3));
                let of = self.atomic(pointer, self.operand(1), self.operand(2))?;
                let (helper, pointer, value) =
                    (self.helpers.atomic_store(&of)?, self.typed(pointer)?, self.typed(value)?);
                emit!(self, "call void @{helper}({pointer}, {value})");
            }
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => self.exchange_if(pointer)?,
            Op::AtomicIIncrement => self.integer_operation("iadd", "add.u", pointer, "1")?,
            Op::AtomicIDecrement => self.integer_operation("iadd", "add.u", pointer, "-1")?,
            Op::AtomicISub => {
                let ty = self.type_of(value)?;
                let (ty, value) = (self.text(ty)?.to_owned(), self.value(value)?);
                let negative = self.new_value(format_args!("sub {ty} 0, {value}"));
                self.integer_operation("iadd", "add.u", pointer, &negative)?;
            }
            Op::AtomicFlagTestAndSet => {
                let of = self.atomic(pointer, self.operand(3), self.operand(4))?;
                let helper = self.helpers.atomic(&of, "exchange", &format!("exch.b{}", of.bits))?;
                let (ty, pointer) = (of.ty, self.typed(pointer)?);
                let old = self.new_value(format_args!("call {ty} @{helper}({pointer}, {ty} 1)"));
                self.set(format_args!("icmp ne {ty} {old}, 0"));
            }
            Op::AtomicFlagClear => {
                let of = self.atomic(self.operand(0), self.operand(1), self.operand(2))?;
                let (helper, pointer) = (self.helpers.atomic_store(&of)?, self.typed(self.operand(0))?);
                let ty = of.ty;
                emit!(self, "call void @{helper}({pointer}, {ty} 0)");
            }
            Op::AtomicFAddEXT => self.float_operation("fadd", pointer, value)?,
            Op::AtomicFMinEXT => self.float_operation("fmin", pointer, value)?,
            Op::AtomicFMaxEXT => self.float_operation("fmax", pointer, value)?,
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
        let scope = scope_name(self.number(scope).unwrap_or(Scope::CrossDevice as u64))?;
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
