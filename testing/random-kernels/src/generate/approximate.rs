//! Functions of OpenCL.std whose results may differ a little. They are stored, and not computed with.

use std::fmt::Write;

use super::{Generator, Value};
use crate::kernel::{Approximate, NEAR};
use crate::types::{Kind, Ty};

/// Names, and OpenCL's limits in units in the last place for `float` and `double`.
const ONE: &[(&str, f64, f64)] = &[
    ("acos", 4.0, 4.0),
    ("acosh", 4.0, 4.0),
    ("acospi", 5.0, 5.0),
    ("asin", 4.0, 4.0),
    ("asinh", 4.0, 4.0),
    ("asinpi", 5.0, 5.0),
    ("atan", 5.0, 5.0),
    ("atanh", 5.0, 5.0),
    ("atanpi", 5.0, 5.0),
    ("cbrt", 2.0, 2.0),
    ("cos", 4.0, 4.0),
    ("cosh", 4.0, 4.0),
    ("cospi", 4.0, 4.0),
    ("degrees", 2.0, 2.0),
    ("erf", 16.0, 16.0),
    ("erfc", 16.0, 16.0),
    ("exp", 3.0, 3.0),
    ("exp2", 3.0, 3.0),
    ("exp10", 3.0, 3.0),
    ("expm1", 3.0, 3.0),
    ("log", 3.0, 3.0),
    ("log2", 3.0, 3.0),
    ("log10", 3.0, 3.0),
    ("log1p", 2.0, 2.0),
    ("logb", 0.0, 0.0),
    ("radians", 2.0, 2.0),
    ("rsqrt", 2.0, 2.0),
    ("sin", 4.0, 4.0),
    ("sinh", 4.0, 4.0),
    ("sinpi", 4.0, 4.0),
    ("sqrt", 3.0, 0.5),
    ("tan", 5.0, 5.0),
    ("tanh", 5.0, 5.0),
    ("tanpi", 6.0, 6.0),
    ("tgamma", 16.0, 16.0),
];
const TWO: &[(&str, f64, f64)] = &[
    ("atan2", 6.0, 6.0),
    ("atan2pi", 6.0, 6.0),
    ("hypot", 4.0, 4.0),
    ("pow", 16.0, 16.0),
    ("powr", 16.0, 16.0),
    ("remainder", 0.0, 0.0),
];
const WITH_INTEGER: &[(&str, f64, f64)] = &[("pown", 16.0, 16.0), ("rootn", 16.0, 16.0), ("ldexp", 0.0, 0.0)];

impl Generator {
    pub(super) fn approximate(&mut self) {
        if self.approximate.len() >= NEAR {
            return;
        }
        let ty = Ty::scalar(Kind::Float([32, 64][self.random.below(2)]));
        let (one, two, three) = (ONE.len(), TWO.len(), WITH_INTEGER.len());
        let at = self.random.below(one + two + three);
        let mut operands: Vec<Value> = vec![self.finite(ty)];
        let (name, float, double) = if at < one {
            ONE[at]
        } else if at < one + two {
            operands.push(self.finite(ty));
            TWO[at - one]
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

    /// A number that is finite.
    fn finite(&mut self, ty: Ty) -> Value {
        let value = self.operand(ty);
        self.template(ty, "$r.f = OpIsFinite $B $a ; $r = OpSelect $T $r.f $a $%1.5", &[value])
    }
}
