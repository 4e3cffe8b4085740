//! Atomic operations on 8 and 16 bits, which PTX lacks, by compare-and-swap of the containing 32-bit word.

use super::Helpers;
use super::atomics::{AtomicOperation, AtomicPlace};
use super::synchronize::MemoryOrder;
use crate::error::Result;

impl Helpers {
    /// Defines the helper for an operation, named as in SPIR-V: `T (T*, T)`.
    pub(super) fn small_atomic(&mut self, place: &AtomicPlace, operation: AtomicOperation) -> Result<String> {
        let ty = &place.ty;
        let choose = |order: &str| {
            format!("  %c = icmp {order} {ty} %v, %own\n  %new = select i1 %c, {ty} %v, {ty} %own\n")
        };
        let plain = |instruction: &str| format!("  %new = {instruction} {ty} %own, %v\n");
        let lines = match operation {
            AtomicOperation::Exchange => format!("  %new = or {ty} %v, 0\n"),
            AtomicOperation::IAdd => plain("add"),
            AtomicOperation::And => plain("and"),
            AtomicOperation::Or => plain("or"),
            AtomicOperation::Xor => plain("xor"),
            AtomicOperation::SMin => choose("slt"),
            AtomicOperation::UMin => choose("ult"),
            AtomicOperation::SMax => choose("sgt"),
            AtomicOperation::UMax => choose("ugt"),
            AtomicOperation::FAdd | AtomicOperation::FMin | AtomicOperation::FMax => {
                let (name, bits) = (operation.name(), place.bits);
                return Err(format!("atomic {name} on {bits} bits is not supported on CUDA").into());
            }
        };
        self.in_word(place, operation.name(), &format!("{ty} %v"), &lines)
    }

    /// Defines the helper for compare-and-exchange: `T (T*, T value, T comparator)`. If the comparison fails, it writes
    /// the old value back, so that the operation is ordered in both cases.
    pub(super) fn small_compare_exchange(&mut self, place: &AtomicPlace) -> Result<String> {
        let ty = &place.ty;
        let lines = format!("  %is = icmp eq {ty} %own, %c\n  %new = select i1 %is, {ty} %v, {ty} %own\n");
        self.in_word(place, "compare_exchange", &format!("{ty} %v, {ty} %c"), &lines)
    }

    /// Defines the helper that replaces `%own` by the `%new` that these lines compute.
    fn in_word(
        &mut self,
        place: &AtomicPlace,
        operation: &str,
        parameters: &str,
        lines: &str,
    ) -> Result<String> {
        let word = AtomicPlace { ty: "i32".to_owned(), bits: 32, float: false, ..place.clone() };
        let exchange = self.atomic_compare_exchange(&word)?;
        let read = self.atomic_load(&AtomicPlace { order: MemoryOrder::Relaxed, ..word.clone() })?;
        let name = place.name(operation);
        let (ty, pointer, words, mask) =
            (&place.ty, place.pointer(), word.pointer(), (1_u32 << place.bits) - 1);
        self.define(&name, |_| {
            format!(
                "define internal {ty} @{name}({pointer} %p, {parameters}) convergent nounwind {{\nentry:\n  \
                 %a = ptrtoint {pointer} %p to i64\n  %b = and i64 %a, -4\n  %w = inttoptr i64 %b to {words}\n  \
                 %i = trunc i64 %a to i32\n  %o = and i32 %i, 3\n  %s = shl i32 %o, 3\n  %m = shl i32 {mask}, %s\n  \
                 %others = xor i32 %m, -1\n  %first = call i32 @{read}({words} %w)\n  br label %loop\nloop:\n  \
                 %old = phi i32 [ %first, %entry ], [ %seen, %loop ]\n  %shifted = lshr i32 %old, %s\n  \
                 %own = trunc i32 %shifted to {ty}\n{lines}  %wide = zext {ty} %new to i32\n  %placed = shl i32 %wide, %s\n  \
                 %kept = and i32 %old, %others\n  %whole = or i32 %kept, %placed\n  \
                 %seen = call i32 @{exchange}({words} %w, i32 %whole, i32 %old)\n  %same = icmp eq i32 %seen, %old\n  \
                 br i1 %same, label %done, label %loop\ndone:\n  ret {ty} %own\n}}\n"
            )
        });
        Ok(name)
    }
}
