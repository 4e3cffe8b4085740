//! Loads, stores, copies and local variables.

use sycl_pi_image::spirv::{MemoryAccess, StorageClass};

use crate::code::body::{Body, emit};
use crate::error::Result;
use crate::signature::power_of_two;
use crate::types::{AddressSpace, TypeKind};

/// A size in bytes.
pub(crate) struct Size {
    /// The spelling of its type.
    ty: String,
    value: String,
}

/// A pointer to bytes.
pub(crate) struct BytePointer {
    pub(crate) value: String,
    pub(crate) space: AddressSpace,
}

impl BytePointer {
    /// The spelling of its type.
    pub(crate) fn ty(&self) -> String {
        self.space.pointer_to("i8")
    }
}

impl Body<'_, '_> {
    pub(crate) fn copy_object_in_memory(&mut self) -> Result<()> {
        let (_, pointee) = self.program.types.pointer(self.type_of(self.operand(0))?)?;
        let size = self.program.types.layout(pointee)?.size;
        self.copy_memory(&Size { ty: "i64".to_owned(), value: size.to_string() }, 2)
    }

    pub(crate) fn copy_memory_sized(&mut self) -> Result<()> {
        let size = self.size(self.operand(2))?;
        self.copy_memory(&size, 3)
    }

    /// Interprets a value as a size in bytes.
    pub(crate) fn size(&self, id: u32) -> Result<Size> {
        let ty = self.type_of(id)?;
        match self.kind(ty)? {
            TypeKind::Int(_) => Ok(Size { ty: self.type_text(ty)?.to_owned(), value: self.value(id)? }),
            _ => Err("a size is an integer".into()),
        }
    }

    /// Returns the alignment, and whether the access is volatile, from the memory operands at an index.
    fn access(&self, at: usize) -> (Option<u64>, bool) {
        let access = MemoryAccess::from_bits_retain(self.operand(at));
        let align =
            access.contains(MemoryAccess::ALIGNED).then(|| self.operand(at + 1)).filter(|&align| align != 0);
        (align.map(|align| power_of_two(align.into())), access.contains(MemoryAccess::VOLATILE))
    }

    pub(crate) fn variable(&mut self) -> Result<()> {
        let ty = self.result_type();
        if self.inst.storage_class() != Some(StorageClass::Function) {
            return Err("a variable in a function has the storage class Function".into());
        }
        let (_, pointee) = self.program.types.pointer(ty)?;
        let align = self.program.types.layout(pointee)?.align;
        let align = align.max(self.decorated_alignment().map_or(1, power_of_two));
        let text = self.type_text(pointee)?.to_owned();
        self.set_result(format_args!("alloca {text}, align {align}"));
        if let Some(&initial) = self.inst.operands.get(3) {
            let (value, ty, result) = (self.typed(initial)?, self.type_text(ty)?.to_owned(), self.result());
            emit!(self, "store {value}, {ty} {result}, align {align}");
        }
        Ok(())
    }

    pub(crate) fn load(&mut self) -> Result<()> {
        let from = self.operand(2);
        if let Some(pointer) = self.builtin_pointer(from) {
            return self.load_builtin(&pointer);
        }
        let pointer = self.type_of(from)?;
        let (_, pointee) = self.program.types.pointer(pointer)?;
        let ty = self.type_text(self.result_type())?.to_owned();
        if self.type_text(pointee)? != ty {
            return Err("the pointer and the result have different types".into());
        }
        let (align, volatile) = self.access(3);
        let (volatile, align) = (if volatile { "volatile " } else { "" }, align_text(align));
        let (address_type, address) = (self.type_text(pointer)?.to_owned(), self.value(from)?);
        let text = self.access_memory(from, &ty, [(&address_type, &address)], |[address]| {
            format!("load {volatile}{ty}, {address_type} {address}{align}")
        })?;
        self.set_result(format_args!("{text}"));
        Ok(())
    }

    pub(crate) fn store(&mut self) -> Result<()> {
        let (to, value) = (self.operand(0), self.operand(1));
        let (_, pointee) = self.program.types.pointer(self.type_of(to)?)?;
        if self.type_text(pointee)? != self.type_text(self.type_of(value)?)? {
            return Err("the pointer and the value have different types".into());
        }
        let (align, volatile) = self.access(2);
        let (volatile, align) = (if volatile { "volatile " } else { "" }, align_text(align));
        let [to_type, value_type] = [self.type_of(to)?, self.type_of(value)?];
        let (to_type, value_type) =
            (self.type_text(to_type)?.to_owned(), self.type_text(value_type)?.to_owned());
        let (address, value) = (self.value(to)?, self.value(value)?);
        self.store_value(to, (&value_type, &value), (&to_type, &address), (volatile, &align))
    }

