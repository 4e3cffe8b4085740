//! Atomic operations with order and scope.

use super::lanes::type_word;
use super::synchronize::MemoryOrder;
use super::{Helpers, INLINE};
use crate::error::Result;
use crate::types::AddressSpace;

/// An atomic operation that modifies memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicOperation {
    Exchange,
    IAdd,
    SMin,
    UMin,
    SMax,
    UMax,
    And,
    Or,
    Xor,
    FAdd,
    FMin,
    FMax,
}

impl AtomicOperation {
    /// Returns its name in the names of helpers, which is SPIR-V's.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Exchange => "exchange",
            Self::IAdd => "iadd",
            Self::SMin => "smin",
            Self::UMin => "umin",
            Self::SMax => "smax",
            Self::UMax => "umax",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::FAdd => "fadd",
            Self::FMin => "fmin",
            Self::FMax => "fmax",
        }
    }

    /// Returns PTX's operation with its type.
    fn instruction(self, bits: u32) -> String {
        match self {
            Self::Exchange => format!("exch.b{bits}"),
            Self::IAdd => format!("add.u{bits}"),
            Self::SMin => format!("min.s{bits}"),
            Self::UMin => format!("min.u{bits}"),
            Self::SMax => format!("max.s{bits}"),
            Self::UMax => format!("max.u{bits}"),
            Self::And => format!("and.b{bits}"),
            Self::Or => format!("or.b{bits}"),
            Self::Xor => format!("xor.b{bits}"),
            Self::FAdd if bits == 16 => "add.noftz.f16".to_owned(),
            Self::FAdd => format!("add.f{bits}"),
            Self::FMin => format!("min.f{bits}"),
            Self::FMax => format!("max.f{bits}"),
        }
    }
}

/// The kind of memory access of an atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Write,
    ReadAndWrite,
}

/// The memory, ordering and type of an atomic operation.
#[derive(Clone, Debug)]
pub(crate) struct AtomicPlace {
    pub(crate) space: AddressSpace,
    pub(crate) order: MemoryOrder,
    pub(crate) scope: &'static str,
    /// The spelling of the value's type in LLVM.
    pub(crate) ty: String,
    pub(crate) bits: u32,
    pub(crate) float: bool,
}

impl AtomicPlace {
    /// Returns the same memory accessed as an integer.
    pub(crate) fn as_integer(&self) -> Self {
        Self { ty: format!("i{}", self.bits), float: false, ..self.clone() }
    }

    pub(super) fn name(&self, operation: &str) -> String {
        let space = match self.space {
            AddressSpace::Global => "global",
            AddressSpace::Shared => "shared",
            AddressSpace::Generic => "generic",
        };
        format!(
            "__spirv_atomic_{operation}_{}_{space}_{}_{}",
            type_word(&self.ty),
            self.order.word(),
            self.scope
        )
    }

    /// Returns the type of the pointer.
    pub(crate) fn pointer(&self) -> String {
        self.space.pointer_to(&self.ty)
    }

