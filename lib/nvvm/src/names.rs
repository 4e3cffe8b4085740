//! Symbols: the names that PTX accepts, and those that the translator reserves.

use std::collections::HashSet;

use crate::subgroup_size::SubgroupSize;

/// The dynamic shared memory of a launch.
pub(crate) const DYNAMIC: &str = "__dyn";

/// The symbols of a module, each assigned once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    given: HashSet<String>,
}

impl Names {
    /// Returns the symbol of something that a host can name. This is its own name if that is free and valid in PTX, and
    /// otherwise the other name.
    pub(crate) fn visible(&mut self, name: &str, other: String) -> String {
        let symbol =
            if is_symbol(name) && !is_ours(name) && !self.given.contains(name) { name.into() } else { other };
        self.given.insert(symbol.clone());
        symbol
    }
}

/// PTX's own constants.
const CONSTANTS: [&str; 1] = ["WARP_SZ"];

/// Returns whether both PTX and libnvvm accept a name. In PTX, a name of one character must be a letter.
fn is_symbol(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let starts_well = match name.as_bytes() {
        [] => false,
        [only] => only.is_ascii_alphabetic(),
        [first, ..] => !first.is_ascii_digit(),
    };
    starts_well && !CONSTANTS.contains(&name) && name.bytes().all(allowed)
}

/// Returns whether a name looks like one that the translator makes or that a library defines.
fn is_ours(name: &str) -> bool {
    let is_number = |rest: &str| {
        rest.starts_with(|first: char| first.is_ascii_digit())
            && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    let numbered = name.strip_prefix(['f', 'g', 'k']).is_some_and(is_number);
    let reserved = ["__spirv_", "__nv", "llvm", "nvvm", "vprintf", "__assertfail"];
    numbered || name == DYNAMIC || reserved.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the symbol of a function for a sub-group size.
pub(crate) fn function(id: u32, size: SubgroupSize) -> String {
    match size {
        SubgroupSize::Warp => format!("f{id}"),
        _ => format!("f{id}_{size}"),
    }
}

/// Returns the symbol of a variable.
pub(crate) fn variable(id: u32) -> String {
    format!("g{id}")
}
