//! Sub-groups: shuffles, blocks, ballots, and operations of the active work-items.

use crate::code::body::Body;
use crate::error::Result;
use crate::helpers::lanes::Shuffle;
use crate::types::TypeKind;

impl Body<'_, '_> {
    /// Returns whether this is the first active work-item.
    pub(crate) fn elect(&mut self) -> Result<()> {
        let mask = self.active_mask();
        let lane = self.own_lane();
        let first = self.first_of(&mask);
        self.set_result(format_args!("icmp eq i32 {lane}, {first}"));
        Ok(())
    }

    /// Translates a vote: whether a condition holds for any, or for all, active work-items.
    pub(crate) fn active_vote(&mut self, any: bool) -> Result<()> {
        let (mask, condition) = (self.taking_part(), self.value(self.operand(3))?);
        self.masked_vote(any, &mask, &condition)
    }

    /// Translates the test whether a scalar is the same for all active work-items.
    pub(crate) fn all_equal(&mut self) -> Result<()> {
        let (value, mask) = (self.operand(3), self.active_mask());
        let exchanged = self.exchanged(self.type_of(value)?)?;
        let ty = self.type_text(self.type_of(value)?)?.to_owned();
        if ty != exchanged.text {
            return Err("only scalars can be compared among work-items".into());
        }
        let helper = self.helpers.shuffle(self.size, Shuffle::Index, &exchanged);
        let (first, value) = (self.first_of(&mask), self.value(value)?);
        let other =
            self.new_value(format_args!("call {ty} @{helper}(i32 {mask}, {ty} {value}, i32 {first})"));
        let comparison = match self.kind(self.type_of(self.operand(3))?)? {
            TypeKind::Float(_) => "fcmp oeq",
            _ => "icmp eq",
        };
        let equal = self.new_value(format_args!("{comparison} {ty} {value}, {other}"));
        self.masked_vote(false, &mask, &equal)
    }

    /// Translates a shuffle among the active work-items.
    pub(crate) fn active_shuffle(&mut self, how: Shuffle) -> Result<()> {
        let (mask, lane) = (self.taking_part(), self.lane_number(self.operand(4))?);
        self.shuffled(how, &mask, self.operand(3), &lane)
    }

    pub(crate) fn broadcast_first(&mut self) -> Result<()> {
        let mask = self.active_mask();
        let first = self.first_of(&mask);
        self.shuffled(Shuffle::Index, &mask, self.operand(3), &first)
    }

    /// Translates a shuffle that all work-items of the sub-group reach.
    pub(crate) fn subgroup_shuffle(&mut self, how: Shuffle) -> Result<()> {
        let (mask, lane) = (self.taking_part(), self.lane_number(self.operand(3))?);
        self.shuffled(how, &mask, self.operand(2), &lane)
    }

    pub(crate) fn own_lane(&mut self) -> String {
        let helper = self.helpers.lane(self.size);
        self.new_value(format_args!("call i32 @{helper}()"))
    }

    fn first_of(&mut self, mask: &str) -> String {
        self.helpers.declare("i32", "llvm.cttz.i32", "i32, i1", "nounwind readnone");
        self.new_value(format_args!("call i32 @llvm.cttz.i32(i32 {mask}, i1 false)"))
    }

    /// Translates a shuffle across two values: up reads from the first if the lane is below 0, down from the second if
    /// it is above the last.
    pub(crate) fn shuffle_two(&mut self, how: Shuffle) -> Result<()> {
        let down = how == Shuffle::Down;
        let (first, second) = (self.operand(2), self.operand(3));
        let distance = self.lane_number(self.operand(4))?;
        let ty = self.exchanged(self.result_type())?;
        let helper = self.helpers.shuffle(self.size, Shuffle::Index, &ty);
        let ty = ty.text;
        let (mask, lane) = (self.taking_part(), self.own_lane());
        let operation = if down { "add" } else { "sub" };
        let wanted = self.new_value(format_args!("{operation} i32 {lane}, {distance}"));
        let most = self.size.items();
        let from = self.new_value(format_args!("and i32 {wanted}, {}", most - 1));
        let inside = self.new_value(format_args!("icmp ult i32 {wanted}, {most}"));
        self.lanes(&[first, second], |body, operands| {
            let [first, second] = operands else { return Err("an operand is missing".into()) };
            let from_first =
                body.new_value(format_args!("call {ty} @{helper}(i32 {mask}, {ty} {first}, i32 {from})"));
            let from_second =
                body.new_value(format_args!("call {ty} @{helper}(i32 {mask}, {ty} {second}, i32 {from})"));
            let (near, far) = if down { (from_first, from_second) } else { (from_second, from_first) };
            Ok(body.new_value(format_args!("select i1 {inside}, {ty} {near}, {ty} {far}")))
        })
    }

    /// Returns the type and value of the address of this lane's first scalar in a block, as a pointer to scalars of a
    /// type.
    fn block_address(&mut self, pointer: u32, element: u32) -> Result<(String, String)> {
        let (space, _) = self.program.types.pointer(self.type_of(pointer)?)?;
        let element = self.type_text(element)?.to_owned();
        let ty = space.pointer_to(&element);
        let typed = self.typed(pointer)?;
        let (base, lane) = (self.new_value(format_args!("bitcast {typed} to {ty}")), self.own_lane());
        let own = self.new_value(format_args!("getelementptr {element}, {ty} {base}, i32 {lane}"));
        Ok((ty, own))
    }

    /// Translates a block read: neighboring work-items read neighboring scalars.
    pub(crate) fn block_read(&mut self) -> Result<()> {
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        if !matches!(self.kind(element)?, TypeKind::Int(_) | TypeKind::Float(_)) {
            return Err("a block has numbers".into());
        }
        let from = self.operand(2);
        let (pointer, own) = self.block_address(from, element)?;
        let (whole, element) = (self.type_text(ty)?.to_owned(), self.type_text(element)?.to_owned());
        let Some(count) = count else {
            let value = self.load_scalar(from, &element, (&pointer, &own))?;
            return self.copy(ty, &value);
        };
        let mut all = String::from("undef");
        for at in 0..count {
            let place = at * self.size.items();
            let address =
                self.new_value(format_args!("getelementptr {element}, {pointer} {own}, i32 {place}"));
            let value = self.load_scalar(from, &element, (&pointer, &address))?;
            all = self.new_value(format_args!("insertelement {whole} {all}, {element} {value}, i32 {at}"));
        }
        self.copy(ty, &all)
    }

    pub(crate) fn block_write(&mut self) -> Result<()> {
        let (to, value) = (self.operand(0), self.operand(1));
        let (element, count) = self.program.types.scalar(self.type_of(value)?)?;
        let (pointer, own) = self.block_address(to, element)?;
        let element = self.type_text(element)?.to_owned();
        for at in 0..count.unwrap_or(1) {
            let (place, part) = (at * self.size.items(), self.lane_of(value, at)?);
            let address =
                self.new_value(format_args!("getelementptr {element}, {pointer} {own}, i32 {place}"));
            self.store_scalar(to, (&element, &part), (&pointer, &address))?;
        }
        Ok(())
    }
}
