//! Valid modules, mutated: instructions, operands and constants are replaced by others of the same type.
//!
//! Their behaviour is always defined, even after a mutation: shifts and divisors come from lines that are never
//! changed, whose results start with `%pin`. Memory is only accessed by the base's own lines, and loops count with
//! pinned numbers.

mod bases;
mod classes;

use anyhow::Result;

use crate::{Random, elementwise};
use bases::base;
pub use classes::{FLOAT_COMPARISONS, INTEGER_COMPARISONS};
use classes::{class_of, ext_class_of};

/// A mutated module. Its kernel `k` takes the addresses of the results and of three columns of numbers.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The module.
    pub module: Vec<u8>,
    /// The type of all numbers, e.g. `uchar` or `float`.
    pub ty: &'static str,
    /// The code, for messages.
    pub text: String,
}

/// The maximum number of mutations of a module.
const MOST: usize = 8;

/// Returns the mutant for a generator's state.
///
/// # Errors
///
/// Fails if the module cannot be assembled, which is a bug of this code.
pub fn mutant(random: &mut Random) -> Result<Mutant> {
    let base = base(random);
    let mut lines: Vec<String> = base.code.lines().map(|line| line.trim().to_owned()).collect();
    lines.retain(|line| !line.is_empty());
    let mut declarations: Vec<String> =
        base.declarations.lines().map(|line| line.trim().to_owned()).collect();
    for _ in 0..=random.below(MOST) {
        if random.below(6) == 0 {
            constant(&mut declarations, random);
        } else {
            let at = random.below(lines.len());
            mutate(&mut lines, at, &declarations, random);
        }
    }
    let (declarations, text) = (declarations.join("\n"), lines.join("\n"));
    let ty = format!("%{}", base.ty);
    let module = elementwise(&declarations, &[ty.as_str(); 3], &ty, &text)?;
    Ok(Mutant { module, ty: base.ty, text: format!("{declarations}\n{text}") })
}

/// Gives a constant another value.
fn constant(declarations: &mut [String], random: &mut Random) {
    let at = random.below(declarations.len());
    let Some(line) = declarations.get_mut(at) else { return };
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, "=", "OpConstant", ty, _] = words.as_slice() else { return };
    if name.starts_with("%pin") {
        return;
    }
    let value = if matches!(*ty, "%float" | "%double") {
        const FLOATS: [&str; 8] = ["0", "-0.5", "1", "1.5", "-3", "1e10", "0.3333333", "65536"];
        FLOATS.get(random.below(FLOATS.len())).copied().unwrap_or("0").to_owned()
    } else {
        // Fits into the smallest type.
        random.below(128).to_string()
    };
    *line = format!("{name} = OpConstant {ty} {value}");
}

/// Changes the instruction of a line, or an operand.
fn mutate(lines: &mut [String], at: usize, declarations: &[String], random: &mut Random) {
    let Some(words) =
        lines.get(at).map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    else {
        return;
    };
    let mut words = words;
    let [result, "=", opcode, ..] = words.iter().map(String::as_str).collect::<Vec<_>>()[..] else { return };
    if result.starts_with("%pin") || opcode == "OpPhi" || opcode == "OpLabel" {
        return;
    }
    let opcode = opcode.to_owned();
    // The position of the operands: after an extended instruction's set and name.
    let (class, place) = if opcode == "OpExtInst" {
        let name = words.get(5).cloned().unwrap_or_default();
        (ext_class_of(&name), 5)
    } else {
        (class_of(&opcode), 2)
    };
    if random.below(2) == 0 {
        if let (Some(class), Some(word)) = (class, words.get_mut(place)) {
            *word = class.get(random.below(class.len())).copied().unwrap_or_default().to_owned();
        }
    } else {
        let first = if opcode == "OpExtInst" { 6 } else { 4 };
        let place = first + random.below(words.len().saturating_sub(first));
        let Some(operand) = words.get(place).cloned() else { return };
        let Some(operand_type) = type_of(&operand, lines, declarations) else { return };
        if operand.starts_with("%pin") {
            return;
        }
        let others = known(lines, at, declarations, &operand_type);
        if let (Some(other), Some(word)) = (others.get(random.below(others.len())), words.get_mut(place)) {
            word.clone_from(other);
        }
    }
    if let Some(line) = lines.get_mut(at) {
        *line = words.join(" ");
    }
}

/// Returns the result and type of a line that has both.
fn defined(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    match (words.next()?, words.next()?, words.next()?, words.next()) {
        (result, "=", opcode, Some(ty)) if opcode != "OpLabel" => Some((result, ty)),
        _ => None,
    }
}

fn type_of(id: &str, lines: &[String], declarations: &[String]) -> Option<String> {
    if matches!(id, "%v0" | "%v1" | "%v2") {
        return declarations.iter().find_map(|line| line.strip_prefix("; numbers ")).map(str::to_owned);
    }
    let all = lines.iter().chain(declarations).filter_map(|line| defined(line));
    all.into_iter().find(|(result, _)| *result == id).map(|(_, ty)| ty.to_owned())
}

/// Returns the ids of a type that are defined at a line: columns, constants, and results of the first block and of
/// the line's own.
fn known(lines: &[String], at: usize, declarations: &[String], ty: &str) -> Vec<String> {
    let before = lines.get(..at).unwrap_or_default();
    let is_label = |line: &String| line.contains(" = OpLabel");
    let first = before.iter().position(is_label).unwrap_or(before.len());
    let own = before.iter().rposition(is_label).unwrap_or(0);
    let numbers = declarations.iter().find_map(|line| line.strip_prefix("; numbers "));
    let columns = ["%v0", "%v1", "%v2"].into_iter().filter(|_| numbers == Some(ty)).map(str::to_owned);
    let constants = declarations.iter().filter(|line| line.contains("OpConstant"));
    let results =
        before.iter().enumerate().filter(|(line, _)| *line < first || *line >= own).map(|(_, line)| line);
    let ids = constants.chain(results).filter_map(|line| defined(line)).filter(|(_, other)| *other == ty);
    columns.chain(ids.map(|(id, _)| id.to_owned())).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use sycl_pi_nvvm::{Options, translate};

    #[test]
    fn mutants_are_valid_and_differ() {
        let mut modules = std::collections::BTreeSet::new();
        for number in 0..400 {
            let mutant = mutant(&mut Random::new(number)).unwrap();
            let translated = translate(&[&mutant.module], &Options::default());
            assert!(translated.is_ok(), "{number}: {translated:?}\n{}", mutant.text);
            modules.insert(mutant.module);
        }
        assert!(modules.len() > 350, "{} of 400 differ", modules.len());
    }
}
