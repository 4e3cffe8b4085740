//! Exchanges between the work-items of a sub-group: votes and shuffles. Each takes the mask of the participants.
//!
//! Lanes and masks are relative to the sub-group's first work-item; only the instructions themselves are relative to
//! the warp's. Two sub-groups of a warp may be in different branches, so neither may name a lane of the other.

use super::{Helpers, INLINE};
use crate::subgroup_size::SubgroupSize;

/// The lane from which a shuffle reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    /// The lane with this number.
    Index,
    /// The lane this many below, or the current lane if there is none.
    Up,
    /// The lane this many above, or the current lane if there is none.
    Down,
    /// The lane whose number differs in these bits.
    Xor,
}

/// A scalar type whose values work-items exchange.
#[derive(Clone, Debug)]
pub(crate) struct ExchangedType {
    /// LLVM's spelling.
    pub(crate) text: String,
    pub(crate) bits: u32,
    pub(crate) is_pointer: bool,
}

impl Helpers {
    /// Defines the helper that returns the mask of the work-items in the sub-group.
    pub(crate) fn subgroup_mask(&mut self, size: SubgroupSize) -> String {
        let name = format!("__spirv_subgroup{size}_mask");
        self.define(&name, |all| {
            let items = all.subgroup_items(size);
            format!(
                "define internal i32 @{name}() {INLINE} {{\n  %n = call i32 @{items}()\n  %u = sub i32 32, %n\n  \
                 %r = lshr i32 -1, %u\n  ret i32 %r\n}}\n"
            )
        });
        name
    }

    /// Defines the helper that returns the active mask.
    pub(crate) fn active_mask(&mut self, size: SubgroupSize) -> String {
        let name = format!("__spirv_active_mask{size}");
        self.define(&name, |all| {
            let (raw, lines) = all.bits_from_warp(size);
            format!(
                "define internal i32 @{name}() {INLINE} {{\n  \
                 {raw} = call i32 asm sideeffect \"activemask.b32 $0;\", \"=r\"() convergent\n{lines}  ret i32 %r\n}}\n"
            )
        });
        name
    }

    /// Shifts a mask `%m` to the warp's lanes: returns the lines that do it, and the result's name.
    pub(super) fn mask_to_warp(&mut self, size: SubgroupSize) -> (String, &'static str) {
        if size == SubgroupSize::Warp {
            return (String::new(), "%m");
        }
        let first = self.first_lane(size);
        (format!("  %first = call i32 @{first}()\n  %w = shl i32 %m, %first\n"), "%w")
    }

    /// Shifts bits of the warp's lanes to `%r`, those of the sub-group's lanes: returns the name of the input, and the
    /// lines that do it.
    fn bits_from_warp(&mut self, size: SubgroupSize) -> (&'static str, String) {
        if size == SubgroupSize::Warp {
            return ("%r", String::new());
        }
        let (first, bits) = (self.first_lane(size), size.bits());
        let lines = format!(
            "  %start = call i32 @{first}()\n  %part = lshr i32 %all, %start\n  %r = and i32 %part, {bits}\n"
        );
        ("%all", lines)
    }

    /// Defines the helper that returns, as bits, the work-items for which a condition holds: `i32 (i32 mask, i1
    /// condition)`.
    pub(crate) fn ballot(&mut self, size: SubgroupSize) -> String {
        let name = format!("__spirv_ballot{size}");
        self.define(&name, |all| {
            let (before, mask) = all.mask_to_warp(size);
            let (raw, after) = all.bits_from_warp(size);
            all.declare("i32", "llvm.nvvm.vote.ballot.sync", "i32, i1", "convergent nounwind");
            format!(
                "define internal i32 @{name}(i32 %m, i1 %c) {INLINE} {{\n{before}  \
                 {raw} = call i32 @llvm.nvvm.vote.ballot.sync(i32 {mask}, i1 %c)\n{after}  ret i32 %r\n}}\n"
            )
        });
        name
    }

