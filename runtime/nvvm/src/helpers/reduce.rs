//! Reductions and scans of a sub-group or a work-group.

use sycl_pi_image::spirv::GroupOperation;

use super::lanes::{Shuffle, type_word};
use super::{Helpers, INLINE};
use crate::constants::float;
use crate::error::Step;

/// How two values are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Combine {
    /// Its name: `iadd`, `fmax`, ...
    pub(crate) name: &'static str,
    /// LLVM's instruction, or its comparison where the one is chosen for which it holds.
    instruction: &'static str,
}

const COMBINE: &[Combine] = &[
    Combine { name: "iadd", instruction: "add" },
    Combine { name: "fadd", instruction: "fadd" },
    Combine { name: "imul", instruction: "mul" },
    Combine { name: "fmul", instruction: "fmul" },
    Combine { name: "smin", instruction: "icmp slt" },
    Combine { name: "umin", instruction: "icmp ult" },
    Combine { name: "fmin", instruction: "fcmp olt" },
    Combine { name: "smax", instruction: "icmp sgt" },
    Combine { name: "umax", instruction: "icmp ugt" },
    Combine { name: "fmax", instruction: "fcmp ogt" },
    Combine { name: "and", instruction: "and" },
    Combine { name: "or", instruction: "or" },
    Combine { name: "xor", instruction: "xor" },
];

/// What of a reduction is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Reduce,
    Inclusive,
    Exclusive,
}

impl Part {
    /// The part that `GroupOperation` asks for.
    pub(crate) fn of(operation: u32) -> Step<Self> {
        Ok(match GroupOperation::from_u32(operation) {
            Some(GroupOperation::Reduce) => Self::Reduce,
            Some(GroupOperation::InclusiveScan) => Self::Inclusive,
            Some(GroupOperation::ExclusiveScan) => Self::Exclusive,
            _ => return Err("reductions of clusters are not supported on CUDA".into()),
        })
    }

    fn word(self) -> &'static str {
        match self {
            Self::Reduce => "reduce",
            Self::Inclusive => "inclusive",
            Self::Exclusive => "exclusive",
        }
    }
}

impl Combine {
    /// The way to combine that has this name.
    pub(crate) fn named(name: &str) -> Step<Self> {
        COMBINE
            .iter()
            .find(|row| row.name == name)
            .copied()
            .ok_or_else(|| format!("{name} is not known").into())
    }

    /// The lines that combine two values into a new one.
    fn lines(self, ty: &str, to: &str, a: &str, b: &str) -> String {
        if self.instruction.contains("cmp") {
            return format!(
                "  {to}.c = {} {ty} {a}, {b}\n  {to} = select i1 {to}.c, {ty} {a}, {ty} {b}\n",
                self.instruction
            );
        }
        format!("  {to} = {} {ty} {a}, {b}\n", self.instruction)
    }

    /// The value that changes no other.
    fn identity(self, ty: &str, bits: u32) -> String {
        let (sign, exponent) = match bits {
            16 => (0x8000, 0x7c00),
            32 => (0x8000_0000, 0x7f80_0000),
            _ => (1 << 63, 0x7ff0_0000_0000_0000_u64),
        };
        let one = match bits {
            16 => 0x3c00,
            32 => 0x3f80_0000,
            _ => 0x3ff0_0000_0000_0000,
        };
        let ones = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        match self.name {
            "fadd" => float(bits, 0),
            "fmul" => float(bits, one),
            "fmin" => float(bits, exponent),
            "fmax" => float(bits, exponent | sign),
            "imul" => "1".into(),
            "umin" | "and" if ty == "i1" => "true".into(),
            "umin" | "and" => ones.to_string(),
            "smin" => (ones >> 1).to_string(),
            "smax" => ((ones >> 1) + 1).to_string(),
            _ => {
                if ty == "i1" {
                    "false".into()
                } else {
                    "0".into()
                }
            }
        }
    }
}

impl Helpers {
    /// The helper that reduces or scans over a sub-group: `T (T)`.
    pub(crate) fn subgroup_reduce(&mut self, part: Part, combine: Combine, ty: &str, bits: u32) -> String {
        match part {
            Part::Reduce => self.subgroup_total(combine, ty, bits),
            Part::Inclusive | Part::Exclusive => self.subgroup_scan(part, combine, ty, bits),
        }
    }

