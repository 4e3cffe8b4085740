//! Memory accesses that are skipped for null pointers, in a kernel that is launched with null arguments.

use std::collections::HashSet;

use sycl_pi_image::spirv::{Op, StorageClass};

use crate::code::body::{Body, emit};
use crate::error::Result;
use crate::types::AddressSpace;

/// The spellings of a type and of a value of that type.
pub(crate) type TypedValue<'a> = (&'a str, &'a str);

impl Body<'_, '_> {
    /// Returns the instruction for a memory access that yields a result of this type. It is built from the spellings of
    /// its operands, the first of which is the address. `pointer` is the id from which the address comes.
    pub(crate) fn access_memory<const N: usize>(
        &mut self,
        pointer: u32,
        result: &str,
        operands: [TypedValue<'_>; N],
        access: impl Fn([&str; N]) -> String,
    ) -> Result<String> {
        if !self.may_be_null(pointer)? {
            return Ok(access(operands.map(|(_, value)| value)));
        }
        let helper = self.helpers.guard(result, operands.map(|(ty, _)| ty), access, |_| String::new());
        let typed = operands.map(|(ty, value)| format!("{ty} {value}"));
        Ok(format!("call {result} @{helper}({})", typed.join(", ")))
    }

    /// Loads a scalar of a type.
    pub(crate) fn load_scalar(&mut self, pointer: u32, ty: &str, address: TypedValue<'_>) -> Result<String> {
        let (address_type, _) = address;
        let load = self.access_memory(pointer, ty, [address], |[address]| {
            format!("load {ty}, {address_type} {address}")
        })?;
        Ok(self.new_value(format_args!("{load}")))
    }

    /// Stores a scalar.
    pub(crate) fn store_scalar(
        &mut self,
        pointer: u32,
        value: TypedValue<'_>,
        address: TypedValue<'_>,
    ) -> Result<()> {
        self.store_value(pointer, value, address, ("", ""))
    }

    /// Stores a value. The last argument contains LLVM's spellings of `volatile` and of the alignment.
    pub(crate) fn store_value(
        &mut self,
        pointer: u32,
        (ty, value): TypedValue<'_>,
        (address_type, address): TypedValue<'_>,
        (volatile, align): (&str, &str),
    ) -> Result<()> {
        if ty == "half" && self.program.options.stores_halves_apart {
            let bits = self.new_value(format_args!("bitcast half {value} to i16"));
            let bits = self.new_value(format_args!("call i16 asm \"mov.b16 $0, $1;\", \"=h,h\"(i16 {bits})"));
            let to = address_type.replacen("half", "i16", 1);
            let address = self.new_value(format_args!("bitcast {address_type} {address} to {to}"));
            return self.store_value(pointer, ("i16", &bits), (&to, &address), (volatile, align));
        }
        let operands = [(address_type, address), (ty, value)];
        let store = self.access_memory(pointer, "void", operands, |[address, value]| {
            format!("store {volatile}{ty} {value}, {address_type} {address}{align}")
        })?;
        emit!(self, "{store}");
        Ok(())
    }

    /// Calls a helper that accesses memory.
    pub(crate) fn call_on_memory<const N: usize>(
        &mut self,
        pointer: u32,
        result: &str,
        helper: &str,
        operands: [TypedValue<'_>; N],
    ) -> Result<String> {
        self.access_memory(pointer, result, operands, |values| {
            let typed: [String; N] = std::array::from_fn(|at| format!("{} {}", operands[at].0, values[at]));
            format!("call {result} @{helper}({})", typed.join(", "))
        })
    }

    /// Returns whether an address may come from a null argument, so that it must be checked at each access.
    pub(crate) fn may_be_null(&self, pointer: u32) -> Result<bool> {
        let Some(variant) = self.program.options.variant.as_ref() else { return Ok(false) };
        if variant.null_arguments.is_empty() || self.is_of_group_or_work_item(pointer)? {
            return Ok(false);
        }
        let is_kernel = self.program.entry_of(self.span.id).is_some();
        let parameters = self.program.parameters(self.span.id)?;
        let is_there = |id: u32| {
            let place = parameters.iter().position(|parameter| parameter.id == id);
            let place = place.and_then(|place| u32::try_from(place).ok());
            is_kernel && place.is_some_and(|place| !variant.null_arguments.contains(&place))
        };
        // Addresses computed from variables and from the other arguments do not come from null pointers.
        let (mut seen, mut waiting) = (HashSet::new(), vec![pointer]);
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Some(inst) = self.program.index.definition(id) else { return Ok(true) };
            match inst.opcode {
                Op::FunctionParameter if is_there(id) => {}
                Op::Variable => {}
                Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain
                | Op::Bitcast
                | Op::PtrCastToGeneric
                | Op::GenericCastToPtr
                | Op::CopyObject => waiting.push(inst.operand(2)),
                Op::Select => waiting.extend([inst.operand(3), inst.operand(4)]),
                Op::Phi => waiting.extend(inst.operands.iter().skip(2).step_by(2)),
                _ => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Returns whether the type of an address shows that it is in local or private memory.
    fn is_of_group_or_work_item(&self, pointer: u32) -> Result<bool> {
        let ty = self.type_of(pointer)?;
        let (space, _) = self.program.types.pointer(ty)?;
        let class = self.program.index.definition(ty).and_then(|inst| inst.storage_class());
        Ok(space == AddressSpace::Shared || class == Some(StorageClass::Function))
    }
}
