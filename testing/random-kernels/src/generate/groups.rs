//! Operations of the work-items of a work-group or sub-group.

use super::{Generator, Value};
use crate::types::{Kind, Ty};

/// Reductions with the same result in any order.
const REDUCTIONS: [&str; 5] = ["OpGroupIAdd", "OpGroupUMin", "OpGroupUMax", "OpGroupSMin", "OpGroupSMax"];
const FLOAT_REDUCTIONS: [&str; 2] = ["OpGroupFMin", "OpGroupFMax"];
const NON_UNIFORM: [&str; 9] = [
    "OpGroupNonUniformIAdd",
    "OpGroupNonUniformIMul",
    "OpGroupNonUniformUMin",
    "OpGroupNonUniformUMax",
    "OpGroupNonUniformSMin",
    "OpGroupNonUniformSMax",
    "OpGroupNonUniformBitwiseAnd",
    "OpGroupNonUniformBitwiseOr",
    "OpGroupNonUniformBitwiseXor",
];
const PARTS: [&str; 3] = ["Reduce", "InclusiveScan", "ExclusiveScan"];
const GROUP: u64 = 2;
const SUB_GROUP: u64 = 3;

impl Generator {
    pub(super) fn group(&mut self) {
        match self.shape.sub_group {
            Some(size) if self.random.below(4) > 0 => self.sub_group(size),
            _ => self.work_group(),
        }
    }

    /// Marks the last value as uniform in the work-group or not. A scan's result never is, whatever was scanned.
    fn same_for_all(&mut self, is_same: bool) {
        if let Some(value) = self.values.last_mut() {
            value.uniform = is_same;
        }
    }

    fn work_group(&mut self) {
        let scope = self.declarations.uint(GROUP);
        match self.random.below(5) {
            0 => {
                let (operand, opcode) =
                    (self.operand(Ty::BOOL), ["OpGroupAll", "OpGroupAny"][self.random.below(2)]);
                self.template(Ty::BOOL, &format!("$r = {opcode} $T {scope} $a"), &[operand]);
                self.same_for_all(true);
            }
            // If sub-groups have 32 work-items, Intel's CPU runtime takes the first work-item's value.
            1 if self.shape.sub_group.is_none() => {
                let ty = self.wide_type();
                let operand = self.operand(ty);
                let local = self.shape.local;
                let at = local.map(|size| {
                    let axis = self.random.below(size);
                    self.declarations.constant(Ty::ULONG, axis as u64)
                });
                let v3 = self.declarations.ty(Ty::ULONG.with_lanes(3));
                let template = format!(
                    "$r.i = OpCompositeConstruct {v3} {} ; $r = OpGroupBroadcast $T {scope} $a $r.i",
                    at.join(" ")
                );
                self.template(ty, &template, &[operand]);
                self.same_for_all(true);
            }
            _ => self.reduce(&scope, true),
        }
    }

    /// Returns a type of 32 or 64 bits.
    fn wide_type(&mut self) -> Ty {
        let bits = [32, 64][self.random.below(2)];
        Ty::scalar([Kind::Int(bits), Kind::Int(bits), Kind::Float(bits)][self.random.below(3)])
    }

    fn reduce(&mut self, scope: &str, is_whole: bool) {
        let ty = self.wide_type();
        let (operand, part) = (self.operand(ty), PARTS[self.random.below(3)]);
        if ty.is_int() {
            let opcode = REDUCTIONS[self.random.below(5)];
            self.template(ty, &format!("$r = {opcode} $T {scope} {part} $a"), &[operand]);
        } else {
            // The specification leaves open the sign of zero, and NaN.
            let opcode = FLOAT_REDUCTIONS[self.random.below(2)];
            let template = format!(
                "$r.n = OpIsNan $B $a ; $r.s = OpSelect $T $r.n $%1.5 $a ; $r.z = {opcode} $T {scope} {part} $r.s ; \
                 $r = OpFAdd $T $r.z $%0"
            );
            self.template(ty, &template, &[operand]);
        }
        self.same_for_all(is_whole && part == "Reduce");
    }

