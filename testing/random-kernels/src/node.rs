//! Statements of a kernel, as text with nested statements. Each is valid on its own and defined for any operands, so
//! that it can be dropped. Its results are then replaced by zeros.

use std::collections::BTreeSet;
use std::fmt::Write;

use regex::Regex;

/// A statement: pieces of text, with statements between them.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Its number in the kernel.
    pub(crate) number: usize,
    /// One more than the number of blocks.
    pub(crate) pieces: Vec<String>,
    /// The statements between the pieces.
    pub(crate) blocks: Vec<Vec<Node>>,
    /// Code that fills its variable with zeros if it is dropped, because later statements read the variable.
    pub(crate) filled: String,
    /// The ids that later statements use, each with the id of a zero of its type and that type's id.
    pub(crate) results: Vec<Replaced>,
}

/// The replacement of a result when its statement is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    pub(crate) id: String,
    pub(crate) ty: String,
    pub(crate) zero: String,
}

/// The numbers of omitted statements.
pub(crate) type Dropped = BTreeSet<usize>;

impl Node {
    /// Writes its text.
    pub(crate) fn write(&self, dropped: &Dropped, text: &mut String) {
        if dropped.contains(&self.number) {
            text.push_str(&self.filled);
            for result in &self.results {
                let _ = writeln!(text, "{} = OpCopyObject {} {}", result.id, result.ty, result.zero);
            }
            return;
        }
        for (at, piece) in self.pieces.iter().enumerate() {
            text.push_str(piece);
            if !piece.is_empty() && !piece.ends_with('\n') {
                text.push('\n');
            }
            for node in self.blocks.get(at).into_iter().flatten() {
                node.write(dropped, text);
            }
        }
    }

    /// Collects its number and those of nested statements, outer ones first.
    pub(crate) fn numbers(&self, all: &mut Vec<usize>) {
        all.push(self.number);
        self.blocks.iter().flatten().for_each(|node| node.numbers(all));
    }

    /// Collects the numbers of those of it and its nested statements that have a line which an expression matches.
    pub(crate) fn matching(&self, pattern: &Regex, all: &mut Dropped) {
        if self.pieces.iter().flat_map(|piece| piece.lines()).any(|line| pattern.is_match(line)) {
            all.insert(self.number);
        }
        self.blocks.iter().flatten().for_each(|node| node.matching(pattern, all));
    }
}

/// Removes lines that only compute, and whose result no other line uses.
pub(crate) fn without_unused(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    loop {
        let mut mentions = std::collections::HashMap::<&str, usize>::new();
        for word in lines.iter().flat_map(|line| line.split_whitespace()).filter(|word| word.starts_with('%'))
        {
            *mentions.entry(word).or_default() += 1;
        }
        let before = lines.len();
        lines.retain(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [result, "=", opcode, ..] => mentions.get(result) != Some(&1) || has_effect(opcode),
                ["OpDecorate", target, ..] => mentions.get(target) != Some(&1),
                _ => true,
            }
        });
        if lines.len() == before {
            return lines.join("\n") + "\n";
        }
    }
}

fn has_effect(opcode: &str) -> bool {
    let starts = ["OpAtomic", "OpGroup", "OpSubgroup", "OpFunction", "OpExtInst", "OpLabel"];
    starts.iter().any(|start| opcode.starts_with(start))
}