    /// Returns the suffix for the address space in instruction names.
    fn space_suffix(&self) -> &'static str {
        match self.space {
            AddressSpace::Global => ".global",
            AddressSpace::Shared => ".shared",
            AddressSpace::Generic => "",
        }
    }

    /// Returns the type and the constraint of the value's register in inline assembly. Small values are held in 16
    /// bits.
    fn register(&self) -> Result<(&'static str, char)> {
        Ok(match (self.float, self.bits) {
            (true, 32) => ("float", 'f'),
            (true, 64) => ("double", 'd'),
            (_, 8 | 16) => ("i16", 'h'),
            (_, 32) => ("i32", 'r'),
            (_, 64) => ("i64", 'l'),
            (_, bits) => {
                return Err(format!("atomic operations on {bits} bits are not supported on CUDA").into());
            }
        })
    }

    /// Returns the lines that convert a value to the contents of its register; `from` and `to` are the names.
    fn to_register(&self, from: &str, to: &str) -> String {
        match (self.float, self.bits) {
            (true, 16) => format!("  {to} = bitcast half {from} to i16\n"),
            (_, 8) => format!("  {to} = zext i8 {from} to i16\n"),
            _ => format!("  {to} = bitcast {0} {from} to {0}\n", self.ty),
        }
    }

    fn to_value(&self, from: &str, to: &str) -> String {
        match (self.float, self.bits) {
            (true, 16) => format!("  {to} = bitcast i16 {from} to half\n"),
            (_, 8) => format!("  {to} = trunc i16 {from} to i8\n"),
            _ => format!("  {to} = bitcast {0} {from} to {0}\n", self.ty),
        }
    }

    /// Returns the fence before a sequentially consistent operation, and the order of the operation itself.
    fn ordered(&self, access: Access) -> (String, &'static str) {
        let strongest = match access {
            Access::Read => "acquire",
            Access::Write => "release",
            Access::ReadAndWrite => "acq_rel",
        };
        match self.order {
            MemoryOrder::Relaxed => (String::new(), "relaxed"),
            MemoryOrder::Acquire if access == Access::Write => (String::new(), "relaxed"),
            MemoryOrder::Acquire => (String::new(), "acquire"),
            MemoryOrder::Release if access == Access::Read => (String::new(), "relaxed"),
            MemoryOrder::Release => (String::new(), "release"),
            MemoryOrder::AcquireRelease => (String::new(), strongest),
            MemoryOrder::SequentiallyConsistent => {
                let fence =
                    format!("  call void asm sideeffect \"fence.sc.{};\", \"~{{memory}}\"()\n", self.scope);
                (fence, strongest)
            }
        }
    }
}

impl Helpers {
    /// Defines the helper that loads: `T (T*)`.
    pub(crate) fn atomic_load(&mut self, place: &AtomicPlace) -> Result<String> {
        let (register, constraint) = place.register()?;
        let name = place.name("load");
        let (ty, pointer) = (&place.ty, place.pointer());
        let (fence, order) = place.ordered(Access::Read);
        let (scope, space, kind) = (place.scope, place.space_suffix(), memory_kind(place));
        let back = place.to_value("%x", "%r");
        self.define(&name, |_| {
            format!(
                "define internal {ty} @{name}({pointer} %p) {INLINE} {{\n{fence}  %x = call {register} asm sideeffect \
                 \"ld.{order}.{scope}{space}.{kind} $0, [$1];\", \"={constraint},l,~{{memory}}\"({pointer} %p)\n{back}  \
                 ret {ty} %r\n}}\n"
            )
        });
        Ok(name)
    }

    /// Defines the helper that stores: `void (T*, T)`.
    pub(crate) fn atomic_store(&mut self, place: &AtomicPlace) -> Result<String> {
        let (register, constraint) = place.register()?;
        let name = place.name("store");
        let (ty, pointer) = (&place.ty, place.pointer());
        let (fence, order) = place.ordered(Access::Write);
        let (scope, space, kind) = (place.scope, place.space_suffix(), memory_kind(place));
        let load = place.to_register("%v", "%x");
        self.define(&name, |_| {
            format!(
                "define internal void @{name}({pointer} %p, {ty} %v) {INLINE} {{\n{fence}{load}  call void asm sideeffect \
                 \"st.{order}.{scope}{space}.{kind} [$0], $1;\", \"l,{constraint},~{{memory}}\"({pointer} %p, {register} %x)\n  \
                 ret void\n}}\n"
            )
        });
        Ok(name)
    }

