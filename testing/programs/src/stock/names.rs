//! Parses the mangled name of a kernel into its function and its types.

use super::values::Type;

/// The name of a template with its first arguments, if those are built-in types.
pub(super) struct Template<'n> {
    pub(super) name: &'n str,
    pub(super) types: Vec<Type>,
}

/// Returns the last template whose name has this suffix, such as in
/// `_ZTSN5dpctl6tensor7kernels3add17add_contig_kernelIfffLj4ELj2EEE`.
pub(super) fn template<'n>(kernel: &'n str, ending: &str) -> Option<Template<'n>> {
    let end = kernel.find(&format!("{ending}I"))? + ending.len();
    let before = kernel.get(..end)?;
    // The name is preceded by its length.
    let name = (1..=before.len())
        .filter_map(|length| Some((length, before.get(before.len() - length..)?)))
        .find(|(length, name)| {
            let digits = length.to_string();
            let in_front = before.get(..before.len() - name.len()).unwrap_or_default();
            in_front.ends_with(&digits) && !name.starts_with(|c: char| c.is_ascii_digit())
        });
    let (_, name) = name?;
    let types = kernel.get(end + 1..)?.chars().map_while(Type::of_code).collect();
    Some(Template { name, types })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_types() {
        let kernel = "_ZTSN5dpctl6tensor7kernels8subtract22subtract_contig_kernelIhdbLj4ELj2EEE";
        let found = template(kernel, "_contig_kernel").unwrap();
        assert_eq!(
            (found.name, found.types.as_slice()),
            ("subtract_contig_kernel", &[Type::U8, Type::F64, Type::Bool][..])
        );
        let complex = template("_ZTSN17add_contig_kernelISt7complexIfEfEE", "_contig_kernel").unwrap();
        assert!(complex.types.is_empty());
        assert!(template("_ZTS4VAdd", "_contig_kernel").is_none());
    }
}
