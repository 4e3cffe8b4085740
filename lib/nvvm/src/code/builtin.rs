//! Built-in variables: ids and sizes of work-items, work-groups and sub-groups.

use sycl_pi_image::spirv::BuiltIn;

use crate::code::body::Body;
use crate::code::builtin_pointer::{BuiltinPlace, BuiltinPointer};
use crate::error::Result;
use crate::helpers::work_items::SpecialRegister;
use crate::types::TypeKind;

impl Body<'_, '_> {
    /// Translates a load from a built-in variable.
    pub(crate) fn load_builtin(&mut self, pointer: &BuiltinPointer) -> Result<()> {
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        let bits = self.int_bits(element)?;
        let text = self.type_text(element)?.to_owned();
        if let (Some(count), BuiltinPlace::Bytes(0)) = (count, &pointer.at) {
            let whole = self.type_text(ty)?.to_owned();
            let mut all = String::from("undef");
            for axis in 0..count {
                let value = self.builtin(pointer.number, axis as usize, bits)?;
                all = self.new_value(format_args!("insertelement {whole} {all}, {text} {value}, i32 {axis}"));
            }
            return self.copy(ty, &all);
        }
        if count.is_some() {
            return Err("a part of a built-in vector is loaded as a vector".into());
        }
        let value = match &pointer.at {
            BuiltinPlace::Bytes(bytes) => {
                let size = u64::from(bits / 8).max(1);
                let axis = usize::try_from(bytes / size).unwrap_or(usize::MAX);
                self.builtin(pointer.number, axis, bits)?
            }
            BuiltinPlace::Value(axis) => {
                let mut all = String::from("undef");
                for at in 0..3 {
                    let value = self.builtin(pointer.number, at, bits)?;
                    all = self.new_value(format_args!(
                        "insertelement <3 x {text}> {all}, {text} {value}, i32 {at}"
                    ));
                }
                self.new_value(format_args!("extractelement <3 x {text}> {all}, {axis}"))
            }
        };
        if !matches!(self.kind(ty)?, TypeKind::Int(_)) {
            return Err("a built-in variable holds integers".into());
        }
        self.copy(ty, &value)
    }

    /// Returns a built-in value in a dimension, as an integer of this width.
    fn builtin(&mut self, number: u32, axis: usize, bits: u32) -> Result<String> {
        let which = BuiltIn::from_u32(number)
            .ok_or_else(|| format!("built-in variable {number} is not supported on CUDA"))?;
        let most = if is_lane_mask(which) { 4 } else { 3 };
        if axis >= most {
            return Err(format!("built-in variable {which:?} has {most} numbers").into());
        }
        let value = match which {
            BuiltIn::NumWorkgroups => self.group_count(axis),
            BuiltIn::WorkgroupSize | BuiltIn::EnqueuedWorkgroupSize => {
                self.special_register(SpecialRegister::LocalSize, axis)
            }
            BuiltIn::WorkgroupId => self.group_id(axis),
            BuiltIn::LocalInvocationId => self.special_register(SpecialRegister::LocalId, axis),
            BuiltIn::GlobalInvocationId => {
                let id = self.global_id(axis);
                let value = self.new_value(format_args!("add i64 {id}, %offset{axis}"));
                return Ok(self.resize(&value, 64, bits));
            }
            BuiltIn::LocalInvocationIndex => {
                let helper = self.helpers.linear_local_id();
                self.new_value(format_args!("call i32 @{helper}()"))
            }
            BuiltIn::WorkDim => return Ok(self.resize("%work_dim", 64, bits)),
            BuiltIn::GlobalSize => {
                let value = self.global_size(axis);
                return Ok(self.resize(&value, 64, bits));
            }
            BuiltIn::GlobalOffset => return Ok(self.resize(&format!("%offset{axis}"), 64, bits)),
            BuiltIn::GlobalLinearId => {
                let value = self.global_linear_id();
                return Ok(self.resize(&value, 64, bits));
            }
            BuiltIn::SubgroupSize => {
                let helper = self.helpers.subgroup_items(self.size);
                self.new_value(format_args!("call i32 @{helper}()"))
            }
            BuiltIn::SubgroupMaxSize => self.size.items().to_string(),
            BuiltIn::NumSubgroups | BuiltIn::NumEnqueuedSubgroups => {
                let helper = self.helpers.group_items();
                let items = self.new_value(format_args!("call i32 @{helper}()"));
                let up = self.new_value(format_args!("add i32 {items}, {}", self.size.items() - 1));
                self.new_value(format_args!("lshr i32 {up}, {}", self.size.steps()))
            }
            BuiltIn::SubgroupId => {
                let helper = self.helpers.linear_local_id();
                let id = self.new_value(format_args!("call i32 @{helper}()"));
                self.new_value(format_args!("lshr i32 {id}, {}", self.size.steps()))
            }
            BuiltIn::SubgroupLocalInvocationId => self.own_lane(),
            _ if is_lane_mask(which) => self.lane_mask(which, axis),
            _ => return Err(format!("built-in variable {which:?} is not supported on CUDA").into()),
        };
        Ok(self.resize(&value, 32, bits))
    }

