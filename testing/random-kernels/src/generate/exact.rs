//! Operations whose results are exact or correctly rounded: integers, floating-point numbers, comparisons.

use testing_nvvm::{FLOAT_COMPARISONS, INTEGER_COMPARISONS};

use super::{Generator, Value};
use crate::types::{Kind, Ty};

/// Operations on up to two integers of one type.
const INTEGERS: &[&str] = &[
    "$r = OpIAdd $T $a $b",
    "$r = OpISub $T $a $b",
    "$r = OpIMul $T $a $b",
    "$r = OpBitwiseOr $T $a $b",
    "$r = OpBitwiseXor $T $a $b",
    "$r = OpBitwiseAnd $T $a $b",
    "$r = OpNot $T $a",
    "$r = OpSNegate $T $a",
    "$r = OpBitCount $T $a",
    "$r.m = OpBitwiseAnd $T $b $m ; $r = OpShiftLeftLogical $T $a $r.m",
    "$r.m = OpBitwiseAnd $T $b $m ; $r = OpShiftRightLogical $T $a $r.m",
    "$r.m = OpBitwiseAnd $T $b $m ; $r = OpShiftRightArithmetic $T $a $r.m",
    "$r.d = OpBitwiseOr $T $b $#1 ; $r = OpUDiv $T $a $r.d",
    "$r.d = OpBitwiseOr $T $b $#1 ; $r = OpUMod $T $a $r.d",
    "$r.o = OpBitwiseOr $T $b $#1 ; $r.e = OpIEqual $B $r.o $#ffffffffffffffff ; $r.d = OpSelect $T $r.e $#1 $r.o ; $r = OpSDiv $T $a $r.d",
    "$r.o = OpBitwiseOr $T $b $#1 ; $r.e = OpIEqual $B $r.o $#ffffffffffffffff ; $r.d = OpSelect $T $r.e $#1 $r.o ; $r = OpSRem $T $a $r.d",
    "$r.o = OpBitwiseOr $T $b $#1 ; $r.e = OpIEqual $B $r.o $#ffffffffffffffff ; $r.d = OpSelect $T $r.e $#1 $r.o ; $r = OpSMod $T $a $r.d",
    "$r = OpExtInst $T %cl s_max $a $b",
    "$r = OpExtInst $T %cl s_min $a $b",
    "$r = OpExtInst $T %cl u_max $a $b",
    "$r = OpExtInst $T %cl u_min $a $b",
    "$r = OpExtInst $T %cl s_abs_diff $a $b",
    "$r = OpExtInst $T %cl u_abs_diff $a $b",
    "$r = OpExtInst $T %cl s_hadd $a $b",
    "$r = OpExtInst $T %cl u_hadd $a $b",
    "$r = OpExtInst $T %cl s_rhadd $a $b",
    "$r = OpExtInst $T %cl u_rhadd $a $b",
    "$r = OpExtInst $T %cl s_add_sat $a $b",
    "$r = OpExtInst $T %cl u_add_sat $a $b",
    "$r = OpExtInst $T %cl s_sub_sat $a $b",
    "$r = OpExtInst $T %cl u_sub_sat $a $b",
    "$r = OpExtInst $T %cl s_mul_hi $a $b",
    "$r = OpExtInst $T %cl u_mul_hi $a $b",
    "$r = OpExtInst $T %cl rotate $a $b",
    "$r = OpExtInst $T %cl clz $a",
    "$r = OpExtInst $T %cl ctz $a",
    "$r = OpExtInst $T %cl popcount $a",
    "$r = OpExtInst $T %cl s_abs $a",
    "$r = OpExtInst $T %cl u_abs $a",
    "$r = OpExtInst $T %cl bitselect $a $b $c",
    "$r = OpExtInst $T %cl s_mad_hi $a $b $c",
    "$r = OpExtInst $T %cl u_mad_hi $a $b $c",
    "$r.l = OpExtInst $T %cl s_min $b $c ; $r.h = OpExtInst $T %cl s_max $b $c ; $r = OpExtInst $T %cl s_clamp $a $r.l $r.h",
    "$r.l = OpExtInst $T %cl u_min $b $c ; $r.h = OpExtInst $T %cl u_max $b $c ; $r = OpExtInst $T %cl u_clamp $a $r.l $r.h",
    "$r = OpExtInst $T %cl select $a $b $c",
];

