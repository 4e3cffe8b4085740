//! Reads the constants from pi-core's source. cbindgen cannot convert constants to enumerators, so that their text
//! is needed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::syntax;

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number.
    Integer(i128),
    /// A NUL-terminated string.
    Text(String),
}

/// A constant of `pi-core/src/consts`.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    /// Its C name.
    pub(super) name: String,
    /// Its Rust type, as written.
    pub(super) ty: String,
    /// Its value.
    pub(super) value: Value,
    /// Its comment.
    pub(super) docs: Vec<String>,
}

/// Reads all constants, ordered by file name and by their order in each file.
pub(super) fn read(root: &Path) -> Result<Vec<Constant>> {
    let folder = root.join("pi-core/src/consts");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let mut constants = Vec::new();
    for file in files {
        from_items(syntax::parse(&file)?.items, &mut constants)?;
    }
    Ok(constants)
}

fn from_items(items: Vec<syn::Item>, constants: &mut Vec<Constant>) -> Result<()> {
    for item in items {
        if let syn::Item::Const(item) = item
            && item.ident != "_"
        {
            let ty = &item.ty;
            let name = item.ident.to_string();
            let value =
                value(&item.expr).with_context(|| format!("the value of {name} is not understood"))?;
            let ty = quote::quote!(#ty).to_string().replace(' ', "");
            constants.push(Constant { name, ty, value, docs: syntax::docs(&item.attrs) });
        }
    }
    Ok(())
}

fn value(expression: &syn::Expr) -> Result<Value> {
    match expression {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => {
            Ok(Value::Integer(number.base10_parse()?))
        }
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::CStr(text), .. }) => {
            Ok(Value::Text(text.value().into_string()?))
        }
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => match value(expr)? {
            Value::Integer(number) => Ok(Value::Integer(-number)),
            Value::Text(_) => bail!("a text cannot be negative"),
        },
        syn::Expr::Cast(cast) => value(&cast.expr),
        _ => bail!("neither a number nor a text"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Vec<(String, String, Value)> {
        let mut constants = Vec::new();
        from_items(syn::parse_file(text).unwrap().items, &mut constants).unwrap();
        constants.into_iter().map(|constant| (constant.name, constant.ty, constant.value)).collect()
    }

    #[test]
    fn numbers_of_every_spelling_are_read() {
        let text = "pub const A: pi_result = -30; pub const B: u64 = 0x1_0; pub const C: q = -1i64 as u64;";
        let values: Vec<Value> = read_text(text).into_iter().map(|(_, _, value)| value).collect();
        assert_eq!(values, [Value::Integer(-30), Value::Integer(16), Value::Integer(-1)]);
    }

    #[test]
    fn texts_are_read_and_assertions_skipped() {
        let text = "pub const A: &CStr = c\"spir64\"; const _: () = assert!(true);";
        assert_eq!(read_text(text), [("A".into(), "&CStr".into(), Value::Text("spir64".into()))]);
    }
}
