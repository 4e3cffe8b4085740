//! Where a work-item stands: the special registers.

use super::{Helpers, INLINE};

/// A special register with one value for each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialRegister {
    LocalId,
    LocalSize,
    GroupId,
    GroupCount,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Helpers {
    /// The helper that gives a place in a dimension as an `i32`.
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

    /// The helper that gives the place of a work-item in its sub-group.
    pub(crate) fn lane(&mut self) -> String {
        let name = "__spirv_lane".to_owned();
        self.register(&name, "laneid");
        name
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

    /// The helper that gives the work-item's number in its work-group, x fastest, as an `i32`.
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

    /// The helper that gives the number of work-items of the work-group, as an `i32`.
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

    /// The helper that gives the number of work-items of the sub-group: 32, or fewer in the last one.
    pub(crate) fn subgroup_items(&mut self) -> String {
        let name = "__spirv_subgroup_items".to_owned();
        self.define(&name, |all| {
            let (linear, items) = (all.linear_local_id(), all.group_items());
            format!(
                "define internal i32 @{name}() {INLINE} {{\n  %l = call i32 @{linear}()\n  %n = call i32 @{items}()\n  \
                 %s = and i32 %l, -32\n  %d = sub i32 %n, %s\n  %c = icmp ult i32 %d, 32\n  \
                 %r = select i1 %c, i32 %d, i32 32\n  ret i32 %r\n}}\n"
            )
        });
        name
    }
}