    fn special_register(&mut self, register: SpecialRegister, axis: usize) -> String {
        let helper = self.helpers.special_register(register, axis);
        self.new_value(format_args!("call i32 @{helper}()"))
    }

    fn wide(&mut self, value: &str) -> String {
        self.new_value(format_args!("zext i32 {value} to i64"))
    }

    /// Returns the number of work-groups in a dimension.
    fn group_count(&mut self, axis: usize) -> String {
        if self.program.is_folded() {
            return self.new_value(format_args!("trunc i64 %groups{axis} to i32"));
        }
        self.special_register(SpecialRegister::GroupCount, axis)
    }

    /// Returns the id of the work-group in a dimension. In a grid that is folded into one dimension, x varies fastest.
    fn group_id(&mut self, axis: usize) -> String {
        if !self.program.is_folded() {
            return self.special_register(SpecialRegister::GroupId, axis);
        }
        let mut id = self.special_register(SpecialRegister::GroupId, 0);
        for below in 0..axis {
            let count = self.group_count(below);
            id = self.new_value(format_args!("udiv i32 {id}, {count}"));
        }
        if axis < 2 {
            let count = self.group_count(axis);
            id = self.new_value(format_args!("urem i32 {id}, {count}"));
        }
        id
    }

    /// Returns the global id without the offset, as an `i64`.
    fn global_id(&mut self, axis: usize) -> String {
        let group = self.group_id(axis);
        let [size, local] = [SpecialRegister::LocalSize, SpecialRegister::LocalId]
            .map(|register| self.special_register(register, axis));
        let [group, size, local] = [group, size, local].map(|value| self.wide(&value));
        let first = self.new_value(format_args!("mul i64 {group}, {size}"));
        self.new_value(format_args!("add i64 {first}, {local}"))
    }

    fn global_size(&mut self, axis: usize) -> String {
        let (count, size) = (self.group_count(axis), self.special_register(SpecialRegister::LocalSize, axis));
        let [count, size] = [count, size].map(|value| self.wide(&value));
        self.new_value(format_args!("mul i64 {count}, {size}"))
    }

    fn global_linear_id(&mut self) -> String {
        let mut sum = self.global_id(2);
        for axis in [1, 0] {
            let size = self.global_size(axis);
            let rows = self.new_value(format_args!("mul i64 {sum}, {size}"));
            let id = self.global_id(axis);
            sum = self.new_value(format_args!("add i64 {rows}, {id}"));
        }
        sum
    }

    /// Returns the bits of the lanes that are equal to, above or below this one. Only the first of the four words has
    /// any.
    pub(crate) fn lane_mask(&mut self, which: BuiltIn, axis: usize) -> String {
        if axis > 0 {
            return "0".to_owned();
        }
        let lane = self.own_lane();
        let equal = self.new_value(format_args!("shl i32 1, {lane}"));
        let below = self.new_value(format_args!("sub i32 {equal}, 1"));
        match which {
            BuiltIn::SubgroupEqMask => equal,
            BuiltIn::SubgroupGeMask => {
                let above = self.new_value(format_args!("xor i32 {below}, -1"));
                self.cut_to_subgroup(above)
            }
            BuiltIn::SubgroupGtMask => {
                let up_to = self.new_value(format_args!("or i32 {below}, {equal}"));
                let above = self.new_value(format_args!("xor i32 {up_to}, -1"));
                self.cut_to_subgroup(above)
            }
            BuiltIn::SubgroupLeMask => self.new_value(format_args!("or i32 {below}, {equal}")),
            _ => below,
        }
    }

    /// Resizes an unsigned integer to another width.
    pub(crate) fn resize(&mut self, value: &str, have: u32, want: u32) -> String {
        match want.cmp(&have) {
            std::cmp::Ordering::Less => self.new_value(format_args!("trunc i{have} {value} to i{want}")),
            std::cmp::Ordering::Equal => value.to_owned(),
            std::cmp::Ordering::Greater => self.new_value(format_args!("zext i{have} {value} to i{want}")),
        }
    }
}

/// Returns whether a built-in variable holds lanes as the bits of four words.
fn is_lane_mask(which: BuiltIn) -> bool {
    matches!(
        which,
        BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask
    )
}
