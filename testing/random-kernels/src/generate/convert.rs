//! Conversions between numbers, and the lanes of vectors.

use super::{Generator, Value};
use crate::types::{Kind, Ty};

const ROUNDINGS: [&str; 4] = ["RTE", "RTZ", "RTP", "RTN"];

impl Generator {
    pub(super) fn conversion(&mut self) {
        let from = self.number_type();
        let kind = self.any_kind();
        let to = from.with_kind(kind);
        let value = self.operand(from);
        if self.random.below(5) == 0 {
            self.reinterpreted(&value);
        } else if from != to {
            self.converted(&value, to);
        }
    }

    /// Converts a number to another type with the same number of lanes.
    pub(super) fn converted(&mut self, value: &Value, to: Ty) -> Value {
        let signed = self.random.below(2) == 0;
        let sign = if signed { "S" } else { "U" };
        let operands = std::slice::from_ref(value);
        match (value.ty.kind, to.kind) {
            (Kind::Int(_), Kind::Int(_)) if value.ty.bits() == to.bits() => value.clone(),
            (Kind::Int(_), Kind::Int(_)) => {
                let saturated = self.may_saturate() && self.random.below(3) == 0;
                let template = match (i32::from(!saturated), signed) {
                    (0, true) => "$r = OpSatConvertSToU $T $a",
                    (0, false) => "$r = OpSatConvertUToS $T $a",
                    (_, true) => "$r = OpSConvert $T $a",
                    (_, false) => "$r = OpUConvert $T $a",
                };
                self.template(to, template, operands)
            }
            (Kind::Int(_), Kind::Float(_)) => {
                let value = self.template(to, &format!("$r = OpConvert{sign}ToF $T $a"), operands);
                self.round(&value.id);
                value
            }
            (Kind::Float(_), Kind::Float(_)) if value.ty.bits() == to.bits() => value.clone(),
            (Kind::Float(_), Kind::Float(_)) => {
                let result = self.template(to, "$r = OpFConvert $T $a", operands);
                if to.bits() < value.ty.bits() {
                    self.round(&result.id);
                }
                result
            }
            // Plugins convert NaN differently. Without saturation, numbers must fit.
            (Kind::Float(_), Kind::Int(_)) => {
                let saturated = self.may_saturate() && self.random.below(3) > 0;
                let least = if signed { "-2" } else { "0" };
                let fit = match saturated {
                    true => "$r.f = OpSelect $A $r.n $%1 $a".to_owned(),
                    false => format!(
                        "$r.g = OpExtInst $A %cl fclamp $a $%{least} $%96 ; $r.f = OpSelect $A $r.n $%1.5 $r.g"
                    ),
                };
                let template = format!("$r.n = OpIsNan $B $a ; {fit} ; $r = OpConvertFTo{sign} $T $r.f");
                let result = self.template(to, &template, operands);
                if saturated {
                    self.declarations.line(format!("OpDecorate {} SaturatedConversion", result.id));
                }
                self.round(&result.id);
                result
            }
            _ => self.some_constant(to),
        }
    }

    /// Returns whether conversions may saturate. Intel's CPU runtime lacks most of those that it needs for vectors of
    /// sub-groups.
    fn may_saturate(&self) -> bool {
        self.shape.sub_group.is_none()
    }

    /// Gives a conversion a rounding mode, or leaves the default.
    fn round(&mut self, id: &str) {
        if self.random.below(3) > 0 {
            let direction = ROUNDINGS[self.random.below(4)];
            self.declarations.line(format!("OpDecorate {id} FPRoundingMode {direction}"));
        }
    }