    /// Copies memory from the second operand to the first.
    fn copy_memory(&mut self, size: &Size, access_at: usize) -> Result<()> {
        let (to, from) = (self.operand(0), self.operand(1));
        let (align, volatile) = self.access(access_at);
        self.copy_bytes("memcpy", to, from, size, align.unwrap_or(1), volatile)
    }

    /// Calls `llvm.memcpy` or `llvm.memmove`.
    pub(crate) fn copy_bytes(
        &mut self,
        name: &str,
        to: u32,
        from: u32,
        size: &Size,
        align: u64,
        volatile: bool,
    ) -> Result<()> {
        // libnvvm 12.9 reports "unsupported operation" for a copy of halves to private memory that is aligned to 16
        // bytes.
        let align =
            if self.points_to_halves(to)? || self.points_to_halves(from)? { align.min(8) } else { align };
        let [to_bytes, from_bytes] = [self.bytes_at(to)?, self.bytes_at(from)?];
        let (to_type, from_type) = (to_bytes.ty(), from_bytes.ty());
        let (to_space, from_space) = (to_bytes.space.number(), from_bytes.space.number());
        let Size { ty: size_type, value: size } = size;
        let function = format!("llvm.{name}.p{to_space}i8.p{from_space}i8.{size_type}");
        self.helpers.declare(
            "void",
            &function,
            &format!("{to_type} nocapture, {from_type} nocapture, {size_type}, i1"),
            "argmemonly nounwind",
        );
        let copy = |[to, from, size]: [&str; 3]| {
            format!(
                "call void @{function}({to_type} align {align} {to}, {from_type} align {align} {from}, {size_type} {size}, \
                 i1 {volatile})"
            )
        };
        let mut unless_from_null = None;
        if self.may_be_null(from)? {
            // A copy from a null pointer reads zeros.
            let clear = format!("llvm.memset.p{to_space}i8.{size_type}");
            let parameters = format!("{to_type} nocapture, i8, {size_type}, i1");
            self.helpers.declare("void", &clear, &parameters, "argmemonly nounwind");
            let clear = |[_, to, size]: [&str; 3]| {
                format!(
                    "call void @{clear}({to_type} align {align} {to}, i8 0, {size_type} {size}, i1 {volatile})"
                )
            };
            let types = [&*from_type, &*to_type, &**size_type];
            unless_from_null =
                Some(self.helpers.guard("void", types, |[from, to, size]| copy([to, from, size]), clear));
        }
        let operands =
            [(&*to_type, &*to_bytes.value), (&*from_type, &*from_bytes.value), (&**size_type, &**size)];
        let text = self.access_memory(to, "void", operands, |[to, from, size]| match &unless_from_null {
            Some(helper) => {
                format!("call void @{helper}({from_type} {from}, {to_type} {to}, {size_type} {size})")
            }
            None => copy([to, from, size]),
        })?;
        emit!(self, "{text}");
        Ok(())
    }

    /// Calls `llvm.memset`.
    pub(crate) fn fill_bytes(&mut self, to: u32, bytes: &BytePointer, byte: &str, size: &Size) -> Result<()> {
        let (ty, Size { ty: size_type, value: size }) = (bytes.ty(), size);
        let function = format!("llvm.memset.p{}i8.{size_type}", bytes.space.number());
        self.helpers.declare(
            "void",
            &function,
            &format!("{ty} nocapture, i8, {size_type}, i1"),
            "argmemonly nounwind",
        );
        let operands = [(&*ty, &*bytes.value), ("i8", byte), (&**size_type, &**size)];
        let text = self.access_memory(to, "void", operands, |[to, byte, size]| {
            format!("call void @{function}({ty} {to}, i8 {byte}, {size_type} {size}, i1 false)")
        })?;
        emit!(self, "{text}");
        Ok(())
    }

    fn points_to_halves(&self, pointer: u32) -> Result<bool> {
        let (_, pointee) = self.program.types.pointer(self.type_of(pointer)?)?;
        Ok(self.program.types.has(pointee, |kind| matches!(kind, TypeKind::Float(16))))
    }

    /// Casts a pointer to a pointer to bytes.
    pub(crate) fn bytes_at(&mut self, id: u32) -> Result<BytePointer> {
        let (space, _) = self.program.types.pointer(self.type_of(id)?)?;
        let ty = space.pointer_to("i8");
        let typed = self.typed(id)?;
        Ok(BytePointer { value: self.new_value(format_args!("bitcast {typed} to {ty}")), space })
    }
}

/// Returns the text of an access's alignment, which follows the access.
fn align_text(align: Option<u64>) -> String {
    align.map(|align| format!(", align {align}")).unwrap_or_default()
}
