//! Functions of OpenCL.std whose results may differ slightly. These are stored, and never used in computations.

use std::fmt::Write;

use testing_nvvm::limits::{Limits, OF_ONE, OF_TWO};

use super::{Generator, Value};
use crate::kernel::{Approximate, NEAR};
use crate::types::{Kind, Ty};

/// Functions of a number and an integer, with names and limits.
const WITH_INTEGER: [Limits; 3] = [("pown", 16.0, 16.0), ("rootn", 16.0, 16.0), ("ldexp", 0.0, 0.0)];

impl Generator {
    pub(super) fn approximate(&mut self) {
        if self.approximate.len() >= NEAR {
            return;
        }
        let ty = Ty::scalar(Kind::Float([32, 64][self.random.below(2)]));
        let (one, two, three) = (OF_ONE.len(), OF_TWO.len(), WITH_INTEGER.len());
        let at = self.random.below(one + two + three);
        let mut operands: Vec<Value> = vec![self.finite(ty)];
        let (name, float, double) = if at < one {
            OF_ONE[at]
        } else if at < one + two {
            operands.push(self.finite(ty));
            OF_TWO[at - one]
        } else {
            operands.push(self.index(8));
            WITH_INTEGER[at - one - two]
        };
        let ids: Vec<&str> = operands.iter().map(|value| value.id.as_str()).collect();
        let (id, name_of_type) = (self.id(), self.declarations.ty(ty));
        let mut text = format!("{id} = OpExtInst {name_of_type} %cl {name} {}\n", ids.join(" "));
        let (double_type, ulong) =
            (self.declarations.ty(Ty::scalar(Kind::Float(64))), self.declarations.ty(Ty::ULONG));
        let wide = match ty.bits() {
            64 => id.clone(),
            _ => {
                let _ = writeln!(text, "{id}.w = OpFConvert {double_type} {id}");
                format!("{id}.w")
            }
        };
        let _ = writeln!(text, "{id}.b = OpBitcast {ulong} {wide}");
        let start = self.approximate.len() * self.shape.launched();
        let (pointer, start) = (
            self.declarations.pointer_to("CrossWorkgroup", Ty::ULONG),
            self.declarations.constant(Ty::ULONG, start as u64),
        );
        let _ = writeln!(text, "{id}.i = OpIAdd {ulong} {} {start}", self.named("g"));
        let _ = writeln!(text, "{id}.p = OpInBoundsPtrAccessChain {pointer} {} {id}.i", self.named("near"));
        let _ = writeln!(text, "OpStore {id}.p {id}.b Aligned 8");
        self.push(vec![text], Vec::new(), &[]);
        let limit = if ty.bits() == 32 { float } else { double };
        self.approximate.push(Approximate { name, is_float: ty.bits() == 32, limit });
    }

    /// Returns a finite number.
    fn finite(&mut self, ty: Ty) -> Value {
        let value = self.operand(ty);
        self.template(ty, "$r.f = OpIsFinite $B $a ; $r = OpSelect $T $r.f $a $%1.5", &[value])
    }
}