    /// The helper that reduces over a sub-group. A whole one needs half the instructions of a scan.
    fn subgroup_total(&mut self, combine: Combine, ty: &str, bits: u32) -> String {
        let name = format!("__spirv_subgroup_reduce_{}_{}", combine.name, type_word(ty));
        self.define(&name, |all| {
            let (items, mask) = (all.subgroup_items(), all.subgroup_mask());
            let (xor, index) = (all.shuffle(Shuffle::Xor, ty, bits), all.shuffle(Shuffle::Index, ty, bits));
            let inclusive = all.subgroup_scan(Part::Inclusive, combine, ty, bits);
            let mut text = format!(
                "define internal {ty} @{name}({ty} %x) {INLINE} {{\n  %n = call i32 @{items}()\n  \
                 %whole = icmp eq i32 %n, 32\n  br i1 %whole, label %all, label %some\nall:\n"
            );
            let mut sum = "%x".to_owned();
            for step in 0..5 {
                let distance = 1 << step;
                text += &format!("  %u{step} = call {ty} @{xor}(i32 -1, {ty} {sum}, i32 {distance})\n");
                text += &combine.lines(ty, &format!("%s{step}"), &sum, &format!("%u{step}"));
                sum = format!("%s{step}");
            }
            text += &format!(
                "  ret {ty} {sum}\nsome:\n  %m = call i32 @{mask}()\n  %i = call {ty} @{inclusive}({ty} %x)\n  \
                 %last = sub i32 %n, 1\n  %r = call {ty} @{index}(i32 %m, {ty} %i, i32 %last)\n  ret {ty} %r\n}}\n"
            );
            text
        });
        name
    }

    /// The helper that scans over a sub-group: `T (T)`.
    fn subgroup_scan(&mut self, part: Part, combine: Combine, ty: &str, bits: u32) -> String {
        let name = format!("__spirv_subgroup_{}_{}_{}", part.word(), combine.name, type_word(ty));
        self.define(&name, |all| {
            let (lane, mask, up) = (all.lane(), all.subgroup_mask(), all.shuffle(Shuffle::Up, ty, bits));
            let mut text = format!(
                "define internal {ty} @{name}({ty} %x) {INLINE} {{\n  %lane = call i32 @{lane}()\n  %m = call i32 @{mask}()\n"
            );
            let mut sum = "%x".to_owned();
            for step in 0..5 {
                let distance = 1 << step;
                text += &format!("  %u{step} = call {ty} @{up}(i32 %m, {ty} {sum}, i32 {distance})\n");
                text += &combine.lines(ty, &format!("%o{step}"), &format!("%u{step}"), &sum);
                text += &format!(
                    "  %h{step} = icmp uge i32 %lane, {distance}\n  %s{step} = select i1 %h{step}, {ty} %o{step}, {ty} {sum}\n"
                );
                sum = format!("%s{step}");
            }
            match part {
                Part::Reduce | Part::Inclusive => text += &format!("  ret {ty} {sum}\n}}\n"),
                Part::Exclusive => {
                    let identity = combine.identity(ty, bits);
                    text += &format!(
                        "  %b = call {ty} @{up}(i32 %m, {ty} {sum}, i32 1)\n  %f = icmp eq i32 %lane, 0\n  \
                         %r = select i1 %f, {ty} {identity}, {ty} %b\n  ret {ty} %r\n}}\n"
                    );
                }
            }
            text
        });
        name
    }

