//! The end of a kernel: stores computed values without a use, each in a separate slot.

use std::fmt::Write;

use super::template::no_number;
use super::{Generator, Value};
use crate::types::{Kind, Ty};

/// The maximum number of slots of a work-item.
const MOST: usize = 16;

impl Generator {
    /// Returns how many slots a work-item has.
    pub(super) fn sinks(&mut self) -> usize {
        let mut values: Vec<Value> = self.values.iter().filter(|value| value.uses == 0).cloned().collect();
        if values.is_empty() {
            values = self.values.clone();
        }
        let values = values.split_off(values.len().saturating_sub(MOST));
        for (slot, value) in values.iter().enumerate() {
            self.sink(value, slot);
        }
        values.len()
    }

    fn sink(&mut self, value: &Value, slot: usize) {
        let id = self.id();
        let mut text = String::new();
        let mut sum = self.declarations.constant(Ty::ULONG, 0);
        let ulong = self.declarations.ty(Ty::ULONG);
        let factor = self.declarations.constant(Ty::ULONG, 0x9e37_79b9_7f4a_7c15);
        let bits = self.bits(value, &id, &mut text);
        let narrow = Ty { kind: Kind::Int(value.ty.bits().max(8)), lanes: 1 };
        let name = self.declarations.ty(narrow);
        for lane in 0..value.ty.lanes {
            let mut lane_id = bits.clone();
            if value.ty.lanes > 1 {
                lane_id = format!("{id}.l{lane}");
                let _ = writeln!(text, "{lane_id} = OpCompositeExtract {name} {bits} {lane}");
            }
            if narrow.bits() < 64 {
                let _ = writeln!(text, "{id}.w{lane} = OpUConvert {ulong} {lane_id}");
                lane_id = format!("{id}.w{lane}");
            }
            // A different order of lanes must give a different number.
            let _ = writeln!(text, "{id}.m{lane} = OpIMul {ulong} {sum} {factor}");
            let _ = writeln!(text, "{id}.s{lane} = OpIAdd {ulong} {id}.m{lane} {lane_id}");
            sum = format!("{id}.s{lane}");
        }
        let start = self.declarations.constant(Ty::ULONG, (slot * self.shape.launched()) as u64);
        let pointer = self.declarations.pointer_to("CrossWorkgroup", Ty::ULONG);
        let _ = writeln!(text, "{id}.i = OpIAdd {ulong} {} {start}", self.named("g"));
        let _ = writeln!(text, "{id}.p = OpInBoundsPtrAccessChain {pointer} {} {id}.i", self.named("out"));
        let _ = writeln!(text, "OpStore {id}.p {sum} Aligned 8");
        self.push(vec![text], Vec::new(), &[]);
    }

    /// Returns integers with the bits of a value. All NaNs have the same bits.
    fn bits(&mut self, value: &Value, id: &str, text: &mut String) -> String {
        let ty = value.ty;
        let integer = ty.with_kind(Kind::Int(ty.bits().max(8)));
        let name = self.declarations.ty(integer);
        match ty.kind {
            Kind::Int(_) => return value.id.clone(),
            Kind::Bool => {
                let (one, zero) =
                    (self.declarations.constant(integer, 1), self.declarations.constant(integer, 0));
                let _ = writeln!(text, "{id}.b = OpSelect {name} {} {one} {zero}", value.id);
            }
            Kind::Float(bits) => {
                // Select among integers, because a compiler may replace any NaN by another.
                let truth = self.declarations.ty(ty.with_kind(Kind::Bool));
                let canonical = self.declarations.constant(integer, no_number(bits));
                let _ = writeln!(text, "{id}.n = OpIsNan {truth} {}", value.id);
                let _ = writeln!(text, "{id}.c = OpBitcast {name} {}", value.id);
                let _ = writeln!(text, "{id}.b = OpSelect {name} {id}.n {canonical} {id}.c");
            }
        }
        format!("{id}.b")
    }
}
