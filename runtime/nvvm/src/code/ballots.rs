//! Questions about ballots: vectors of 128 bits, of which the first 32 belong to a sub-group.

use sycl_pi_image::spirv::{BuiltIn, Op};

use crate::code::body::Body;
use crate::error::Step;
use crate::helpers::reduce::Part;

impl Body<'_, '_> {
    /// The instructions on ballots.
    pub(crate) fn ballot_bits(&mut self) -> Step {
        let counts = self.inst.opcode == Op::GroupNonUniformBallotBitCount;
        let (ballot, ty) = (self.operand(if counts { 4 } else { 3 }), self.result_type());
        if self.text(self.type_of(ballot)?)? != "<4 x i32>" {
            return Err("a ballot is a vector of four 32-bit integers".into());
        }
        let word = self.lane_of(ballot, 0)?;
        if matches!(self.inst.opcode, Op::GroupNonUniformInverseBallot | Op::GroupNonUniformBallotBitExtract)
        {
            let at = match self.inst.opcode {
                Op::GroupNonUniformInverseBallot => self.own_lane(),
                _ => self.lane_number(self.operand(4))?,
            };
            // A shift by 32 or more is undefined, and no work-item has such a number.
            let inside = self.new_value(format_args!("icmp ult i32 {at}, 32"));
            let shifted = self.new_value(format_args!("lshr i32 {word}, {at}"));
            let bit = self.new_value(format_args!("trunc i32 {shifted} to i1"));
            self.set(format_args!("select i1 {inside}, i1 {bit}, i1 false"));
            return Ok(());
        }
        let value = match self.inst.opcode {
            Op::GroupNonUniformBallotBitCount => {
                let counted = self.counted_bits(&word)?;
                self.call_bits("ctpop", "", &counted)
            }
            Op::GroupNonUniformBallotFindLSB => self.call_bits("cttz", ", i1 false", &word),
            _ => {
                let zeros = self.call_bits("ctlz", ", i1 false", &word);
                self.new_value(format_args!("sub i32 31, {zeros}"))
            }
        };
        let bits = self.int_bits(ty)?;
        let value = self.resize(&value, 32, bits);
        self.copy(ty, &value)
    }

    /// Those bits of a ballot that the part of a count takes.
    fn counted_bits(&mut self, word: &str) -> Step<String> {
        let which = match Part::of(self.operand(3))? {
            Part::Reduce => return Ok(word.to_owned()),
            Part::Inclusive => BuiltIn::SubgroupLeMask,
            Part::Exclusive => BuiltIn::SubgroupLtMask,
        };
        let mask = self.lane_mask(which, 0);
        Ok(self.new_value(format_args!("and i32 {word}, {mask}")))
    }

    fn call_bits(&mut self, name: &str, more: &str, word: &str) -> String {
        let parameters = if more.is_empty() { "i32" } else { "i32, i1" };
        let function = format!("llvm.{name}.i32");
        self.helpers.declare("i32", &function, parameters, "nounwind readnone");
        self.new_value(format_args!("call i32 @{function}(i32 {word}{more})"))
    }
}