    /// The local memory through which sub-groups tell each other values.
    fn scratch(&mut self) -> &'static str {
        let name = "__spirv_scratch";
        self.define(name, |_| format!("@{name} = internal addrspace(3) global [32 x i64] undef, align 8\n"));
        name
    }

    /// The helper that reduces or scans over a work-group: `T (T)`.
    pub(crate) fn group_reduce(&mut self, part: Part, combine: Combine, ty: &str, bits: u32) -> String {
        let name = format!("__spirv_workgroup_{}_{}_{}", part.word(), combine.name, type_word(ty));
        self.define(&name, |all| {
            let within = if part == Part::Reduce { Part::Reduce } else { Part::Inclusive };
            let own = all.subgroup_reduce(within, combine, ty, bits);
            let (lane, linear, items) = (all.lane(), all.linear_local_id(), all.group_items());
            let (own_items, barrier, scratch) = (all.subgroup_items(), all.group_barrier(), all.scratch());
            let identity = combine.identity(ty, bits);
            let mut text = format!(
                "define internal {ty} @{name}({ty} %x) convergent nounwind {{\nentry:\n  %own = call {ty} @{own}({ty} %x)\n  \
                 %lane = call i32 @{lane}()\n  %linear = call i32 @{linear}()\n  %items = call i32 @{items}()\n  \
                 %n = call i32 @{own_items}()\n  %group = lshr i32 %linear, 5\n  %up = add i32 %items, 31\n  \
                 %groups = lshr i32 %up, 5\n  %last = sub i32 %n, 1\n  %is = icmp eq i32 %lane, %last\n  \
                 br i1 %is, label %put, label %wait\nput:\n  \
                 %pa = getelementptr [32 x i64], [32 x i64] addrspace(3)* @{scratch}, i32 0, i32 %group\n  \
                 %pb = bitcast i64 addrspace(3)* %pa to {ty} addrspace(3)*\n  store {ty} %own, {ty} addrspace(3)* %pb\n  \
                 br label %wait\nwait:\n  call void @{barrier}()\n  br label %loop\nloop:\n  \
                 %i = phi i32 [ 0, %wait ], [ %i2, %loop ]\n  %t = phi {ty} [ {identity}, %wait ], [ %t2, %loop ]\n  \
                 %before = phi {ty} [ {identity}, %wait ], [ %before2, %loop ]\n  \
                 %la = getelementptr [32 x i64], [32 x i64] addrspace(3)* @{scratch}, i32 0, i32 %i\n  \
                 %lb = bitcast i64 addrspace(3)* %la to {ty} addrspace(3)*\n  %v = load {ty}, {ty} addrspace(3)* %lb\n"
            );
            text += &combine.lines(ty, "%t2", "%t", "%v");
            text += &format!(
                "  %below = icmp ult i32 %i, %group\n  %before2 = select i1 %below, {ty} %t2, {ty} %before\n  \
                 %i2 = add i32 %i, 1\n  %more = icmp ult i32 %i2, %groups\n  br i1 %more, label %loop, label %done\ndone:\n  \
                 call void @{barrier}()\n"
            );
            match part {
                Part::Reduce => text += &format!("  ret {ty} %t2\n}}\n"),
                Part::Inclusive => {
                    text += &combine.lines(ty, "%r", "%before2", "%own");
                    text += &format!("  ret {ty} %r\n}}\n");
                }
                Part::Exclusive => {
                    let (up, mask) = (all.shuffle(Shuffle::Up, ty, bits), all.subgroup_mask());
                    text += &format!(
                        "  %m = call i32 @{mask}()\n  %s = call {ty} @{up}(i32 %m, {ty} %own, i32 1)\n  %f = icmp eq i32 %lane, 0\n"
                    );
                    text += &combine.lines(ty, "%q", "%before2", "%s");
                    text += &format!("  %r = select i1 %f, {ty} %before2, {ty} %q\n  ret {ty} %r\n}}\n");
                }
            }
            text
        });
        name
    }

    /// The helper that gives all work-items of a work-group the value of one: `T (T value, i32 owner)`.
    pub(crate) fn group_broadcast(&mut self, ty: &str) -> String {
        let name = format!("__spirv_workgroup_broadcast_{}", type_word(ty));
        self.define(&name, |all| {
            let (linear, barrier, scratch) = (all.linear_local_id(), all.group_barrier(), all.scratch());
            format!(
                "define internal {ty} @{name}({ty} %x, i32 %owner) convergent nounwind {{\nentry:\n  \
                 %linear = call i32 @{linear}()\n  \
                 %pa = getelementptr [32 x i64], [32 x i64] addrspace(3)* @{scratch}, i32 0, i32 0\n  \
                 %p = bitcast i64 addrspace(3)* %pa to {ty} addrspace(3)*\n  %is = icmp eq i32 %linear, %owner\n  \
                 br i1 %is, label %put, label %wait\nput:\n  store {ty} %x, {ty} addrspace(3)* %p\n  br label %wait\nwait:\n  \
                 call void @{barrier}()\n  %r = load {ty}, {ty} addrspace(3)* %p\n  call void @{barrier}()\n  ret {ty} %r\n}}\n"
            )
        });
        name
    }

    /// The helper that reduces or scans over those work-items of a sub-group that a mask names: `T (i32 mask, T)`.
    pub(crate) fn masked_reduce(&mut self, part: Part, combine: Combine, ty: &str, bits: u32) -> String {
        let name = format!("__spirv_masked_{}_{}_{}", part.word(), combine.name, type_word(ty));
        self.define(&name, |all| {
            let (lane, index) = (all.lane(), all.shuffle(Shuffle::Index, ty, bits));
            all.declare("i32", "llvm.cttz.i32", "i32, i1", "nounwind readnone");
            let identity = combine.identity(ty, bits);
            let takes = match part {
                Part::Reduce => "icmp ult i32 %i, 32",
                Part::Inclusive => "icmp ule i32 %i, %lane",
                Part::Exclusive => "icmp ult i32 %i, %lane",
            };
            let mut text = format!(
                "define internal {ty} @{name}(i32 %m, {ty} %x) convergent nounwind {{\nentry:\n  %lane = call i32 @{lane}()\n  \
                 br label %loop\nloop:\n  %left = phi i32 [ %m, %entry ], [ %left2, %loop ]\n  \
                 %t = phi {ty} [ {identity}, %entry ], [ %t2, %loop ]\n  %i = call i32 @llvm.cttz.i32(i32 %left, i1 false)\n  \
                 %v = call {ty} @{index}(i32 %m, {ty} %x, i32 %i)\n"
            );
            text += &combine.lines(ty, "%o", "%t", "%v");
            text += &format!(
                "  %c = {takes}\n  %t2 = select i1 %c, {ty} %o, {ty} %t\n  %less = sub i32 %left, 1\n  \
                 %left2 = and i32 %left, %less\n  %more = icmp ne i32 %left2, 0\n  br i1 %more, label %loop, label %done\n\
                 done:\n  ret {ty} %t2\n}}\n"
            );
            text
        });
        name
    }
}
