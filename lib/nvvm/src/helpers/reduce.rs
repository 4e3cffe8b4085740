//! Reductions and scans of a sub-group or a work-group.

use sycl_pi_image::spirv::GroupOperation;

use super::lanes::{ExchangedType, Shuffle, type_word};
use super::{Helpers, INLINE};
use crate::constants::float;
use crate::error::Result;
use crate::subgroup_size::SubgroupSize;

/// How a reduction combines two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    IAdd,
    FAdd,
    IMul,
    FMul,
    SMin,
    UMin,
    FMin,
    SMax,
    UMax,
    FMax,
    And,
    Or,
    Xor,
}

/// The kind of result of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReductionKind {
    Reduce,
    Inclusive,
    Exclusive,
}

impl ReductionKind {
    /// Converts a `GroupOperation`.
    pub(crate) fn from_operand(operation: u32) -> Result<Self> {
        Ok(match GroupOperation::from_u32(operation) {
            Some(GroupOperation::Reduce) => Self::Reduce,
            Some(GroupOperation::InclusiveScan) => Self::Inclusive,
            Some(GroupOperation::ExclusiveScan) => Self::Exclusive,
            _ => return Err("only the active work-items of a sub-group have clusters".into()),
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

impl Reduction {
    /// Returns its name in the names of helpers.
    fn name(self) -> &'static str {
        match self {
            Self::IAdd => "iadd",
            Self::FAdd => "fadd",
            Self::IMul => "imul",
            Self::FMul => "fmul",
            Self::SMin => "smin",
            Self::UMin => "umin",
            Self::FMin => "fmin",
            Self::SMax => "smax",
            Self::UMax => "umax",
            Self::FMax => "fmax",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        }
    }

    /// Returns the lines that combine two values into a new one.
    fn lines(self, ty: &str, to: &str, a: &str, b: &str) -> String {
        let operation = |name: &str| format!("  {to} = {name} {ty} {a}, {b}\n");
        // Chooses the first value if the comparison holds.
        let choice = |comparison: &str| {
            format!("  {to}.c = {comparison} {ty} {a}, {b}\n  {to} = select i1 {to}.c, {ty} {a}, {ty} {b}\n")
        };
        match self {
            Self::IAdd => operation("add"),
            Self::FAdd => operation("fadd"),
            Self::IMul => operation("mul"),
            Self::FMul => operation("fmul"),
            Self::SMin => choice("icmp slt"),
            Self::UMin => choice("icmp ult"),
            Self::FMin => choice("fcmp olt"),
            Self::SMax => choice("icmp sgt"),
            Self::UMax => choice("icmp ugt"),
            Self::FMax => choice("fcmp ogt"),
            Self::And => operation("and"),
            Self::Or => operation("or"),
            Self::Xor => operation("xor"),
        }
    }

    /// Returns the identity element.
    fn identity(self, bits: u32) -> String {
        let (one, infinity, sign) = match bits {
            16 => (0x3c00, 0x7c00, 0x8000),
            32 => (0x3f80_0000, 0x7f80_0000, 0x8000_0000),
            _ => (0x3ff0_0000_0000_0000, 0x7ff0_0000_0000_0000_u64, 1 << 63),
        };
        let ones = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        match self {
            Self::FAdd => float(bits, 0),
            Self::FMul => float(bits, one),
            Self::FMin => float(bits, infinity),
            Self::FMax => float(bits, infinity | sign),
            Self::IMul => "1".into(),
            Self::UMin | Self::And if bits == 1 => "true".into(),
            Self::UMin | Self::And => ones.to_string(),
            Self::SMin => (ones >> 1).to_string(),
            Self::SMax => ((ones >> 1) + 1).to_string(),
            Self::IAdd | Self::UMax | Self::Or | Self::Xor if bits == 1 => "false".into(),
            Self::IAdd | Self::UMax | Self::Or | Self::Xor => "0".into(),
        }
    }
}

impl Helpers {
    /// Defines the helper that reduces or scans over the work-items of a mask, in their order: `T (i32 mask, T)`.
    pub(crate) fn subgroup_reduce(
        &mut self,
        size: SubgroupSize,
        part: ReductionKind,
        reduction: Reduction,
        exchanged: &ExchangedType,
    ) -> String {
        match part {
            ReductionKind::Reduce => self.subgroup_total(size, reduction, exchanged),
            ReductionKind::Inclusive | ReductionKind::Exclusive => {
                self.subgroup_scan(size, part, reduction, exchanged)
            }
        }
    }

    /// Defines the helper that reduces. For a whole sub-group it needs half as many instructions as a scan.
    fn subgroup_total(
        &mut self,
        size: SubgroupSize,
        reduction: Reduction,
        exchanged: &ExchangedType,
    ) -> String {
        let ty = exchanged.text.as_str();
        let name = format!("__spirv_subgroup{size}_reduce_{}_{}", reduction.name(), type_word(ty));
        self.define(&name, |all| {
            let [xor, index] = [Shuffle::Xor, Shuffle::Index].map(|how| all.shuffle(size, how, exchanged));
            let inclusive = all.subgroup_scan(size, ReductionKind::Inclusive, reduction, exchanged);
            let every = size.bits();
            all.declare("i32", "llvm.ctlz.i32", "i32, i1", "nounwind readnone");
            let mut text = format!(
                "define internal {ty} @{name}(i32 %m, {ty} %x) {INLINE} {{\n  %whole = icmp eq i32 %m, {every}\n  \
                 br i1 %whole, label %all, label %some\nall:\n"
            );
            let mut sum = "%x".to_owned();
            for step in 0..size.steps() {
                let distance = 1 << step;
                text += &format!("  %u{step} = call {ty} @{xor}(i32 {every}, {ty} {sum}, i32 {distance})\n");
                text += &reduction.lines(ty, &format!("%s{step}"), &sum, &format!("%u{step}"));
                sum = format!("%s{step}");
            }
            text += &format!(
                "  ret {ty} {sum}\nsome:\n  %i = call {ty} @{inclusive}(i32 %m, {ty} %x)\n  \
                 %zeros = call i32 @llvm.ctlz.i32(i32 %m, i1 false)\n  %last = sub i32 31, %zeros\n  \
                 %r = call {ty} @{index}(i32 %m, {ty} %i, i32 %last)\n  ret {ty} %r\n}}\n"
            );
            text
        });
        name
    }

    /// Defines the helper that scans. If the mask is a prefix of the sub-group, it takes a few steps, otherwise one
    /// step per work-item.
    fn subgroup_scan(
        &mut self,
        size: SubgroupSize,
        part: ReductionKind,
        reduction: Reduction,
        exchanged: &ExchangedType,
    ) -> String {
        let ty = exchanged.text.as_str();
        let name = format!("__spirv_subgroup{size}_{}_{}_{}", part.word(), reduction.name(), type_word(ty));
        self.define(&name, |all| {
            let (lane, up) = (all.lane(size), all.shuffle(size, Shuffle::Up, exchanged));
            let masked = all.masked_reduce(size, part, reduction, exchanged);
            let mut text = format!(
                "define internal {ty} @{name}(i32 %m, {ty} %x) {INLINE} {{\n  %lane = call i32 @{lane}()\n  \
                 %next = add i32 %m, 1\n  %holes = and i32 %m, %next\n  %first = icmp eq i32 %holes, 0\n  \
                 br i1 %first, label %all, label %some\nsome:\n  \
                 %o = call {ty} @{masked}(i32 %m, {ty} %x)\n  ret {ty} %o\nall:\n"
            );
            let mut sum = "%x".to_owned();
            for step in 0..size.steps() {
                let distance = 1 << step;
                text += &format!("  %u{step} = call {ty} @{up}(i32 %m, {ty} {sum}, i32 {distance})\n");
                text += &reduction.lines(ty, &format!("%o{step}"), &format!("%u{step}"), &sum);
                text += &format!(
                    "  %h{step} = icmp uge i32 %lane, {distance}\n  %s{step} = select i1 %h{step}, {ty} %o{step}, {ty} {sum}\n"
                );
                sum = format!("%s{step}");
            }
            match part {
                ReductionKind::Reduce | ReductionKind::Inclusive => text += &format!("  ret {ty} {sum}\n}}\n"),
                ReductionKind::Exclusive => {
                    let identity = reduction.identity(exchanged.bits);
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

    /// Defines the local memory through which sub-groups exchange values.
    fn scratch(&mut self) -> &'static str {
        let name = "__spirv_scratch";
        self.define(name, |_| format!("@{name} = internal addrspace(3) global [32 x i64] undef, align 8\n"));
        name
    }

    /// Defines the helper that reduces or scans over a work-group: `T (T)`. It works by warps, regardless of the
    /// kernel's sub-group size.
    pub(crate) fn group_reduce(
        &mut self,
        part: ReductionKind,
        reduction: Reduction,
        exchanged: &ExchangedType,
    ) -> String {
        let ty = exchanged.text.as_str();
        let name = format!("__spirv_workgroup_{}_{}_{}", part.word(), reduction.name(), type_word(ty));
        self.define(&name, |all| {
            let within = if part == ReductionKind::Reduce { ReductionKind::Reduce } else { ReductionKind::Inclusive };
            let warp = SubgroupSize::Warp;
            let own = all.subgroup_reduce(warp, within, reduction, exchanged);
            let (lane, linear, items) = (all.lane(warp), all.linear_local_id(), all.group_items());
            let (own_items, barrier, scratch) = (all.subgroup_items(warp), all.group_barrier(), all.scratch());
            let mask = all.subgroup_mask(warp);
            let identity = reduction.identity(exchanged.bits);
            let mut text = format!(
                "define internal {ty} @{name}({ty} %x) convergent nounwind {{\nentry:\n  %m = call i32 @{mask}()\n  \
                 %own = call {ty} @{own}(i32 %m, {ty} %x)\n  \
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
            text += &reduction.lines(ty, "%t2", "%t", "%v");
            text += &format!(
                "  %below = icmp ult i32 %i, %group\n  %before2 = select i1 %below, {ty} %t2, {ty} %before\n  \
                 %i2 = add i32 %i, 1\n  %more = icmp ult i32 %i2, %groups\n  br i1 %more, label %loop, label %done\ndone:\n  \
                 call void @{barrier}()\n"
            );
            match part {
                ReductionKind::Reduce => text += &format!("  ret {ty} %t2\n}}\n"),
                ReductionKind::Inclusive => {
                    text += &reduction.lines(ty, "%r", "%before2", "%own");
                    text += &format!("  ret {ty} %r\n}}\n");
                }
                ReductionKind::Exclusive => {
                    let up = all.shuffle(warp, Shuffle::Up, exchanged);
                    text += &format!(
                        "  %s = call {ty} @{up}(i32 %m, {ty} %own, i32 1)\n  %f = icmp eq i32 %lane, 0\n"
                    );
                    text += &reduction.lines(ty, "%q", "%before2", "%s");
                    text += &format!("  %r = select i1 %f, {ty} %before2, {ty} %q\n  ret {ty} %r\n}}\n");
                }
            }
            text
        });
        name
    }

    /// Defines the helper that broadcasts one work-item's value to its work-group: `T (T value, i32 owner)`.
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

    /// Defines the helper that processes the work-items of a mask one after the other: `T (i32 mask, T)`.
    fn masked_reduce(
        &mut self,
        size: SubgroupSize,
        part: ReductionKind,
        reduction: Reduction,
        exchanged: &ExchangedType,
    ) -> String {
        let ty = exchanged.text.as_str();
        let name = format!("__spirv_masked{size}_{}_{}_{}", part.word(), reduction.name(), type_word(ty));
        self.define(&name, |all| {
            let (lane, index) = (all.lane(size), all.shuffle(size, Shuffle::Index, exchanged));
            all.declare("i32", "llvm.cttz.i32", "i32, i1", "nounwind readnone");
            let identity = reduction.identity(exchanged.bits);
            let takes = match part {
                ReductionKind::Reduce => "icmp ult i32 %i, 32",
                ReductionKind::Inclusive => "icmp ule i32 %i, %lane",
                ReductionKind::Exclusive => "icmp ult i32 %i, %lane",
            };
            let mut text = format!(
                "define internal {ty} @{name}(i32 %m, {ty} %x) convergent nounwind {{\nentry:\n  %lane = call i32 @{lane}()\n  \
                 br label %loop\nloop:\n  %left = phi i32 [ %m, %entry ], [ %left2, %loop ]\n  \
                 %t = phi {ty} [ {identity}, %entry ], [ %t2, %loop ]\n  %i = call i32 @llvm.cttz.i32(i32 %left, i1 false)\n  \
                 %v = call {ty} @{index}(i32 %m, {ty} %x, i32 %i)\n"
            );
            text += &reduction.lines(ty, "%o", "%t", "%v");
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
