//! Sub-groups: shuffles, blocks, ballots, and what those work-items do that are there.

use sycl_pi_image::spirv::Op;

use crate::code::body::{Body, emit};
use crate::error::Step;
use crate::helpers::lanes::Shuffle;
use crate::types::Kind;

impl Body<'_, '_> {
    /// Sub-groups. Answers whether the instruction is of them.
    pub(crate) fn subgroups(&mut self) -> Step<bool> {
        let (a, b) = (self.operand(3), self.operand(4));
        match self.inst.opcode {
            Op::GroupNonUniformElect => {
                let mask = self.active();
                let lane = self.own_lane();
                let first = self.first_of(&mask);
                self.set(format_args!("icmp eq i32 {lane}, {first}"));
            }
            Op::GroupNonUniformAll | Op::GroupNonUniformAny => {
                let (mask, condition) = (self.active(), self.value(a)?);
                self.masked_vote(self.inst.opcode == Op::GroupNonUniformAny, &mask, &condition)?;
            }
            Op::GroupNonUniformBroadcast | Op::GroupNonUniformShuffle => {
                let (mask, lane) = (self.active(), self.lane_number(b)?);
                self.shuffled(Shuffle::Index, &mask, a, &lane)?;
            }
            Op::GroupNonUniformBroadcastFirst => {
                let mask = self.active();
                let first = self.first_of(&mask);
                self.shuffled(Shuffle::Index, &mask, a, &first)?;
            }
            Op::GroupNonUniformBallot => self.ballot(a)?,
            Op::GroupNonUniformInverseBallot
            | Op::GroupNonUniformBallotBitExtract
            | Op::GroupNonUniformBallotBitCount
            | Op::GroupNonUniformBallotFindLSB
            | Op::GroupNonUniformBallotFindMSB => self.ballot_bits()?,
            Op::GroupNonUniformShuffleXor | Op::GroupNonUniformShuffleUp | Op::GroupNonUniformShuffleDown => {
                let how = match self.inst.opcode {
                    Op::GroupNonUniformShuffleXor => Shuffle::Xor,
                    Op::GroupNonUniformShuffleUp => Shuffle::Up,
                    _ => Shuffle::Down,
                };
                let (mask, lane) = (self.active(), self.lane_number(b)?);
                self.shuffled(how, &mask, a, &lane)?;
            }
            Op::SubgroupShuffleINTEL | Op::SubgroupShuffleXorINTEL => {
                let how =
                    if self.inst.opcode == Op::SubgroupShuffleINTEL { Shuffle::Index } else { Shuffle::Xor };
                let (mask, lane) = (self.whole_mask(), self.lane_number(a)?);
                self.shuffled(how, &mask, self.operand(2), &lane)?;
            }
            Op::SubgroupShuffleDownINTEL | Op::SubgroupShuffleUpINTEL => self.shuffle_two()?,
            Op::SubgroupBlockReadINTEL => self.block_read()?,
            Op::SubgroupBlockWriteINTEL => self.block_write()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn active(&mut self) -> String {
        let helper = self.helpers.active_mask();
        self.new_value(format_args!("call i32 @{helper}()"))
    }

    pub(crate) fn own_lane(&mut self) -> String {
        let helper = self.helpers.lane();
        self.new_value(format_args!("call i32 @{helper}()"))
    }

    fn first_of(&mut self, mask: &str) -> String {
        self.helpers.declare("i32", "llvm.cttz.i32", "i32, i1", "nounwind readnone");
        self.new_value(format_args!("call i32 @llvm.cttz.i32(i32 {mask}, i1 false)"))
    }

    fn ballot(&mut self, condition: u32) -> Step {
        let (mask, condition, helper) = (self.active(), self.value(condition)?, self.helpers.ballot());
        let bits = self.new_value(format_args!("call i32 @{helper}(i32 {mask}, i1 {condition})"));
        let ty = self.text(self.result_type())?.to_owned();
        if ty != "<4 x i32>" {
            return Err("a ballot is a vector of four 32-bit integers".into());
        }
        self.set(format_args!("insertelement {ty} zeroinitializer, i32 {bits}, i32 0"));
        Ok(())
    }

    /// A shuffle along two values side by side: up takes from the first where the lane is below 0, down from the second where it
    /// is above the last.
    fn shuffle_two(&mut self) -> Step {
        let down = self.inst.opcode == Op::SubgroupShuffleDownINTEL;
        let (first, second) = (self.operand(2), self.operand(3));
        let distance = self.lane_number(self.operand(4))?;
        let (ty, bits) = self.exchanged(self.result_type())?;
        let helper = self.helpers.shuffle(Shuffle::Index, &ty, bits);
        let (mask, lane) = (self.whole_mask(), self.own_lane());
        let operation = if down { "add" } else { "sub" };
        let wanted = self.new_value(format_args!("{operation} i32 {lane}, {distance}"));
        let from = self.new_value(format_args!("and i32 {wanted}, 31"));
        let inside = self.new_value(format_args!("icmp ult i32 {wanted}, 32"));
        self.lanes(&[first, second], |body, operands| {
            let [first, second] = operands else { return Err("an operand is missing".into()) };
            let one =
                body.new_value(format_args!("call {ty} @{helper}(i32 {mask}, {ty} {first}, i32 {from})"));
            let two =
                body.new_value(format_args!("call {ty} @{helper}(i32 {mask}, {ty} {second}, i32 {from})"));
            let (near, far) = if down { (one, two) } else { (two, one) };
            Ok(body.new_value(format_args!("select i1 {inside}, {ty} {near}, {ty} {far}")))
        })
    }

    /// The address of this lane's first scalar of a block, as a pointer to scalars of a type: its type and value.
    fn block_address(&mut self, pointer: u32, element: u32) -> Step<(String, String)> {
        let (space, _) = self.program.types.pointer(self.type_of(pointer)?)?;
        let element = self.text(element)?.to_owned();
        let ty = if space == 0 { format!("{element}*") } else { format!("{element} addrspace({space})*") };
        let typed = self.typed(pointer)?;
        let (base, lane) = (self.new_value(format_args!("bitcast {typed} to {ty}")), self.own_lane());
        let own = self.new_value(format_args!("getelementptr {element}, {ty} {base}, i32 {lane}"));
        Ok((ty, own))
    }

    fn block_read(&mut self) -> Step {
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        if !matches!(self.kind(element)?, Kind::Int(_) | Kind::Float(_)) {
            return Err("a block has numbers".into());
        }
        let (pointer, own) = self.block_address(self.operand(2), element)?;
        let (whole, element) = (self.text(ty)?.to_owned(), self.text(element)?.to_owned());
        let Some(count) = count else {
            self.set(format_args!("load {element}, {pointer} {own}"));
            return Ok(());
        };
        let mut all = String::from("undef");
        for at in 0..count {
            let place = at * 32;
            let address =
                self.new_value(format_args!("getelementptr {element}, {pointer} {own}, i32 {place}"));
            let value = self.new_value(format_args!("load {element}, {pointer} {address}"));
            all = self.new_value(format_args!("insertelement {whole} {all}, {element} {value}, i32 {at}"));
        }
        self.copy(ty, &all)
    }

    fn block_write(&mut self) -> Step {
        let (to, value) = (self.operand(0), self.operand(1));
        let (element, count) = self.program.types.scalar(self.type_of(value)?)?;
        let (pointer, own) = self.block_address(to, element)?;
        let element = self.text(element)?.to_owned();
        for at in 0..count.unwrap_or(1) {
            let (place, part) = (at * 32, self.lane_of(value, at)?);
            let address =
                self.new_value(format_args!("getelementptr {element}, {pointer} {own}, i32 {place}"));
            emit!(self, "store {element} {part}, {pointer} {address}");
        }
        Ok(())
    }
}
