//! Assertions about the layout of structures in memory.

use std::fmt::Write as _;

/// The macro that a generated file needs for [`assertion`].
pub(super) const MACRO: &str = "
/// Fails to compile if a structure has another size, alignment or offset than on the 64-bit systems that ship releases.
macro_rules! layout {
    ($name:ident: $size:literal $alignment:literal; $($field:ident $offset:literal)*) => {
        #[cfg(target_pointer_width = \"64\")]
        const _: () = {
            assert!(size_of::<$name>() == $size);
            assert!(align_of::<$name>() == $alignment);
            $(assert!(core::mem::offset_of!($name, $field) == $offset);)*
        };
    };
}
";

/// Returns the assertion about a structure, whose fields are given with their offsets.
pub(super) fn assertion<'a>(
    name: &str,
    size: usize,
    alignment: usize,
    fields: impl Iterator<Item = (&'a str, usize)>,
) -> String {
    let mut out = format!("layout!({name}: {size} {alignment};");
    for (field, offset) in fields {
        let _ = write!(out, " {} {offset}", field_name(field));
    }
    out + ");\n"
}

/// Returns the name of a field in Rust.
pub(super) fn field_name(name: &str) -> &str {
    if name == "type" { "type_" } else { name }
}