/// Operations on 32-bit integers.
const INTEGERS_32: &[&str] = &[
    "$r.a = OpBitwiseAnd $T $a $#7fffff ; $r.b = OpBitwiseAnd $T $b $#7fffff ; $r = OpExtInst $T %cl s_mul24 $r.a $r.b",
    "$r.a = OpBitwiseAnd $T $a $#ffffff ; $r.b = OpBitwiseAnd $T $b $#ffffff ; $r = OpExtInst $T %cl u_mul24 $r.a $r.b",
    "$r.a = OpBitwiseAnd $T $a $#7fffff ; $r.b = OpBitwiseAnd $T $b $#7fffff ; $r = OpExtInst $T %cl s_mad24 $r.a $r.b $c",
    "$r.a = OpBitwiseAnd $T $a $#ffffff ; $r.b = OpBitwiseAnd $T $b $#ffffff ; $r = OpExtInst $T %cl u_mad24 $r.a $r.b $c",
];

/// Operations that widen integers of 8 to 32 bits to twice the width.
const UPSAMPLED: &[&str] =
    &["$r = OpExtInst $T %cl u_upsample $a $b", "$r = OpExtInst $T %cl s_upsample $a $b"];

/// Operations on floating-point numbers of one type. Where OpenCL or SPIR-V leaves the sign of zero open, adding zero
/// gives both the same sign.
const FLOATS: &[&str] = &[
    "$r = OpFAdd $T $a $b",
    "$r = OpFSub $T $a $b",
    "$r = OpFMul $T $a $b",
    "$r = OpFNegate $T $a",
    "$r = OpExtInst $T %cl fabs $a",
    "$r = OpExtInst $T %cl floor $a",
    "$r = OpExtInst $T %cl ceil $a",
    "$r = OpExtInst $T %cl trunc $a",
    "$r = OpExtInst $T %cl rint $a",
    "$r = OpExtInst $T %cl round $a",
    "$r.z = OpExtInst $T %cl fmax $a $b ; $r = OpFAdd $T $r.z $%0",
    "$r.z = OpExtInst $T %cl fmin $a $b ; $r = OpFAdd $T $r.z $%0",
    "$r.z = OpExtInst $T %cl maxmag $a $b ; $r = OpFAdd $T $r.z $%0",
    "$r.z = OpExtInst $T %cl minmag $a $b ; $r = OpFAdd $T $r.z $%0",
    "$r = OpExtInst $T %cl fdim $a $b",
    "$r.n = OpIsNan $B $b ; $r.b = OpSelect $T $r.n $%1 $b ; $r = OpExtInst $T %cl copysign $a $r.b",
    "$r.n = OpUnordered $B $a $b ; $r.s = OpExtInst $T %cl step $a $b ; $r = OpSelect $T $r.n $%1 $r.s",
    "$r = OpExtInst $T %cl sign $a",
    "$r.z = OpExtInst $T %cl fclamp $a $%-2 $%1024 ; $r.n = OpIsNan $B $a ; $r.y = OpSelect $T $r.n $%1 $r.z ; $r = OpFAdd $T $r.y $%0",
    "$r.f = OpExtInst $T %cl modf $a $v ; $r.w = OpLoad $T $v ; $r = OpFSub $T $r.w $r.f",
    "$r = OpExtInst $T %cl nextafter $a $b",
];

/// Operations on `float` and `double` only.
const WIDE_FLOATS: &[&str] = &[
    "$r = OpFDiv $T $a $b",
    "$r = OpExtInst $T %cl fma $a $b $c",
    "$r = OpExtInst $T %cl fmod $a $b",
    "$r.z = OpFRem $T $a $b ; $r = OpFAdd $T $r.z $%0",
    "$r.f = OpIsFinite $B $a ; $r.a = OpSelect $T $r.f $a $%1.5 ; $r.m = OpExtInst $T %cl frexp $r.a $w ; $r.e = OpLoad $I $w ; $r.x = OpConvertSToF $T $r.e ; $r = OpFAdd $T $r.m $r.x",
    "$r.z = OpExtInst $T %cl fract $a $v ; $r.w = OpLoad $T $v ; $r.s = OpFAdd $T $r.z $r.w ; $r = OpFAdd $T $r.s $%0",
];

