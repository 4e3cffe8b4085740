//! Work-group memory that is not an argument in the source.

use std::collections::BTreeSet;

use super::uses::Users;
use crate::property::{ImplicitLocalArgs, LocalArg};
use crate::spirv::{Index, Reflection, StorageClass};

/// Marks memory whose size is known only at launch; the pointer to it is the last argument.
const PLACEHOLDER: &str = "__sycl_dynamicLocalMemoryPlaceholder";
/// Marks memory whose size the compiler knows.
const FIXED: &str = "WGLocalMem";

pub(super) fn implicit_args(index: &Index<'_>, reflection: &Reflection) -> ImplicitLocalArgs {
    let named = |prefix: &str| -> BTreeSet<u32> {
        let local =
            reflection.globals.iter().filter(|global| global.storage == Some(StorageClass::Workgroup));
        let named = local.filter(|global| global.name.as_ref().is_some_and(|name| name.starts_with(prefix)));
        named.map(|global| global.id).collect()
    };
    let (placeholders, fixed) = (named(PLACEHOLDER), named(FIXED));
    let (placeholders, fixed) =
        (Users::new(index, reflection, &placeholders), Users::new(index, reflection, &fixed));
    let mut kernels = Vec::new();
    for entry in &reflection.entry_points {
        let last = (entry.arguments.len() as u32).checked_sub(1);
        let has_placeholder = placeholders.has(entry.id);
        match last.filter(|_| has_placeholder) {
            Some(last) => kernels.push((entry.name.clone(), LocalArg::Argument(last))),
            None if has_placeholder || fixed.has(entry.id) => {
                kernels.push((entry.name.clone(), LocalArg::Static));
            }
            None => {}
        }
    }
    ImplicitLocalArgs { kernels }
}
