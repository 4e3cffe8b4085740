//! Sets whose properties are only names: imported and exported symbols ("Device code dynamic linking", sycl-post-link
//! changes), kernel names, kernels that use `assert`.

use std::collections::HashSet;

use super::bytes::SetReader;
use crate::error::PropertyError;
use crate::parts::{Property, Value};

/// The meaning of a list of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SymbolKind {
    /// Symbols that another image must provide.
    Import,
    /// Symbols that the image offers to others.
    Export,
}

/// Names, in the image's order. Each is a property, mostly of type 1 with the value 1; only the name matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    names: Vec<(String, Value<'static>)>,
}

impl Symbols {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let names = set.properties().map(|field| Ok((field.name().to_owned(), field.owned_value()?)));
        Ok(Self { names: names.collect::<Result<_, PropertyError>>()? })
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        self.names.iter().map(|(name, value)| Property::new(name.clone(), value.clone())).collect()
    }

    /// Iterates over the names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// Returns whether the set contains the name. Takes time proportional to the number of names.
    pub fn contains(&self, name: &str) -> bool {
        self.iter().any(|other| other == name)
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl<S: Into<String>> FromIterator<S> for Symbols {
    /// Collects the names without duplicates.
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut seen = HashSet::new();
        let names = names.into_iter().map(Into::into).filter(|name: &String| seen.insert(name.clone()));
        Self { names: names.map(|name| (name, Value::Uint32(1))).collect() }
    }
}
