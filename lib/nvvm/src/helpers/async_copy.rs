//! Copies that all work-items of a work-group make together.

use super::{Helpers, INLINE};
use crate::types::AddressSpace;

impl Helpers {
    /// Defines the helper that copies elements of a type, which the work-items divide among themselves with a stride.
    /// It takes both pointers, the number of elements, and the distances between elements at each pointer. A guarded
    /// helper reads and writes nothing through null pointers.
    pub(crate) fn async_copy(
        &mut self,
        element: &str,
        to: AddressSpace,
        from: AddressSpace,
        guarded: bool,
    ) -> String {
        let word: String =
            element.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        let end = if guarded { "_unless_null" } else { "" };
        let name = format!("__spirv_async_copy_{word}_{}_{}{end}", to.number(), from.number());
        self.define(&name, |all| {
            let (id, items) = (all.linear_local_id(), all.group_items());
            let (is_global, to, from) =
                (to != AddressSpace::Shared, to.pointer_to(element), from.pointer_to(element));
            let mut load = format!("load {element}, {from} %f.at");
            let mut store = format!("store {element} %value, {to} %t.at");
            if guarded && is_global {
                let put = |[at, value]: [&str; 2]| format!("store {element} {value}, {to} {at}");
                let helper = all.guard("void", [&to, element], put, |_| String::new());
                store = format!("call void @{helper}({to} %t.at, {element} %value)");
            } else if guarded {
                let get = |[at]: [&str; 1]| format!("load {element}, {from} {at}");
                let helper = all.guard(element, [&from], get, |_| String::new());
                load = format!("call {element} @{helper}({from} %f.at)");
            }
            format!(
                "define internal void @{name}({to} %to, {from} %from, i64 %count, i64 %to_stride, i64 %from_stride) {INLINE} {{\n\
                 entry:\n  %id = call i32 @{id}()\n  %first = zext i32 %id to i64\n  %items = call i32 @{items}()\n  \
                 %step = zext i32 %items to i64\n  br label %check\n\
                 check:\n  %at = phi i64 [ %first, %entry ], [ %next, %copy ]\n  %more = icmp ult i64 %at, %count\n  \
                 br i1 %more, label %copy, label %done\n\
                 copy:\n  %f = mul i64 %at, %from_stride\n  %f.at = getelementptr {element}, {from} %from, i64 %f\n  \
                 %t = mul i64 %at, %to_stride\n  %t.at = getelementptr {element}, {to} %to, i64 %t\n  \
                 %value = {load}\n  {store}\n  \
                 %next = add i64 %at, %step\n  br label %check\n\
                 done:\n  ret void\n}}\n"
            )
        });
        name
    }
}
