//! Operations on ballots: vectors of 128 bits, of which the first 32 or fewer belong to a sub-group.

use sycl_pi_image::spirv::BuiltIn;

use crate::code::body::Body;
use crate::error::Result;
use crate::helpers::reduce::ReductionKind;
use crate::subgroup_size::SubgroupSize;
use crate::types::TypeKind;

impl Body<'_, '_> {
    /// Translates a ballot: which of the active work-items a condition holds for.
    pub(crate) fn ballot(&mut self) -> Result<()> {
        let (mask, condition) = (self.taking_part(), self.value(self.operand(3))?);
        let helper = self.helpers.ballot(self.size);
        let bits = self.new_value(format_args!("call i32 @{helper}(i32 {mask}, i1 {condition})"));
        self.check_ballot(self.result_type())?;
        let ty = self.type_text(self.result_type())?.to_owned();
        self.set_result(format_args!("insertelement {ty} zeroinitializer, i32 {bits}, i32 0"));
        Ok(())
    }

    /// Sets the result to the bit of the current work-item.
    pub(crate) fn inverse_ballot(&mut self) -> Result<()> {
        let word = self.ballot_word(self.operand(3))?;
        let at = self.own_lane();
        self.set_bit(&word, &at)
    }

    /// Sets the result to the bit of a given work-item.
    pub(crate) fn ballot_bit_extract(&mut self) -> Result<()> {
        let word = self.ballot_word(self.operand(3))?;
        let at = self.lane_number(self.operand(4))?;
        self.set_bit(&word, &at)
    }

    pub(crate) fn ballot_bit_count(&mut self) -> Result<()> {
        let word = self.ballot_word(self.operand(4))?;
        let counted = self.counted_bits(&word)?;
        let count = self.call_bits("ctpop", "", &counted);
        self.set_resized(&count)
    }

    pub(crate) fn ballot_find_lowest(&mut self) -> Result<()> {
        let word = self.ballot_word(self.operand(3))?;
        let lowest = self.call_bits("cttz", ", i1 false", &word);
        self.set_resized(&lowest)
    }

    pub(crate) fn ballot_find_highest(&mut self) -> Result<()> {
        let word = self.ballot_word(self.operand(3))?;
        let zeros = self.call_bits("ctlz", ", i1 false", &word);
        let highest = self.new_value(format_args!("sub i32 31, {zeros}"));
        self.set_resized(&highest)
    }

    /// Returns the bits of a ballot that belong to a sub-group.
    fn ballot_word(&mut self, ballot: u32) -> Result<String> {
        self.check_ballot(self.type_of(ballot)?)?;
        let word = self.lane_of(ballot, 0)?;
        Ok(self.cut_to_subgroup(word))
    }

    /// Restricts a word to the bits of the sub-group's lanes.
    pub(crate) fn cut_to_subgroup(&mut self, word: String) -> String {
        match self.size {
            SubgroupSize::Warp => word,
            size => self.new_value(format_args!("and i32 {word}, {}", size.bits())),
        }
    }

    fn check_ballot(&self, ty: u32) -> Result<()> {
        let (element, count) = self.program.types.scalar(ty)?;
        match (self.kind(element)?, count) {
            (TypeKind::Int(32), Some(4)) => Ok(()),
            _ => Err("a ballot is a vector of four 32-bit integers".into()),
        }
    }

    fn set_bit(&mut self, word: &str, at: &str) -> Result<()> {
        // A shift by 32 or more is undefined, and no work-item has such a number.
        let inside = self.new_value(format_args!("icmp ult i32 {at}, 32"));
        let shifted = self.new_value(format_args!("lshr i32 {word}, {at}"));
        let bit = self.new_value(format_args!("trunc i32 {shifted} to i1"));
        self.set_result(format_args!("select i1 {inside}, i1 {bit}, i1 false"));
        Ok(())
    }

    /// Sets the result to an `i32` resized to the result's width.
    fn set_resized(&mut self, value: &str) -> Result<()> {
        let ty = self.result_type();
        let bits = self.int_bits(ty)?;
        let value = self.resize(value, 32, bits);
        self.copy(ty, &value)
    }

    /// Returns the bits of a ballot that a count or scan includes.
    fn counted_bits(&mut self, word: &str) -> Result<String> {
        let which = match ReductionKind::from_operand(self.operand(3))? {
            ReductionKind::Reduce => return Ok(word.to_owned()),
            ReductionKind::Inclusive => BuiltIn::SubgroupLeMask,
            ReductionKind::Exclusive => BuiltIn::SubgroupLtMask,
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
