//! Checks of a module's instructions against the grammar of the specification: unknown opcodes, and ids that are never
//! defined.
//!
//! Intel's CPU runtimes terminate the process on both. Only faults that no driver can accept are reported: if the
//! grammar may be older than the module, nothing is reported. Capabilities need no check because drivers refuse those
//! they do not support. Extensions and versions are not checked either, because drivers accept more of them than they
//! list.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind, OperandQuantifier};
use rspirv::spirv::{Capability, Op};

use super::words::{literal, word};

/// The last minor version of SPIR-V 1 that the grammar covers.
const LAST_MINOR: u32 = 6;
/// Opcodes from here on belong to extensions, some of which changed their operands.
const EXTENSIONS: u32 = 4096;

/// The positions of ids in an instruction of the grammar.
#[derive(Default)]
struct InstructionIds {
    /// The word with the result id.
    result: Option<usize>,
    /// The words that are ids of other instructions, as far as this is known without the values of earlier words.
    uses: Vec<usize>,
    /// All words from this one on are such ids.
    rest: Option<usize>,
}

/// The instructions by opcode.
static INSTRUCTIONS: LazyLock<HashMap<u32, InstructionIds>> = LazyLock::new(|| {
    let known = INSTRUCTION_TABLE.iter().map(|inst| {
        let mut ids = InstructionIds::default();
        for (number, operand) in inst.operands.iter().enumerate() {
            let at = number + 1;
            match (operand.quantifier, operand.kind) {
                (OperandQuantifier::One, OperandKind::IdResult) => ids.result = Some(at),
                (OperandQuantifier::One, kind) if is_use(kind) => ids.uses.push(at),
                (OperandQuantifier::One, kind) if is_one_word(kind) => {}
                (OperandQuantifier::ZeroOrMore, OperandKind::IdRef) => {
                    ids.rest = Some(at);
                    break;
                }
                _ => break,
            }
        }
        (inst.opcode as u32, ids)
    });
    known.collect()
});

/// The extensions that introduced an instruction of the grammar.
static KNOWN_EXTENSIONS: LazyLock<HashSet<&[u8]>> = LazyLock::new(|| {
    INSTRUCTION_TABLE.iter().flat_map(|inst| inst.extensions.iter().map(|name| name.as_bytes())).collect()
});

fn is_use(kind: OperandKind) -> bool {
    use OperandKind::*;
    matches!(kind, IdResultType | IdRef | IdScope | IdMemorySemantics)
}

/// Returns whether an operand of this kind is always one word, whatever its value.
fn is_one_word(kind: OperandKind) -> bool {
    use OperandKind::*;
    matches!(kind, FunctionControl | StorageClass | SelectionControl | LiteralInteger)
}

/// Everything recorded about a module.
#[derive(Default)]
pub(super) struct Seen {
    defined: Vec<u32>,
    /// Used ids, each with the word index at which its instruction begins.
    used: Vec<(u32, usize)>,
    /// The first opcode that is not in the grammar, likewise with its word index.
    unknown: Option<(u32, usize)>,
    /// The module declares something that the grammar does not know and that may add instructions.
    is_newer: bool,
    has_function: bool,
}

impl Seen {
    /// Reads an instruction of `words` words that begins at word `at`.
    pub(super) fn read(&mut self, il: &[u8], at: usize, words: usize) {
        let opcode = word(il, at) & 0xffff;
        match Op::from_u32(opcode) {
            Some(Op::Capability) => self.is_newer |= Capability::from_u32(word(il, at + 1)).is_none(),
            Some(Op::Extension) => {
                self.is_newer |= !KNOWN_EXTENSIONS.contains(literal(il, at + 1, at + words));
            }
            Some(Op::Function) => self.has_function = true,
            _ => {}
        }
        let Some(ids) = INSTRUCTIONS.get(&opcode) else {
            // If it has a result, it is one of the first two words.
            self.defined.extend((1..words.min(3)).map(|operand| word(il, at + operand)));
            self.unknown.get_or_insert((opcode, at));
            return;
        };
        let is_there = |operand: &usize| *operand < words;
        self.defined.extend(ids.result.filter(is_there).map(|operand| word(il, at + operand)));
        // Names, decorations and lines are left out, because drivers ignore those of undefined ids.
        if opcode < EXTENSIONS && opcode != Op::Line as u32 && (ids.result.is_some() || self.has_function) {
            let uses = ids.uses.iter().copied().filter(is_there).chain(ids.rest.unwrap_or(words)..words);
            self.used.extend(uses.map(|operand| (word(il, at + operand), at)));
        }
    }

    /// Returns the reason why no driver can accept the module, after it was read to its end.
    pub(super) fn fault(mut self, il: &[u8]) -> Option<String> {
        let minor = word(il, 1) >> 8 & 0xff;
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
