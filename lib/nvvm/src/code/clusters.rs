//! Clusters of a sub-group, and quads, which are clusters of four.

use sycl_pi_image::spirv::GroupOperation;

use crate::code::body::Body;
use crate::error::Result;
use crate::helpers::lanes::Shuffle;
use crate::helpers::reduce::{Reduction, ReductionKind};

impl Body<'_, '_> {
    /// Translates a reduction or scan over the active work-items, in the sub-group or in each of its clusters.
    pub(crate) fn active_reduce(&mut self, reduction: Reduction) -> Result<()> {
        if !self.is_subgroup(self.operand(2))? {
            return Err("only sub-groups can be asked without all work-items".into());
        }
        let is_clustered = self.operand(3) == GroupOperation::ClusteredReduce as u32;
        let part = match is_clustered {
            true => ReductionKind::Reduce,
            false => ReductionKind::from_operand(self.operand(3))?,
        };
        let ty = self.exchanged(self.result_type())?;
        let mut mask = self.active_mask();
        if is_clustered {
            let cluster = self.cluster_size(self.operand(5))?;
            let bits = if cluster < 32 { (1_u32 << cluster) - 1 } else { u32::MAX };
            let (lane, first) = (self.own_lane(), 32 - cluster);
            let first = self.new_value(format_args!("and i32 {lane}, {first}"));
            let members = self.new_value(format_args!("shl i32 {bits}, {first}"));
            mask = self.new_value(format_args!("and i32 {mask}, {members}"));
        }
        self.reduce_among(part, reduction, &mask, &ty)
    }

    /// Sets the result to the value of the work-item a given distance ahead in the sub-group or in each of its
    /// clusters, where the first follows the last.
    pub(crate) fn rotate_lanes(&mut self) -> Result<()> {
        let cluster = match self.inst.operands.get(5) {
            Some(&cluster) => self.cluster_size(cluster)?,
            None => self.size.items(),
        };
        let (mask, lane, delta) = (self.taking_part(), self.own_lane(), self.lane_number(self.operand(4))?);
        let sum = self.new_value(format_args!("add i32 {lane}, {delta}"));
        let from = self.in_cluster(cluster, &lane, &sum);
        self.shuffled(Shuffle::Index, &mask, self.operand(3), &from)
    }

    /// Sets the result to the value of a work-item in the quad.
    pub(crate) fn quad_broadcast(&mut self) -> Result<()> {
        let (mask, lane, which) = (self.taking_part(), self.own_lane(), self.lane_number(self.operand(4))?);
        let from = self.in_cluster(4, &lane, &which);
        self.shuffled(Shuffle::Index, &mask, self.operand(3), &from)
    }

    /// Sets the result to the value of a neighbor in the quad: horizontal, vertical or diagonal.
    pub(crate) fn quad_swap(&mut self) -> Result<()> {
        let bits = match self.number(self.operand(4)) {
            Some(direction @ 0..=2) => (direction + 1).to_string(),
            _ => return Err("a quad has the directions 0, 1 and 2".into()),
        };
        let mask = self.taking_part();
        self.shuffled(Shuffle::Xor, &mask, self.operand(3), &bits)
    }

    /// Returns the lane in the current lane's cluster whose position is the last bits of another number.
    fn in_cluster(&mut self, cluster: u32, lane: &str, number: &str) -> String {
        let first = self.new_value(format_args!("and i32 {lane}, {}", 32 - cluster));
        let place = self.new_value(format_args!("and i32 {number}, {}", cluster - 1));
        self.new_value(format_args!("or i32 {first}, {place}"))
    }

    fn cluster_size(&self, id: u32) -> Result<u32> {
        let most = self.size.items();
        match self.number(id).and_then(|size| u32::try_from(size).ok()) {
            Some(size) if size.is_power_of_two() && size <= most => Ok(size),
            Some(size) => Err(format!("sub-groups of {most} work-items have no clusters of {size}").into()),
            None => Err("the size of clusters is not a constant".into()),
        }
    }
}
