//! Sets whose properties are names only: imported and exported symbols ("Device code dynamic linking",
//! sycl-post-link changes), kernel names, kernels that use `assert`.

use std::collections::HashSet;

use super::bytes::SetReader;
use crate::error::PropertyError;
use crate::parts::{Property, Value};

/// What a list of symbols is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SymbolKind {
    /// Needed from another image.
    Import,
    /// Offered to other images.
    Export,
}

/// Names, in the image's order. Each is a property, mostly of type 1 with the value 1; only the name counts.
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

    /// The names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// Whether the set has the name. Takes time in proportion to the number of names.
    pub fn contains(&self, name: &str) -> bool {
        self.iter().any(|other| other == name)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl<S: Into<String>> FromIterator<S> for Symbols {
    /// The names, each once.
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut seen = HashSet::new();
        let names = names.into_iter().map(Into::into).filter(|name: &String| seen.insert(name.clone()));
        Self { names: names.map(|name| (name, Value::Uint32(1))).collect() }
    }
}