    /// Reinterprets the bits as another type.
    fn reinterpreted(&mut self, value: &Value) {
        let (from, operands) = (value.ty, std::slice::from_ref(value));
        let bits = from.bits() * from.lanes;
        if from.is_float() {
            // Replace every NaN by the same one.
            let to = from.with_kind(Kind::Int(from.bits()));
            self.template(
                to,
                "$r.n = OpIsNan $B $a ; $r.c = OpBitcast $T $a ; $r = OpSelect $T $r.n $n $r.c",
                operands,
            );
        } else if from.lanes == 3 || self.random.below(2) == 0 && from.bits() > 8 {
            if from.bits() > 8 {
                self.template(from.with_kind(Kind::Float(from.bits())), "$r = OpBitcast $T $a", operands);
            }
        } else {
            let width = [8, 16, 32, 64][self.random.below(4)];
            let lanes = bits / width;
            if bits % width == 0 && [1, 2, 4, 8, 16].contains(&lanes) && width != from.bits() {
                let to = Ty { kind: Kind::Int(width), lanes };
                self.template(to, "$r = OpBitcast $T $a", operands);
            }
        }
    }

    /// Returns whether vectors may be indexed. After a barrier, Intel's CPU runtime treats the result as uniform if the
    /// vector is, whatever the index. A vector may be uniform even if this is not known here, for example if a loop
    /// carries it. In a function an index comes from arguments, of which nothing is known.
    fn may_index(&self, index: &Value) -> bool {
        !self.meets || index.uniform && !self.in_function
    }

    /// Takes vectors apart, and combines them.
    pub(super) fn vector(&mut self) {
        let lanes = self.vector_lanes();
        let ty = self.number_type().with_lanes(lanes);
        match self.random.below(9) {
            7 if ty.is_float() => {
                let operands = [self.operand(ty), self.operand(ty.lane())];
                self.template(ty, "$r = OpVectorTimesScalar $T $a $b", &operands);
            }
            // Intel's CPU runtime lacks these for halves, and keeps only 32 of 64 bits.
            7 | 8 if lanes != 3 && ty.bits() < 64 && ty.kind != Kind::Float(16) => {
                // The lowest bits of each number in the mask select a lane.
                let mask = self.operand(ty.with_kind(Kind::Int(ty.bits())));
                let operands = [self.operand(ty), self.operand(ty), mask];
                let template =
                    ["$r = OpExtInst $T %cl shuffle $a $c", "$r = OpExtInst $T %cl shuffle2 $a $b $c"];
                let template = template[self.random.below(2)];
                self.template(ty, template, &operands);
            }
            0 | 1 => {
                let (value, lane) = (self.operand(ty), self.random.below(lanes));
                self.template(ty.lane(), &format!("$r = OpCompositeExtract $T $a {lane}"), &[value]);
            }
            2 => {
                let (lane, whole) = (self.operand(ty.lane()), self.operand(ty));
                let at = self.random.below(lanes);
                self.template(ty, &format!("$r = OpCompositeInsert $T $a $b {at}"), &[lane, whole]);
            }
            3 => {
                let values: Vec<Value> = (0..lanes).map(|_| self.operand(ty.lane())).collect();
                let ids: Vec<&str> = values.iter().map(|value| value.id.as_str()).collect();
                self.template(ty, &format!("$r = OpCompositeConstruct $T {}", ids.join(" ")), &values);
            }
            4 => {
                let other = self.vector_lanes();
                let operands = [self.operand(ty), self.operand(ty)];
                let chosen: Vec<String> =
                    (0..other).map(|_| self.random.below(2 * lanes).to_string()).collect();
                let template = format!("$r = OpVectorShuffle $T $a $b {}", chosen.join(" "));
                self.template(ty.with_lanes(other), &template, &operands);
            }
            5 => {
                let operands = [
                    self.operand(ty),
                    self.index(lanes.next_power_of_two() / if lanes == 3 { 2 } else { 1 }),
                ];
                if self.may_index(&operands[1]) {
                    self.template(ty.lane(), "$r = OpVectorExtractDynamic $T $a $b", &operands);
                }
            }
            _ => {
                let below = if lanes == 3 { 2 } else { lanes };
                let operands = [self.operand(ty), self.operand(ty.lane()), self.index(below)];
                if self.may_index(&operands[2]) {
                    self.template(ty, "$r = OpVectorInsertDynamic $T $a $b $c", &operands);
                }
            }
        }
    }
}
