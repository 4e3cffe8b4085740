//! Blocks, branches and phis.

use std::collections::HashSet;
use std::fmt::Write;

use sycl_pi_image::spirv::{Op, grammar};

use crate::code::body::{Body, emit};
use crate::error::Result;
use crate::types::TypeKind;

impl Body<'_, '_> {
    pub(crate) fn label(&mut self) -> Result<()> {
        let id = self.operand(0);
        self.block = id;
        let _ = writeln!(self.out, "b{id}:");
        Ok(())
    }

    pub(crate) fn branch(&mut self) -> Result<()> {
        let target = self.operand(0);
        let label = self.edge_label(target)?;
        self.write_masks(None);
        emit!(self, "br label {label}");
        self.vote_on_edge(target);
        Ok(())
    }

    pub(crate) fn branch_conditional(&mut self) -> Result<()> {
        let condition = self.operand(0);
        if *self.kind(self.type_of(condition)?)? != TypeKind::Bool {
            return Err("the condition is not a truth value".into());
        }
        let condition = self.value(condition)?;
        let targets = [self.operand(1), self.operand(2)];
        let [yes, no] = targets.map(|target| self.edge_label(target));
        let (yes, no) = (yes?, no?);
        self.write_masks(Some(&condition));
        emit!(self, "br i1 {condition}, label {yes}, label {no}");
        self.vote_on_edges(&targets);
        Ok(())
    }

    pub(crate) fn return_nothing(&mut self) -> Result<()> {
        emit!(self, "ret void");
        Ok(())
    }

    pub(crate) fn return_value(&mut self) -> Result<()> {
        let value = self.typed(self.operand(0))?;
        emit!(self, "ret {value}");
        Ok(())
    }

    pub(crate) fn unreachable(&mut self) -> Result<()> {
        emit!(self, "unreachable");
        Ok(())
    }

    fn block(&self, id: u32) -> Result<String> {
        let label = self.program.index.definition(id).filter(|inst| inst.opcode == Op::Label);
        match label.filter(|inst| (self.span.first..self.span.end).contains(&inst.number)) {
            Some(_) => Ok(format!("%b{id}")),
            None => Err(format!("%{id} is not a block of this function").into()),
        }
    }

    /// Returns the label to branch to for another block: its own, or that of the votes on the edge.
    fn edge_label(&self, to: u32) -> Result<String> {
        let block = self.block(to)?;
        Ok(self.voting_block(self.block, to).unwrap_or(block))
    }

    /// Returns the label of the votes on the edge from one block to another, if there are any.
    fn voting_block(&self, from: u32, to: u32) -> Option<String> {
        let votes = self.program.masks.votes_between(from, to);
        (!votes.is_empty()).then(|| format!("%b{from}.{to}"))
    }

    /// Writes the votes on the edges to other blocks, each once.
    fn vote_on_edges(&mut self, targets: &[u32]) {
        let mut seen = HashSet::new();
        targets.iter().filter(|target| seen.insert(**target)).for_each(|&target| self.vote_on_edge(target));
    }

    pub(crate) fn phi(&mut self) -> Result<()> {
        let ty = self.result_type();
        let mut text = format!("phi {} ", self.type_text(ty)?);
        let pairs = self.inst.operands.get(2..).unwrap_or_default();
        let (pairs, rest) = pairs.as_chunks::<2>();
        if !rest.is_empty() || pairs.is_empty() {
            return Err("a phi has pairs of a value and a block".into());
        }
        // LLVM needs a pair for each edge, while SPIR-V has one for each block. Code that comes from LLVM may also have
        // one for each edge.
        let mut seen = HashSet::new();
        let mut comma = "";
        for &[value, from] in pairs {
            if self.type_text(self.type_of(value)?)? != self.type_text(ty)? {
                return Err("a value of the phi has another type than the result".into());
            }
            let (value, block) = (self.value(value)?, self.block(from)?);
            if !seen.insert(from) {
                continue;
            }
            let (block, count) = match self.voting_block(from, self.block) {
                Some(voting) => (voting, 1),
                None => (block, self.edges.count(from, self.block)),
            };
            for _ in 0..count {
                let _ = write!(text, "{comma}[ {value}, {block} ]");
                comma = ", ";
            }
        }
        self.set_result(format_args!("{text}"));
        Ok(())
    }

    pub(crate) fn switch(&mut self) -> Result<()> {
        let selector = self.operand(0);
        let ty = self.type_of(selector)?;
        let bits = self.int_bits(ty)?;
        let ty = self.type_text(ty)?.to_owned();
        let (value, default) = (self.value(selector)?, self.edge_label(self.operand(1))?);
        let mut targets = vec![self.operand(1)];
        let mask = if bits < 64 { (1_u64 << bits) - 1 } else { u64::MAX };
        let mut text = format!("switch {ty} {value}, label {default} [");
        for case in grammar::switch_cases(&self.inst, bits > 32) {
            let case = case.ok_or("a case is incomplete")?;
            let _ = write!(text, " {ty} {}, label {}", case.literal & mask, self.edge_label(case.target)?);
            targets.push(case.target);
        }
        self.write_masks(None);
        emit!(self, "{text} ]");
        self.vote_on_edges(&targets);
        Ok(())
    }
}
