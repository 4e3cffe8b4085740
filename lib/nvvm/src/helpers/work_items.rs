//! The position of a work-item, from the special registers.

use super::{Helpers, INLINE};
use crate::subgroup_size::SubgroupSize;

/// A special register with one value per dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialRegister {
    LocalId,
    LocalSize,
    GroupId,
    GroupCount,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Helpers {
    /// Defines the helper that returns a register's value in a dimension as an `i32`.
    pub(crate) fn special_register(&mut self, register: SpecialRegister, axis: usize) -> String {
        let (word, register) = match register {
            SpecialRegister::LocalId => ("local_id", "tid"),
            SpecialRegister::LocalSize => ("local_size", "ntid"),
            SpecialRegister::GroupId => ("group_id", "ctaid"),
            SpecialRegister::GroupCount => ("group_count", "nctaid"),
        };
        let axis = AXES.get(axis).copied().unwrap_or("x");
        let name = format!("__spirv_{word}_{axis}");
        self.register(&name, &format!("{register}.{axis}"));
        name
    }

    /// Defines the helper that returns the index of a work-item in its sub-group.
    pub(crate) fn lane(&mut self, size: SubgroupSize) -> String {
        let name = format!("__spirv_lane{size}");
        match size {
            SubgroupSize::Warp => self.register(&name, "laneid"),
            _ => self.part_of_lane(&name, size.items() - 1),
        }
        name
    }

    /// Defines the helper that returns the index in its warp of the sub-group's first work-item.
    pub(crate) fn first_lane(&mut self, size: SubgroupSize) -> String {
        let name = format!("__spirv_first_lane{size}");
        self.part_of_lane(&name, 32 - size.items());
        name
    }

    /// Defines a helper that returns some bits of a work-item's index in its warp.
    fn part_of_lane(&mut self, name: &str, bits: u32) {
        self.define(name, |all| {
            let lane = all.lane(SubgroupSize::Warp);
            format!(
                "define internal i32 @{name}() alwaysinline nounwind readnone {{\n  %l = call i32 @{lane}()\n  \
                 %r = and i32 %l, {bits}\n  ret i32 %r\n}}\n"
            )
        });
    }

    fn register(&mut self, name: &str, register: &str) {
        let intrinsic = format!("llvm.nvvm.read.ptx.sreg.{register}");
        self.define(name, |all| {
            all.declare("i32", &intrinsic, "", "nounwind readnone");
            format!(
                "define internal i32 @{name}() alwaysinline nounwind readnone {{\n  %r = call i32 @{intrinsic}()\n  ret i32 %r\n}}\n"
            )
        });
    }

    /// Defines the helper that returns the work-item's linear index in its work-group, x fastest, as an `i32`.
    pub(crate) fn linear_local_id(&mut self) -> String {
        let name = "__spirv_linear_local_id".to_owned();
        self.define(&name, |all| {
            let id: Vec<String> = (0..3).map(|axis| all.special_register(SpecialRegister::LocalId, axis)).collect();
            let size: Vec<String> = (0..2).map(|axis| all.special_register(SpecialRegister::LocalSize, axis)).collect();
            let [ref x, ref y, ref z] = *id else { return String::new() };
            let [ref sx, ref sy] = *size else { return String::new() };
            format!(
                "define internal i32 @{name}() {INLINE} {{\n  %x = call i32 @{x}()\n  %y = call i32 @{y}()\n  %z = call i32 @{z}()\n  \
                 %sx = call i32 @{sx}()\n  %sy = call i32 @{sy}()\n  %a = mul i32 %z, %sy\n  %b = add i32 %a, %y\n  \
                 %c = mul i32 %b, %sx\n  %r = add i32 %c, %x\n  ret i32 %r\n}}\n"
            )
        });
        name
    }

    /// Defines the helper that returns the number of work-items in the work-group, as an `i32`.
    pub(crate) fn group_items(&mut self) -> String {
        let name = "__spirv_group_items".to_owned();
        self.define(&name, |all| {
            let size: Vec<String> = (0..3).map(|axis| all.special_register(SpecialRegister::LocalSize, axis)).collect();
            let [ref x, ref y, ref z] = *size else { return String::new() };
            format!(
                "define internal i32 @{name}() {INLINE} {{\n  %x = call i32 @{x}()\n  %y = call i32 @{y}()\n  %z = call i32 @{z}()\n  \
                 %a = mul i32 %x, %y\n  %r = mul i32 %a, %z\n  ret i32 %r\n}}\n"
            )
        });
        name
    }

    /// Defines the helper that returns the number of work-items in the sub-group. The last one may have fewer.
    pub(crate) fn subgroup_items(&mut self, size: SubgroupSize) -> String {
        let name = format!("__spirv_subgroup{size}_items");
        self.define(&name, |all| {
            let (linear, items, most) = (all.linear_local_id(), all.group_items(), size.items());
            format!(
                "define internal i32 @{name}() {INLINE} {{\n  %l = call i32 @{linear}()\n  %n = call i32 @{items}()\n  \
                 %s = and i32 %l, -{most}\n  %d = sub i32 %n, %s\n  %c = icmp ult i32 %d, {most}\n  \
                 %r = select i1 %c, i32 %d, i32 {most}\n  ret i32 %r\n}}\n"
            )
        });
        name
    }
}
