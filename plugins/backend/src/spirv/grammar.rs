//! Checks of a module's instructions against the grammar of the specification: unknown opcodes, and ids that are never
//! defined.
//!
//! Intel's CPU runtimes terminate the process on both. Only faults that no driver can accept are reported: if the
//! grammar may be older than the module, nothing is reported. Capabilities need no check because drivers refuse those
//! they do not support. Extensions and versions are not checked either, because drivers accept more of them than they
//! list.

use sycl_pi_spirv::{Capability, Inst, Op, grammar};

/// The last minor version of SPIR-V 1 that the grammar covers.
const LAST_MINOR: u32 = 6;
/// Opcodes from here on belong to extensions, some of which changed their operands.
const EXTENSIONS: u16 = 4096;

/// Everything recorded about a module.
#[derive(Default)]
pub(super) struct Seen {
    defined: Vec<u32>,
    /// Used ids, each with the index of its instruction's first word.
    used: Vec<(u32, usize)>,
    /// The first opcode that is not in the grammar, likewise with such an index.
    unknown: Option<(u16, usize)>,
    /// The module declares something that the grammar does not know and that may add instructions.
    is_newer: bool,
    has_function: bool,
}

impl Seen {
    pub(super) fn read(&mut self, inst: &Inst<'_>) {
        match inst.opcode {
            Op::Capability => self.is_newer |= Capability::from_u32(inst.operand(0)).is_none(),
            Op::Extension => self.is_newer |= !grammar::knows_extension(&inst.text_bytes(0)),
            Op::Function => self.has_function = true,
            _ => {}
        }
        if grammar::name(inst.raw_opcode).is_none() {
            // If it has a result, it is one of the first two words.
            self.defined.extend(inst.operands.iter().take(2));
            self.unknown.get_or_insert((inst.raw_opcode, inst.word));
            return;
        }
        self.defined.extend(grammar::result(inst));
        // Names, decorations and lines are left out, because drivers ignore those of undefined ids.
        let is_ignored = inst.raw_opcode >= EXTENSIONS || inst.opcode == Op::Line;
        let (_, has_result) = grammar::results(inst.opcode);
        if !is_ignored && (has_result || self.has_function) {
            grammar::leading_ids(inst, |at| self.used.push((inst.operand(at), inst.word)));
        }
    }

    /// Returns the reason why no driver can accept the module, after it was read to its end.
    pub(super) fn fault(mut self, version: u32) -> Option<String> {
        let minor = version >> 8 & 0xff;
        if let Some((opcode, at)) = self.unknown.filter(|_| !self.is_newer && minor <= LAST_MINOR) {
            let byte = 4 * at;
            return Some(format!(
                "the instruction at byte {byte} has the opcode {opcode}, which neither SPIR-V 1.{minor} nor a \
                 declared extension has"
            ));
        }
        self.defined.sort_unstable();
        let (id, at) = self.used.into_iter().find(|(id, _)| self.defined.binary_search(id).is_err())?;
        Some(format!("the instruction at byte {} names %{id}, which nothing defines", 4 * at))
    }
}