    /// Defines the helper that returns whether a condition holds for any, or for all, work-items of the work-group: `i1
    /// (i1)`.
    pub(crate) fn group_vote(&mut self, any: bool) -> String {
        let word = if any { "any" } else { "all" };
        let intrinsic = format!("llvm.nvvm.barrier0.{}", if any { "or" } else { "and" });
        let name = format!("__spirv_workgroup_{word}");
        self.define(&name, |all| {
            all.declare("i32", &intrinsic, "i32", "convergent nounwind");
            format!(
                "define internal i1 @{name}(i1 %c) {INLINE} {{\n  %i = zext i1 %c to i32\n  \
                 %s = call i32 @{intrinsic}(i32 %i)\n  %r = icmp ne i32 %s, 0\n  ret i1 %r\n}}\n"
            )
        });
        name
    }

    /// Defines the helper that shuffles 32 bits: `i32 (i32 mask, i32 value, i32 lane)`.
    fn shuffle_word(&mut self, how: Shuffle, size: SubgroupSize) -> String {
        let (word, intrinsic, clamp) = match how {
            Shuffle::Index => ("index", "idx", 31),
            Shuffle::Up => ("up", "up", 0),
            Shuffle::Down => ("down", "down", 31),
            Shuffle::Xor => ("xor", "bfly", 31),
        };
        // Lanes of other sub-groups are out of range: bits 8 to 12 mark the bits of a lane's number that no shuffle
        // changes.
        let clamp = clamp | (32 - size.items()) << 8;
        let name = format!("__spirv_shuffle{size}_{word}");
        let intrinsic = format!("llvm.nvvm.shfl.sync.{intrinsic}.i32");
        self.define(&name, |all| {
            all.declare("i32", &intrinsic, "i32, i32, i32, i32", "convergent nounwind");
            let (lines, mask) = all.mask_to_warp(size);
            format!(
                "define internal i32 @{name}(i32 %m, i32 %v, i32 %l) {INLINE} {{\n{lines}  \
                 %r = call i32 @{intrinsic}(i32 {mask}, i32 %v, i32 %l, i32 {clamp})\n  ret i32 %r\n}}\n"
            )
        });
        name
    }

    /// Defines the helper that shuffles a scalar: `T (i32 mask, T value, i32 lane)`.
    pub(crate) fn shuffle(&mut self, size: SubgroupSize, how: Shuffle, exchanged: &ExchangedType) -> String {
        let ExchangedType { text: ty, bits, is_pointer } = exchanged;
        let bits = *bits;
        let word = self.shuffle_word(how, size);
        let name = format!("{word}_{}", type_word(ty));
        let words = bits.div_ceil(32);
        let whole = words * 32;
        let integer = format!("i{bits}");
        self.define(&name, |_| {
            let mut text = format!("define internal {ty} @{name}(i32 %m, {ty} %v, i32 %l) {INLINE} {{\n");
            let to_integer = if *is_pointer { "ptrtoint" } else { "bitcast" };
            text += &format!("  %i = {to_integer} {ty} %v to {integer}\n");
            let widen = if whole > bits { "zext" } else { "bitcast" };
            text += &format!("  %w = {widen} {integer} %i to i{whole}\n");
            let mut sum = "0".to_owned();
            for at in 0..words {
                let shift = at * 32;
                let narrow = if whole > 32 { "trunc" } else { "bitcast" };
                let extend = if whole > 32 { "zext" } else { "bitcast" };
                text += &format!(
                    "  %a{at} = lshr i{whole} %w, {shift}\n  %b{at} = {narrow} i{whole} %a{at} to i32\n  \
                     %c{at} = call i32 @{word}(i32 %m, i32 %b{at}, i32 %l)\n  %d{at} = {extend} i32 %c{at} to i{whole}\n  \
                     %e{at} = shl i{whole} %d{at}, {shift}\n  %f{at} = or i{whole} {sum}, %e{at}\n"
                );
                sum = format!("%f{at}");
            }
            let narrow = if whole > bits { "trunc" } else { "bitcast" };
            let from_integer = if *is_pointer { "inttoptr" } else { "bitcast" };
            text += &format!(
                "  %n = {narrow} i{whole} {sum} to {integer}\n  %r = {from_integer} {integer} %n to {ty}\n  ret {ty} %r\n}}\n"
            );
            text
        });
        name
    }
}

/// Returns a type's name as a part of a helper's name.
pub(crate) fn type_word(ty: &str) -> String {
    match ty {
        "half" => "f16".to_owned(),
        "float" => "f32".to_owned(),
        "double" => "f64".to_owned(),
        _ => ty.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect(),
    }
}
