//! Addresses: chains of indices, casts, differences.

use std::fmt::Write;

use sycl_pi_image::spirv::MemorySemantics;

use crate::code::body::{Body, emit};
use crate::code::builtin_pointer::{BuiltinPlace, BuiltinPointer};
use crate::error::Result;
use crate::types::{AddressSpace, TypeKind};

impl Body<'_, '_> {
    /// Translates the address of a part of a pointer's pointee.
    pub(crate) fn access_chain(&mut self) -> Result<()> {
        self.chain(true)
    }

    /// Translates an access chain whose pointer is first moved by elements.
    pub(crate) fn pointer_access_chain(&mut self) -> Result<()> {
        self.chain(false)
    }

    /// Converts a pointer to an integer or an integer to a pointer.
    pub(crate) fn convert_pointer(&mut self, operation: &str) -> Result<()> {
        let (value, ty) = (self.typed(self.operand(2))?, self.type_text(self.result_type())?.to_owned());
        self.set_result(format_args!("{operation} {value} to {ty}"));
        Ok(())
    }

    /// Returns the address in a built-in variable to which an id refers.
    pub(crate) fn builtin_pointer(&self, id: u32) -> Option<BuiltinPointer> {
        let whole = |number: &u32| BuiltinPointer { number: *number, at: BuiltinPlace::Bytes(0) };
        self.builtin_pointers.get(&id).cloned().or_else(|| self.program.builtins.get(&id).map(whole))
    }

    fn chain(&mut self, first_is_zero: bool) -> Result<()> {
        let base = self.operand(2);
        let indices = self.inst.operands.get(3..).unwrap_or_default();
        if let Some(pointer) = self.builtin_pointer(base) {
            let moved = self.builtin_chain(pointer, base, indices, first_is_zero)?;
            self.builtin_pointers.insert(self.operand(1), moved);
            return Ok(());
        }
        let (_, pointee) = self.program.types.pointer(self.type_of(base)?)?;
        let (source, typed) = (self.type_text(pointee)?.to_owned(), self.typed(base)?);
        let mut text = format!("getelementptr inbounds {source}, {typed}");
        if first_is_zero {
            text.push_str(", i32 0");
        }
        let mut ty = pointee;
        for (place, &index) in indices.iter().enumerate() {
            if place == 0 && !first_is_zero {
                let _ = write!(text, ", {}", self.typed(index)?);
                continue;
            }
            ty = match *self.kind(ty)? {
                TypeKind::Struct { .. } => {
                    let number =
                        self.number(index).ok_or("a member of a structure is not chosen by a constant")?;
                    let _ = write!(text, ", i32 {number}");
                    self.part(ty, number)?
                }
                TypeKind::Array { element, .. }
                | TypeKind::Vector { element, .. }
                | TypeKind::Matrix { element, .. } => {
                    let _ = write!(text, ", {}", self.typed(index)?);
                    element
                }
                _ => return Err("an index goes into something that has no parts".into()),
            };
        }
        let (_, target) = self.program.types.pointer(self.result_type())?;
        if self.type_text(ty)? != self.type_text(target)? {
            return Err("the result's type is not that of the part".into());
        }
        self.set_result(format_args!("{text}"));
        Ok(())
    }

    /// Applies indices to an address in a built-in variable. The variable is a vector or a scalar; the pointer's type
    /// may be that of a scalar or of bytes.
    fn builtin_chain(
        &mut self,
        from: BuiltinPointer,
        base: u32,
        indices: &[u32],
        first_is_zero: bool,
    ) -> Result<BuiltinPointer> {
        let unclear = "the address in a built-in variable is not clear";
        let (_, mut ty) = self.program.types.pointer(self.type_of(base)?)?;
        let BuiltinPlace::Bytes(mut bytes) = from.at else { return Err(unclear.into()) };
        for (place, &index) in indices.iter().enumerate() {
            if place > 0 || first_is_zero {
                ty = self.program.types.scalar(ty)?.0;
            }
            let size = self.program.types.layout(ty)?.size;
            match self.number(index) {
                Some(number) => {
                    let more = number.checked_mul(size).and_then(|more| bytes.checked_add(more));
                    bytes = more.ok_or(unclear)?;
                }
                None if bytes == 0
                    && place + 1 == indices.len()
                    && matches!(self.kind(ty)?, TypeKind::Int(32 | 64)) =>
                {
                    let at = BuiltinPlace::Value(self.typed(index)?);
                    return Ok(BuiltinPointer { number: from.number, at });
                }
                None => return Err(unclear.into()),
            }
        }
        Ok(BuiltinPointer { number: from.number, at: BuiltinPlace::Bytes(bytes) })
    }