    fn sub_group(&mut self, size: usize) {
        let scope = self.declarations.uint(SUB_GROUP);
        let bits = [8, 16, 32, 64][self.random.below(4)];
        let integer = Ty::scalar(Kind::Int(bits));
        let any = self.wide_type();
        match self.random.below(14) {
            0 => self.reduce(&scope, false),
            1 => {
                let operand = self.operand(Ty::BOOL);
                let opcode = ["OpGroupAll", "OpGroupAny"][self.random.below(2)];
                self.template(Ty::BOOL, &format!("$r = {opcode} $T {scope} $a"), &[operand]);
            }
            2 => {
                let lane = self.declarations.uint(self.random.below(size) as u64);
                let operand = self.operand(any);
                self.template(any, &format!("$r = OpGroupBroadcast $T {scope} $a {lane}"), &[operand]);
            }
            3 => {
                let operands = [self.operand(any), self.index(size)];
                let opcode = ["OpSubgroupShuffleINTEL", "OpSubgroupShuffleXorINTEL"][self.random.below(2)];
                self.template(any, &format!("$r = {opcode} $T $a $b"), &operands);
            }
            4 => {
                let delta = self.declarations.uint(self.random.below(size) as u64);
                let operands = [self.operand(any), self.operand(any)];
                let opcode = ["OpSubgroupShuffleUpINTEL", "OpSubgroupShuffleDownINTEL"][self.random.below(2)];
                self.template(any, &format!("$r = {opcode} $T $a $b {delta}"), &operands);
            }
            5 => {
                let operands = [self.operand(any), self.index(size)];
                let opcode =
                    ["OpGroupNonUniformShuffle", "OpGroupNonUniformShuffleXor"][self.random.below(2)];
                self.template(any, &format!("$r = {opcode} $T {scope} $a $b"), &operands);
            }
            6 => self.shuffle_by(any, size, &scope),
            7 | 8 => {
                let operand = self.operand(integer);
                let (opcode, part) = (NON_UNIFORM[self.random.below(9)], PARTS[self.random.below(3)]);
                self.template(integer, &format!("$r = {opcode} $T {scope} {part} $a"), &[operand]);
            }
            9 => self.ballot(&scope),
            10 => {
                let operand = self.operand(any);
                self.template(
                    any,
                    &format!("$r = OpGroupNonUniformBroadcastFirst $T {scope} $a"),
                    &[operand],
                );
            }
            11 => {
                let operand = self.operand(Ty::BOOL);
                let opcode = ["OpGroupNonUniformAll", "OpGroupNonUniformAny"][self.random.below(2)];
                self.template(Ty::BOOL, &format!("$r = {opcode} $T {scope} $a"), &[operand]);
            }
            12 => self.block_read(size),
            _ => {
                let name = ["SubgroupLocalInvocationId", "SubgroupId", "NumSubgroups", "SubgroupSize"]
                    [self.random.below(4)];
                let (id, uint) = (self.id(), self.declarations.ty(Ty::UINT));
                let variable = self.declarations.builtin(name, Ty::UINT);
                let uniform = matches!(name, "NumSubgroups" | "SubgroupSize");
                self.define(
                    id.clone(),
                    Ty::UINT,
                    uniform,
                    format!("{id} = OpLoad {uint} {variable} Aligned 4\n"),
                );
            }
        }
        // Sub-groups of a work-group differ.
        if let Some(value) = self.values.last_mut().filter(|value| value.id.starts_with('%')) {
            value.uniform &= value.ty == Ty::UINT && value.uniform;
        }
    }

    /// Shuffles by a distance. Lanes without a partner keep their own value.
    fn shuffle_by(&mut self, ty: Ty, size: usize, scope: &str) {
        let (opcode, comparison) = [
            ("OpGroupNonUniformShuffleUp", "OpUGreaterThanEqual"),
            ("OpGroupNonUniformShuffleDown", "OpULessThan"),
        ][self.random.below(2)];
        let delta = self.random.below(size);
        let limit = if comparison == "OpULessThan" { size - delta } else { delta };
        let [delta, limit] = [delta, limit].map(|number| self.declarations.uint(number as u64));
        let variable = self.declarations.builtin("SubgroupLocalInvocationId", Ty::UINT);
        let (uint, operand) = (self.declarations.ty(Ty::UINT), self.operand(ty));
        let template = format!(
            "$r.l = OpLoad {uint} {variable} Aligned 4 ; $r.c = {comparison} $B $r.l {limit} ; \
             $r.s = {opcode} $T {scope} $a {delta} ; $r = OpSelect $T $r.c $r.s $a"
        );
        self.template(ty, &template, &[operand]);
    }

    fn ballot(&mut self, scope: &str) {
        let operand = self.operand(Ty::BOOL);
        let v4 = self.declarations.ty(Ty::UINT.with_lanes(4));
        let ballot = format!("$r.b = OpGroupNonUniformBallot {v4} {scope} $a");
        let rest = match self.random.below(4) {
            0 => "$r = OpCompositeExtract $T $r.b 0".to_owned(),
            1 => {
                format!(
                    "$r = OpGroupNonUniformBallotBitCount $T {scope} {} $r.b",
                    PARTS[self.random.below(3)]
                )
            }
            _ => {
                let opcode = ["OpGroupNonUniformBallotFindLSB", "OpGroupNonUniformBallotFindMSB"]
                    [self.random.below(2)];
                let truth = self.declarations.ty(Ty::BOOL);
                let all_false = self.declarations.uint(99);
                // Without any active lane there is no first one.
                format!(
                    "$r.w = OpCompositeExtract $T $r.b 0 ; $r.e = OpIEqual {truth} $r.w {} ; $r.f = {opcode} $T {scope} $r.b ; \
                     $r = OpSelect $T $r.e {all_false} $r.f",
                    self.declarations.uint(0)
                )
            }
        };
        self.template(Ty::UINT, &format!("{ballot} ; {rest}"), &[operand]);
    }

    /// Reads neighboring elements of the input.
    fn block_read(&mut self, size: usize) {
        let ty = Ty::scalar(Kind::Int([16, 32, 64][self.random.below(3)]))
            .with_lanes([1, 2, 4][self.random.below(3)]);
        let pointer = self.declarations.pointer_to("CrossWorkgroup", ty.lane());
        let at = self.declarations.constant(Ty::ULONG, (self.random.below(4) * size) as u64);
        let base = self.named("in");
        let template = format!(
            "$r.b = OpBitcast {pointer} {base} ; $r.p = OpInBoundsPtrAccessChain {pointer} $r.b {at} ; \
             $r = OpSubgroupBlockReadINTEL $T $r.p"
        );
        let unused: [Value; 0] = [];
        self.template(ty, &template, &unused);
        if let Some(value) = self.values.last_mut() {
            value.uniform = false;
        }
    }
}
