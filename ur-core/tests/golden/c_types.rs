//! The single mapping from C types to Rust types.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use sycl_ur_core::Layout;

use crate::data::{layout, list, structs, word, words};
use crate::forms::{ending, form_in};

/// The older forms of structures.
static OLDER: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let golden = structs();
    let older = list(&golden, "structs").iter().flat_map(|of| {
        let (_, older) = list(of, "variants").split_last().unwrap();
        let last = |variant| layout(words(variant, "layouts").last().unwrap());
        older.iter().map(move |variant| word(of, "name").to_owned() + &ending(last(variant)))
    });
    older.collect()
});

/// Returns the Rust type that the crate uses for a C type in `layout`.
pub(crate) fn rust_type(c: &str, layout: Layout) -> String {
    if let Some((element, length)) = c.strip_suffix(']').and_then(|c| c.split_once('[')) {
        return format!("[{}; {length}]", rust_type(element, layout));
    }
    let stars = c.matches('*').count();
    let pointee = c.trim_end_matches('*').trim();
    let (is_const, base) = match pointee.strip_prefix("const ") {
        Some(base) => (true, base),
        None => (false, pointee),
    };
    let mut rust = match base {
        "size_t" => "usize".into(),
        "uint8_t" | "_Bool" => "u8".into(),
        "int32_t" => "i32".into(),
        "uint32_t" => "u32".into(),
        "uint64_t" => "u64".into(),
        "int" => "c_int".into(),
        "float" => "f32".into(),
        "char" => "c_char".into(),
        "void" => "c_void".into(),
        base => form_in(|form| OLDER.contains(form), base, layout),
    };
    for level in 0..stars {
        rust = format!("*{} {rust}", if level == 0 && is_const { "const" } else { "mut" });
    }
    rust
}

/// Normalizes the spacing of a type from `stringify!`, whose token spacing is unspecified.
pub(crate) fn one_spacing(ty: &str) -> String {
    ty.replace("* ", "*").replace(" ;", ";")
}

#[test]
fn types_are_spelled_as_rust_does() {
    let rust = |c| rust_type(c, Layout::NEWEST);
    assert_eq!(rust("const uint8_t**"), "*mut *const u8");
    assert_eq!(rust("uint32_t[3]"), "[u32; 3]");
    assert_eq!(rust("ur_event_handle_t*"), "*mut ur_event_handle_t");
    assert_eq!(
        rust_type("const ur_exp_launch_property_t*", Layout::V2025_0),
        "*const ur_exp_launch_property_t_until_2025_0"
    );
}
