//! Reads the output of bindgen, which contains each declaration of a header in Rust, and asserts the sizes of structures and
//! the offsets of their fields.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use regex::Regex;
use syn::{Attribute, Expr, Fields, FnArg, ForeignItem, Ident, Item, Lit, Pat, Type};

/// A name with its documentation.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) doc: String,
}

/// A constant. Those of type `_NAME` are the values of the enumeration `NAME`.
#[derive(Debug)]
pub(super) struct Constant {
    pub(super) of: Named,
    pub(super) kind: String,
    pub(super) value: String,
}

/// A type that is another name of a type.
#[derive(Debug)]
pub(super) struct Alias {
    pub(super) of: Named,
    pub(super) target: String,
}

#[derive(Debug)]
pub(super) struct Structure {
    pub(super) of: Named,
    pub(super) size: usize,
    pub(super) fields: Vec<Field>,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) of: Named,
    pub(super) kind: String,
    pub(super) offset: usize,
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) of: Named,
    /// Names with their types.
    pub(super) parameters: Vec<(String, String)>,
}

/// The declarations of a header, in its order.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    pub(super) constants: Vec<Constant>,
    pub(super) aliases: Vec<Alias>,
    pub(super) structs: Vec<Structure>,
    pub(super) functions: Vec<Function>,
}

impl Bindings {
    /// Parses the output of bindgen.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let layouts = layouts(text)?;
        let mut bindings = Self::default();
        for item in syn::parse_file(text).context("bindgen's output cannot be parsed")?.items {
            match item {
                Item::Const(item) if item.ident != "_" => {
                    let (kind, value) = (type_name(&item.ty)?, value(&item.expr)?);
                    bindings.constants.push(Constant { of: named(&item.ident, &item.attrs), kind, value });
                }
                Item::Type(item) => {
                    let target = type_name(&item.ty)?;
                    bindings.aliases.push(Alias { of: named(&item.ident, &item.attrs), target });
                }
                Item::Struct(item) => bindings.structs.extend(structure(&item, &layouts)?),
                Item::ForeignMod(item) => {
                    for item in item.items {
                        let ForeignItem::Fn(item) = item else { continue };
                        let parameters = item.sig.inputs.iter().map(parameter).collect::<Result<_>>()?;
                        let of = named(&item.sig.ident, &item.attrs);
                        bindings.functions.push(Function { of, parameters });
                    }
                }
                _ => {}
            }
        }
        Ok(bindings)
    }
}

/// Returns sizes by structure, and offsets by structure and field.
fn layouts(text: &str) -> Result<BTreeMap<String, usize>> {
    let assertion =
        Regex::new(r#"\[\s*"(?:Size of|Offset of field:) ([\w:]+)",?\s*\]\s*\[[^;]*?- (\d+)usize\]"#)?;
    let found = assertion.captures_iter(text).map(|found| Ok((found[1].to_owned(), found[2].parse()?)));
    found.collect()
}

/// Returns a structure. An incomplete one has no layout, because programs only have its address.
fn structure(item: &syn::ItemStruct, layouts: &BTreeMap<String, usize>) -> Result<Option<Structure>> {
    let Fields::Named(fields) = &item.fields else { return Ok(None) };
    if fields.named.iter().any(|field| field.ident.as_ref().is_some_and(|name| name == "_unused")) {
        return Ok(None);
    }
    let layout = |name: String| layouts.get(&name).copied().with_context(|| format!("{name} has no layout"));
    let field = |field: &syn::Field| {
        let ident = field.ident.as_ref().context("a field has no name")?;
        let of = named(ident, &field.attrs);
        let offset = layout(format!("{}::{}", item.ident, of.name))?;
        Ok(Field { of, kind: type_name(&field.ty)?, offset })
    };
    let fields = fields.named.iter().map(field).collect::<Result<_>>()?;
    Ok(Some(Structure { of: named(&item.ident, &item.attrs), size: layout(item.ident.to_string())?, fields }))
}

fn parameter(argument: &FnArg) -> Result<(String, String)> {
    let FnArg::Typed(argument) = argument else { bail!("a function is a method") };
    let Pat::Ident(name) = &*argument.pat else { bail!("a parameter has no name") };
    Ok((name.ident.to_string(), type_name(&argument.ty)?))
}

fn named(name: &Ident, attributes: &[Attribute]) -> Named {
    let line = |attribute: &Attribute| match &attribute.meta.require_name_value().ok()?.value {
        Expr::Lit(text) if attribute.path().is_ident("doc") => match &text.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    let doc = attributes.iter().filter_map(line).collect::<Vec<_>>().join("\n");
    Named { name: name.to_string(), doc }
}

/// Returns the text of a constant's value.
fn value(value: &Expr) -> Result<String> {
    match value {
        Expr::Lit(value) => match &value.lit {
            Lit::Int(number) => Ok(number.base10_digits().to_owned()),
            Lit::CStr(text) => Ok(format!("c{:?}", text.value().to_str()?)),
            _ => bail!("a constant is neither a number nor a text"),
        },
        _ => bail!("a constant is not a literal"),
    }
}

/// Returns the text of a type, with names without paths.
fn type_name(of: &Type) -> Result<String> {
    Ok(match of {
        Type::Path(of) => of.path.segments.last().context("a type has no name")?.ident.to_string(),
        Type::Ptr(of) => {
            let mutability = if of.mutability.is_some() { "mut" } else { "const" };
            format!("*{mutability} {}", type_name(&of.elem)?)
        }
        Type::Array(of) => format!("[{}; {}]", type_name(&of.elem)?, value(&of.len)?),
        Type::Reference(of) => format!("&{}", type_name(&of.elem)?),
        _ => bail!("bindgen wrote a type that is neither a name, a pointer nor an array"),
    })
}