const MORE_FLOAT_COMPARISONS: &[&str] = &["OpOrdered", "OpUnordered", "OpLessOrGreater"];
const CLASSES: &[&str] = &["OpIsNan", "OpIsInf", "OpIsFinite", "OpIsNormal"];
const LOGIC: &[&str] = &["OpLogicalAnd", "OpLogicalOr", "OpLogicalEqual", "OpLogicalNotEqual"];

impl Generator {
    pub(super) fn integer(&mut self) {
        let ty = self.integer_type();
        if ty.bits() > 8 && self.random.below(20) == 0 {
            let half = ty.with_kind(Kind::Int(ty.bits() / 2));
            let operands = [half; 2].map(|ty| self.operand(ty));
            let template = UPSAMPLED[self.random.below(2)];
            self.template(ty, template, &operands);
            return;
        }
        let table = if ty.bits() == 32 && self.random.below(10) == 0 { INTEGERS_32 } else { INTEGERS };
        self.one_of(ty, table);
    }

    pub(super) fn floating(&mut self) {
        let ty = self.float_type();
        let table = if ty.bits() > 16 && self.random.below(4) == 0 { WIDE_FLOATS } else { FLOATS };
        self.one_of(ty, table);
    }

    fn one_of(&mut self, ty: Ty, table: &[&str]) {
        let operands = [ty; 3].map(|ty| self.operand(ty));
        let mut template = table[self.random.below(table.len())];
        // After a barrier, Intel's CPU runtime takes a negated number for the first work-item's.
        if self.meets && template.contains("OpFNegate") {
            template = "$r = OpFAdd $T $a $b";
        }
        self.template(ty, template, &operands);
    }

    /// Generates one or several truth values.
    pub(super) fn compare(&mut self, lanes: usize) -> Value {
        let truth = Ty::BOOL.with_lanes(lanes);
        let ty = self.number_type().with_lanes(lanes);
        let operands = [ty; 2].map(|ty| self.operand(ty));
        if ty.is_float() && self.random.below(4) == 0 {
            let opcode = CLASSES[self.random.below(CLASSES.len())];
            return self.template(truth, &format!("$r = {opcode} $T $a"), &operands);
        }
        let floats = [FLOAT_COMPARISONS, MORE_FLOAT_COMPARISONS];
        let table = if ty.is_int() { INTEGER_COMPARISONS.to_vec() } else { floats.concat() };
        let opcode = table[self.random.below(table.len())];
        self.template(truth, &format!("$r = {opcode} $T $a $b"), &operands)
    }

    /// Generates truth values, and uses of them.
    pub(super) fn comparison(&mut self) {
        let ty = self.number_type();
        let truth = ty.with_kind(Kind::Bool);
        match self.random.below(5) {
            0 => drop(self.compare(ty.lanes)),
            1 => {
                let operands = [truth; 2].map(|ty| self.operand(ty));
                let opcode = LOGIC[self.random.below(LOGIC.len())];
                self.template(truth, &format!("$r = {opcode} $T $a $b"), &operands);
            }
            2 => {
                let operand = self.operand(truth);
                match (truth.lanes, self.random.below(2)) {
                    (1, _) => self.template(truth, "$r = OpLogicalNot $T $a", &[operand]),
                    (_, 0) => self.template(Ty::BOOL, "$r = OpAny $T $a", &[operand]),
                    _ => self.template(Ty::BOOL, "$r = OpAll $T $a", &[operand]),
                };
            }
            _ => {
                let condition = self.operand(truth);
                let [yes, no] = [ty; 2].map(|ty| self.operand(ty));
                self.template(ty, "$r = OpSelect $T $a $b $c", &[condition, yes, no]);
            }
        }
    }
}
