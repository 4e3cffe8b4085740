//! Atomic operations.

use sycl_pi_image::spirv::Scope;

use crate::code::body::{Body, emit};
use crate::error::Result;
use crate::helpers::atomics::{AtomicOperation, AtomicPlace};
use crate::helpers::synchronize::{MemoryOrder, scope_name};
use crate::types::TypeKind;

impl Body<'_, '_> {
    pub(crate) fn atomic_load(&mut self) -> Result<()> {
        let pointer = self.operand(2);
        let place = self.place_of(pointer, self.operand(3), self.operand(4))?;
        let (helper, address) = (self.helpers.atomic_load(&place)?, self.value(pointer)?);
        let call = self.call_on_memory(pointer, &place.ty, &helper, [(&place.pointer(), &address)])?;
        self.set_result(format_args!("{call}"));
        Ok(())
    }

    pub(crate) fn atomic_store(&mut self) -> Result<()> {
        let value = self.value(self.operand(3))?;
        self.atomic_store_of(&value)
    }

    /// Translates an operation on integers with the instruction's operand. An exchange also accepts other numbers.
    pub(crate) fn atomic(&mut self, operation: AtomicOperation) -> Result<()> {
        let value = self.value(self.operand(5))?;
        self.integer_operation(operation, &value)
    }

    /// Translates an addition of a value that is not an operand.
    pub(crate) fn atomic_add(&mut self, value: &str) -> Result<()> {
        self.integer_operation(AtomicOperation::IAdd, value)
    }

    pub(crate) fn atomic_subtract(&mut self) -> Result<()> {
        let value = self.operand(5);
        let ty = self.type_of(value)?;
        let (ty, value) = (self.type_text(ty)?.to_owned(), self.value(value)?);
        let negative = self.new_value(format_args!("sub {ty} 0, {value}"));
        self.integer_operation(AtomicOperation::IAdd, &negative)
    }

    pub(crate) fn atomic_flag_test_and_set(&mut self) -> Result<()> {
        let pointer = self.operand(2);
        let place = self.place_of(pointer, self.operand(3), self.operand(4))?;
        let helper = self.helpers.atomic(&place, AtomicOperation::Exchange)?;
        let call = self.call_atomic(pointer, &place, &helper, "1")?;
        let (ty, old) = (&place.ty, self.new_value(format_args!("{call}")));
        self.set_result(format_args!("icmp ne {ty} {old}, 0"));
        Ok(())
    }

    pub(crate) fn atomic_flag_clear(&mut self) -> Result<()> {
        self.atomic_store_of("0")
    }

    /// Writes a store with the instruction's pointer, scope and semantics.
    fn atomic_store_of(&mut self, value: &str) -> Result<()> {
        let pointer = self.operand(0);
        let place = self.place_of(pointer, self.operand(1), self.operand(2))?;
        let (helper, address) = (self.helpers.atomic_store(&place)?, self.value(pointer)?);
        let operands = [(&*place.pointer(), &*address), (&*place.ty, value)];
        let call = self.call_on_memory(pointer, "void", &helper, operands)?;
        emit!(self, "{call}");
        Ok(())
    }

    /// Calls a helper that returns the previous value in memory.
    fn call_atomic(
        &mut self,
        pointer: u32,
        place: &AtomicPlace,
        helper: &str,
        value: &str,
    ) -> Result<String> {
        let (ty, address) = (&*place.ty, self.value(pointer)?);
        self.call_on_memory(pointer, ty, helper, [(&place.pointer(), &address), (ty, value)])
    }

    /// Describes the memory of an atomic operation: its pointer, and the ids of scope and semantics.
    fn place_of(&self, pointer: u32, scope: u32, semantics: u32) -> Result<AtomicPlace> {
        let (space, pointee) = self.program.types.pointer(self.type_of(pointer)?)?;
        let (bits, float) = match *self.kind(pointee)? {
            TypeKind::Int(bits) => (bits, false),
            TypeKind::Float(bits) => (bits, true),
            _ => return Err("atomic operations work on numbers".into()),
        };
        let order = MemoryOrder::from_semantics(self.number(semantics));
        let scope = scope_name(self.number(scope).unwrap_or(Scope::CrossDevice as u64))?;
        Ok(AtomicPlace { space, order, scope, ty: self.type_text(pointee)?.to_owned(), bits, float })
    }

    fn integer_operation(&mut self, operation: AtomicOperation, value: &str) -> Result<()> {
        let pointer = self.operand(2);
        let place = self.place_of(pointer, self.operand(3), self.operand(4))?;
        if place.float && operation != AtomicOperation::Exchange {
            return Err("an integer is expected".into());
        }
        if !place.float {
            let helper = self.helpers.atomic(&place, operation)?;
            let call = self.call_atomic(pointer, &place, &helper, value)?;
            self.set_result(format_args!("{call}"));
            return Ok(());
        }
        let (ty, typed, place) = (&place.ty, self.typed(pointer)?, place.as_integer());
        let helper = self.helpers.atomic(&place, operation)?;
        let (integer, integer_pointer) = (&*place.ty, place.pointer());
        let address = self.new_value(format_args!("bitcast {typed} to {integer_pointer}"));
        let value = self.new_value(format_args!("bitcast {ty} {value} to {integer}"));
        let operands = [(&*integer_pointer, &*address), (integer, &*value)];
        let call = self.call_on_memory(pointer, integer, &helper, operands)?;
        let old = self.new_value(format_args!("{call}"));
        self.set_result(format_args!("bitcast {integer} {old} to {ty}"));
        Ok(())
    }

    pub(crate) fn atomic_compare_exchange(&mut self) -> Result<()> {
        let pointer = self.operand(2);
        let mut place = self.place_of(pointer, self.operand(3), self.operand(4))?;
        if place.float {
            return Err("an integer is expected".into());
        }
        if MemoryOrder::from_semantics(self.number(self.operand(5))) == MemoryOrder::SequentiallyConsistent {
            place.order = MemoryOrder::SequentiallyConsistent;
        }
        let helper = self.helpers.atomic_compare_exchange(&place)?;
        let (ty, address) = (&*place.ty, self.value(pointer)?);
        let (value, comparator) = (self.value(self.operand(6))?, self.value(self.operand(7))?);
        let operands = [(&*place.pointer(), &*address), (ty, &*value), (ty, &*comparator)];
        let call = self.call_on_memory(pointer, ty, &helper, operands)?;
        self.set_result(format_args!("{call}"));
        Ok(())
    }

    /// Translates an operation on floating-point numbers.
    pub(crate) fn atomic_float(&mut self, operation: AtomicOperation) -> Result<()> {
        let (pointer, value) = (self.operand(2), self.operand(5));
        let place = self.place_of(pointer, self.operand(3), self.operand(4))?;
        if !place.float {
            return Err("a floating-point number is expected".into());
        }
        let helper = match operation {
            AtomicOperation::FMin => self.helpers.atomic_float_limit(&place, operation, "olt")?,
            AtomicOperation::FMax => self.helpers.atomic_float_limit(&place, operation, "ogt")?,
            _ => self.helpers.atomic(&place, operation)?,
        };
        let value = self.value(value)?;
        let call = self.call_atomic(pointer, &place, &helper, &value)?;
        self.set_result(format_args!("{call}"));
        Ok(())
    }
}