    /// Defines the helper for an operation that PTX has: `T (T*, T)`.
    pub(crate) fn atomic(&mut self, place: &AtomicPlace, operation: AtomicOperation) -> Result<String> {
        if place.bits == 8 || place.bits == 16 && !place.float {
            return self.small_atomic(place, operation);
        }
        let (register, constraint) = place.register()?;
        let name = place.name(operation.name());
        let instruction = operation.instruction(place.bits);
        let (ty, pointer) = (&place.ty, place.pointer());
        let (fence, order) = place.ordered(Access::ReadAndWrite);
        let (scope, space) = (place.scope, place.space_suffix());
        let (load, back) = (place.to_register("%v", "%x"), place.to_value("%y", "%r"));
        self.define(&name, |_| {
            format!(
                "define internal {ty} @{name}({pointer} %p, {ty} %v) {INLINE} {{\n{fence}{load}  \
                 %y = call {register} asm sideeffect \"atom.{order}.{scope}{space}.{instruction} $0, [$1], $2;\", \
                 \"={constraint},l,{constraint},~{{memory}}\"({pointer} %p, {register} %x)\n{back}  ret {ty} %r\n}}\n"
            )
        });
        Ok(name)
    }

    /// Defines the helper for compare-and-exchange: `T (T*, T value, T comparator)`.
    pub(crate) fn atomic_compare_exchange(&mut self, place: &AtomicPlace) -> Result<String> {
        if matches!(place.bits, 8 | 16) {
            return self.small_compare_exchange(place);
        }
        let (register, constraint) = place.register()?;
        let name = place.name("compare_exchange");
        let (ty, pointer, bits) = (&place.ty, place.pointer(), place.bits);
        let (fence, order) = place.ordered(Access::ReadAndWrite);
        let (scope, space) = (place.scope, place.space_suffix());
        self.define(&name, |_| {
            format!(
                "define internal {ty} @{name}({pointer} %p, {ty} %v, {ty} %c) {INLINE} {{\n{fence}  \
                 %r = call {register} asm sideeffect \"atom.{order}.{scope}{space}.cas.b{bits} $0, [$1], $2, $3;\", \
                 \"={constraint},l,{constraint},{constraint},~{{memory}}\"({pointer} %p, {register} %c, {register} %v)\n  \
                 ret {ty} %r\n}}\n"
            )
        });
        Ok(name)
    }

    /// Defines the helper for the minimum or maximum of floating-point numbers, which PTX lacks: `T (T*, T)`. A value
    /// for which `compare` holds is stored.
    pub(crate) fn atomic_float_limit(
        &mut self,
        place: &AtomicPlace,
        operation: AtomicOperation,
        compare: &str,
    ) -> Result<String> {
        let bits = place.bits;
        let integer = place.as_integer();
        let exchange = self.atomic_compare_exchange(&integer)?;
        let read = self.atomic_load(&AtomicPlace { order: MemoryOrder::Relaxed, ..integer.clone() })?;
        let name = place.name(operation.name());
        let (ty, pointer, words) = (&place.ty, place.pointer(), integer.pointer());
        self.define(&name, |_| {
            format!(
                "define internal {ty} @{name}({pointer} %p, {ty} %v) convergent nounwind {{\nentry:\n  \
                 %w = bitcast {pointer} %p to {words}\n  %n = bitcast {ty} %v to i{bits}\n  \
                 %first = call i{bits} @{read}({words} %w)\n  br label %loop\nloop:\n  \
                 %old = phi i{bits} [ %first, %entry ], [ %seen, %again ]\n  %f = bitcast i{bits} %old to {ty}\n  \
                 %less = fcmp {compare} {ty} %v, %f\n  %none = fcmp uno {ty} %f, %f\n  %take = or i1 %less, %none\n  \
                 %new = select i1 %take, i{bits} %n, i{bits} %old\n  br label %again\nagain:\n  \
                 %seen = call i{bits} @{exchange}({words} %w, i{bits} %new, i{bits} %old)\n  \
                 %same = icmp eq i{bits} %seen, %old\n  br i1 %same, label %done, label %loop\ndone:\n  \
                 %r = bitcast i{bits} %seen to {ty}\n  ret {ty} %r\n}}\n"
            )
        });
        Ok(name)
    }
}

/// Returns the type of a load or store.
fn memory_kind(place: &AtomicPlace) -> String {
    match (place.float, place.bits) {
        (true, 32 | 64) => format!("f{}", place.bits),
        (_, bits) => format!("u{bits}"),
    }
}