    /// Casts a value or pointer to another type.
    pub(crate) fn cast(&mut self) -> Result<()> {
        let from = self.operand(2);
        if let Some(pointer) = self.builtin_pointer(from) {
            self.builtin_pointers.insert(self.operand(1), pointer);
            return Ok(());
        }
        let (have, want) = (self.type_of(from)?, self.result_type());
        let operation = match (self.kind(have)?, self.kind(want)?) {
            (TypeKind::Pointer { space: a, .. }, TypeKind::Pointer { space: b, .. }) if a != b => {
                if *a != AddressSpace::Generic && *b != AddressSpace::Generic {
                    return Err("a pointer cannot be cast from one storage class to another".into());
                }
                "addrspacecast"
            }
            (TypeKind::Pointer { .. } | TypeKind::FunctionPointer, TypeKind::Int(_)) => "ptrtoint",
            (TypeKind::Int(_), TypeKind::Pointer { .. } | TypeKind::FunctionPointer) => "inttoptr",
            (TypeKind::Struct { .. } | TypeKind::Array { .. }, _)
            | (_, TypeKind::Struct { .. } | TypeKind::Array { .. }) => {
                return Err("structures and arrays cannot be cast".into());
            }
            _ => "bitcast",
        };
        let (value, ty) = (self.typed(from)?, self.type_text(want)?.to_owned());
        self.set_result(format_args!("{operation} {value} to {ty}"));
        Ok(())
    }

    /// Casts a generic pointer to a storage class; the result is null if it does not point there.
    pub(crate) fn cast_if_it_is(&mut self) -> Result<()> {
        let from = self.operand(2);
        let (space, _) = self.program.types.pointer(self.result_type())?;
        let (value, ty) = (self.typed(from)?, self.type_text(self.result_type())?.to_owned());
        let bytes = self.new_value(format_args!("bitcast {value} to i8*"));
        let is_inside = self.is_inside(space, &bytes);
        let operation = if space == AddressSpace::Generic { "bitcast" } else { "addrspacecast" };
        let cast = self.new_value(format_args!("{operation} {value} to {ty}"));
        self.set_result(format_args!("select i1 {is_inside}, {ty} {cast}, {ty} null"));
        Ok(())
    }

    /// Returns whether a generic pointer to bytes points into a kind of memory. The generic kind stands for private
    /// memory.
    fn is_inside(&mut self, space: AddressSpace, bytes: &str) -> String {
        let name = match space {
            AddressSpace::Global => "global",
            AddressSpace::Shared => "shared",
            AddressSpace::Generic => "local",
        };
        let intrinsic = format!("llvm.nvvm.isspacep.{name}");
        let helper = format!("__spirv_is_{name}");
        self.helpers.define(&helper, |all| {
            all.declare("i1", &intrinsic, "i8*", "nounwind readnone");
            format!(
                "define internal i1 @{helper}(i8* %p) alwaysinline nounwind {{\n  %r = call i1 @{intrinsic}(i8* %p)\n  ret i1 %r\n}}\n"
            )
        });
        self.new_value(format_args!("call i1 @{helper}(i8* {bytes})"))
    }

    /// Returns the memory semantics of a generic pointer's target, as OpenCL C's `get_fence` does. Private memory has
    /// none.
    pub(crate) fn semantics_of_memory(&mut self) -> Result<()> {
        let pointer = self.operand(2);
        let (space, _) = self.program.types.pointer(self.type_of(pointer)?)?;
        if space != AddressSpace::Generic || self.int_bits(self.result_type())? != 32 {
            return Err("the semantics of a generic pointer are an integer of 32 bits".into());
        }
        let value = self.typed(pointer)?;
        let bytes = self.new_value(format_args!("bitcast {value} to i8*"));
        let [group, own] =
            [AddressSpace::Shared, AddressSpace::Generic].map(|space| self.is_inside(space, &bytes));
        let (global_bits, group_bits) =
            (MemorySemantics::CROSS_WORKGROUP_MEMORY.bits(), MemorySemantics::WORKGROUP_MEMORY.bits());
        let shared = self.new_value(format_args!("select i1 {own}, i32 0, i32 {global_bits}"));
        self.set_result(format_args!("select i1 {group}, i32 {group_bits}, i32 {shared}"));
        Ok(())
    }

    /// Returns the distance of two pointers, in elements.
    pub(crate) fn pointer_difference(&mut self) -> Result<()> {
        let (a, b) = (self.operand(2), self.operand(3));
        let (_, pointee) = self.program.types.pointer(self.type_of(a)?)?;
        let size = self.program.types.layout(pointee)?.size.max(1);
        let (ty, bits) = (self.type_text(self.result_type())?.to_owned(), self.int_bits(self.result_type())?);
        let (a, b) = (self.typed(a)?, self.typed(b)?);
        let a = self.new_value(format_args!("ptrtoint {a} to i64"));
        let b = self.new_value(format_args!("ptrtoint {b} to i64"));
        let bytes = self.new_value(format_args!("sub i64 {a}, {b}"));
        let count = self.new_value(format_args!("sdiv exact i64 {bytes}, {size}"));
        let result = self.result();
        match bits {
            64 => emit!(self, "{result} = add i64 {count}, 0"),
            0..64 => emit!(self, "{result} = trunc i64 {count} to {ty}"),
            _ => emit!(self, "{result} = sext i64 {count} to {ty}"),
        }
        Ok(())
    }
}
