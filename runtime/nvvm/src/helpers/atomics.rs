//! Atomic operations with order and scope.

use super::lanes::type_word;
use super::synchronize::Order;
use super::{Helpers, INLINE};
use crate::error::Step;

/// Where, how strongly and on what an atomic operation works.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    /// Address space.
    pub(crate) space: u32,
    pub(crate) order: Order,
    pub(crate) scope: &'static str,
    /// The value's type as LLVM spells it, and its bits.
    pub(crate) ty: String,
    pub(crate) bits: u32,
    pub(crate) float: bool,
}

impl Atomic {
    pub(super) fn name(&self, operation: &str) -> String {
        let space = match self.space {
            1 => "global",
            3 => "shared",
            _ => "generic",
        };
        format!(
            "__spirv_atomic_{operation}_{}_{space}_{}_{}",
            type_word(&self.ty),
            self.order.word(),
            self.scope
        )
    }

    pub(super) fn pointer(&self) -> String {
        match self.space {
            0 => format!("{}*", self.ty),
            space => format!("{} addrspace({space})*", self.ty),
        }
    }

    /// The space in the names of instructions.
    fn place(&self) -> &'static str {
        match self.space {
            1 => ".global",
            3 => ".shared",
            _ => "",
        }
    }

    /// The register of the value: its type and the constraint of inline assembly. Small values stand in 16 bits.
    fn register(&self) -> Step<(&'static str, char)> {
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

    /// Lines that turn a value into what its register holds, and back; and the names of the two.
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

    /// A fence before an operation that is sequentially consistent, and the order of the operation itself.
    fn ordered(&self, both: &'static str) -> (String, &'static str) {
        match self.order {
            Order::Relaxed => (String::new(), "relaxed"),
            Order::Acquire => (String::new(), if both == "release" { "relaxed" } else { "acquire" }),
            Order::Release => (String::new(), if both == "acquire" { "relaxed" } else { "release" }),
            Order::Both => (String::new(), both),
            Order::Sequential => {
                let fence =
                    format!("  call void asm sideeffect \"fence.sc.{};\", \"~{{memory}}\"()\n", self.scope);
                (fence, both)
            }
        }
    }
}

impl Helpers {
    /// The helper that loads: `T (T*)`.
    pub(crate) fn atomic_load(&mut self, of: &Atomic) -> Step<String> {
        let (register, constraint) = of.register()?;
        let name = of.name("load");
        let (ty, pointer) = (&of.ty, of.pointer());
        let (fence, order) = of.ordered("acquire");
        let (scope, place, kind) = (of.scope, of.place(), memory_kind(of));
        let back = of.to_value("%x", "%r");
        self.define(&name, |_| {
            format!(
                "define internal {ty} @{name}({pointer} %p) {INLINE} {{\n{fence}  %x = call {register} asm sideeffect \
                 \"ld.{order}.{scope}{place}.{kind} $0, [$1];\", \"={constraint},l,~{{memory}}\"({pointer} %p)\n{back}  \
                 ret {ty} %r\n}}\n"
            )
        });
        Ok(name)
    }

    /// The helper that stores: `void (T*, T)`.
    pub(crate) fn atomic_store(&mut self, of: &Atomic) -> Step<String> {
        let (register, constraint) = of.register()?;
        let name = of.name("store");
        let (ty, pointer) = (&of.ty, of.pointer());
        let (fence, order) = of.ordered("release");
        let (scope, place, kind) = (of.scope, of.place(), memory_kind(of));
        let load = of.to_register("%v", "%x");
        self.define(&name, |_| {
            format!(
                "define internal void @{name}({pointer} %p, {ty} %v) {INLINE} {{\n{fence}{load}  call void asm sideeffect \
                 \"st.{order}.{scope}{place}.{kind} [$0], $1;\", \"l,{constraint},~{{memory}}\"({pointer} %p, {register} %x)\n  \
                 ret void\n}}\n"
            )
        });
        Ok(name)
    }

    /// The helper that does an operation that PTX has: `T (T*, T)`. The name is SPIR-V's, the instruction PTX's with its type.
    pub(crate) fn atomic(&mut self, of: &Atomic, operation: &str, instruction: &str) -> Step<String> {
        if of.bits == 8 || of.bits == 16 && !of.float {
            return self.small_atomic(of, operation);
        }
        let (register, constraint) = of.register()?;
        let name = of.name(operation);
        let (ty, pointer) = (&of.ty, of.pointer());
        let (fence, order) = of.ordered("acq_rel");
        let (scope, place) = (of.scope, of.place());
        let (load, back) = (of.to_register("%v", "%x"), of.to_value("%y", "%r"));
        self.define(&name, |_| {
            format!(
                "define internal {ty} @{name}({pointer} %p, {ty} %v) {INLINE} {{\n{fence}{load}  \
                 %y = call {register} asm sideeffect \"atom.{order}.{scope}{place}.{instruction} $0, [$1], $2;\", \
                 \"={constraint},l,{constraint},~{{memory}}\"({pointer} %p, {register} %x)\n{back}  ret {ty} %r\n}}\n"
            )
        });
        Ok(name)
    }

    /// The helper that stores a value if another one is there: `T (T*, T value, T comparator)`.
    pub(crate) fn atomic_exchange_if(&mut self, of: &Atomic) -> Step<String> {
        if matches!(of.bits, 8 | 16) {
            return self.small_exchange_if(of);
        }
        let (register, constraint) = of.register()?;
        let name = of.name("compare_exchange");
        let (ty, pointer, bits) = (&of.ty, of.pointer(), of.bits);
        let (fence, order) = of.ordered("acq_rel");
        let (scope, place) = (of.scope, of.place());
        self.define(&name, |_| {
            format!(
                "define internal {ty} @{name}({pointer} %p, {ty} %v, {ty} %c) {INLINE} {{\n{fence}  \
                 %r = call {register} asm sideeffect \"atom.{order}.{scope}{place}.cas.b{bits} $0, [$1], $2, $3;\", \
                 \"={constraint},l,{constraint},{constraint},~{{memory}}\"({pointer} %p, {register} %c, {register} %v)\n  \
                 ret {ty} %r\n}}\n"
            )
        });
        Ok(name)
    }

    /// The helper for the least or greatest of floating-point numbers, which PTX lacks: `T (T*, T)`.
    pub(crate) fn atomic_float_limit(&mut self, of: &Atomic, operation: &str) -> Step<String> {
        let compare = if operation == "fmin" { "olt" } else { "ogt" };
        let bits = of.bits;
        let integer = Atomic { ty: format!("i{bits}"), float: false, ..of.clone() };
        let exchange = self.atomic_exchange_if(&integer)?;
        let read = self.atomic_load(&Atomic { order: Order::Relaxed, ..integer.clone() })?;
        let name = of.name(operation);
        let (ty, pointer, words) = (&of.ty, of.pointer(), integer.pointer());
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

/// The type of a load or store.
fn memory_kind(of: &Atomic) -> String {
    match (of.float, of.bits) {
        (true, 32 | 64) => format!("f{}", of.bits),
        (_, bits) => format!("u{bits}"),
    }
}
