//! The naming rule of `_until_LAYOUT`, and the choice of the form that applies to a layout.

use sycl_ur_core::Layout;

/// Returns the suffix of names that exist up to `layout`.
pub(crate) fn ending(layout: Layout) -> String {
    format!("_until_{}", layout.name().replace('.', "_"))
}

/// Returns the `declared` name that applies to `name` in `layout`: the oldest form that is not too old, or the plain
/// name.
pub(crate) fn form_in(declared: impl Fn(&str) -> bool, name: &str, layout: Layout) -> String {
    Layout::ALL
        .into_iter()
        .filter(|until| layout <= *until)
        .map(|until| format!("{name}{}", ending(until)))
        .find(|form| declared(form))
        .unwrap_or_else(|| name.to_owned())
}

#[test]
fn a_layout_has_the_oldest_form_that_reaches_it() {
    let declared = |form: &str| ["x_until_2025_0", "x_until_2025_3"].contains(&form);
    let forms = Layout::ALL.map(|layout| form_in(declared, "x", layout));
    let (oldest, older) = ("x_until_2025_0", "x_until_2025_3");
    assert_eq!(forms, [oldest, older, older, older, "x", "x", "x"]);
}
