//! `SYCL/program metadata`: facts about kernels and variables, each property named `SUBJECT@TAG`.

use std::collections::HashMap;

use super::bytes::{Field, SetReader, numbers};
use crate::error::PropertyError;
use crate::parts::{Property, Value};

/// A metadata value of a kernel or variable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetadataValue {
    /// A number of type 1: `@work_group_num_dim`, `@reqd_sub_group_size`, `@max_linear_work_group_size`.
    Number(u32),
    /// One to three 4-byte numbers, fastest dimension first: `@reqd_work_group_size`, `@max_work_group_size`.
    Sizes(Vec<u32>),
    /// Text without a terminator: `@global_id_mapping`, the variable's name in the code.
    Text(String),
    /// A value with an unknown tag or of another type.
    Other(Value<'static>),
}

/// A fact about a kernel or variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataEntry {
    /// The kernel, or the variable's unique id; the whole name if it contains no `@`.
    pub subject: String,
    /// The part after the last `@`.
    pub tag: Option<String>,
    /// The value.
    pub value: MetadataValue,
}

/// Facts about kernels and variables, in the image's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramMetadata {
    /// The facts.
    pub entries: Vec<MetadataEntry>,
}

impl ProgramMetadata {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let entries = set.properties().map(|field| {
            let (subject, tag) = match field.name().rsplit_once('@') {
                Some((subject, tag)) => (subject, Some(tag)),
                None => (field.name(), None),
            };
            let value = value(&field, tag)?;
            Ok(MetadataEntry { subject: subject.into(), tag: tag.map(str::to_owned), value })
        });
        Ok(Self { entries: entries.collect::<Result<_, PropertyError>>()? })
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let property = |entry: &MetadataEntry| {
            let name = match &entry.tag {
                Some(tag) => format!("{}@{tag}", entry.subject),
                None => entry.subject.clone(),
            };
            let value = match &entry.value {
                MetadataValue::Number(number) => Value::Uint32(*number),
                MetadataValue::Sizes(sizes) => numbers(sizes),
                MetadataValue::Text(text) => Value::byte_array(text.as_bytes()),
                MetadataValue::Other(value) => value.clone(),
            };
            Property::new(name, value)
        };
        self.entries.iter().map(property).collect()
    }

    /// Returns the value of a subject's tag.
    pub fn get(&self, subject: &str, tag: &str) -> Option<&MetadataValue> {
        let mut entries = self.entries.iter();
        let found = entries.find(|entry| entry.subject == subject && entry.tag.as_deref() == Some(tag));
        found.map(|entry| &entry.value)
    }

    /// Returns the name in the code of the device global with this unique id. [`global_names`](Self::global_names)
    /// returns all names.
    pub fn global_name(&self, unique_id: &str) -> Option<&str> {
        match self.get(unique_id, "global_id_mapping")? {
            MetadataValue::Text(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the names in the code of all device globals, by their unique ids.
    pub fn global_names(&self) -> HashMap<&str, &str> {
        let mut names = HashMap::new();
        for entry in self.entries.iter().filter(|entry| entry.tag.as_deref() == Some("global_id_mapping")) {
            if let MetadataValue::Text(name) = &entry.value {
                names.insert(entry.subject.as_str(), name.as_str());
            }
        }
        names
    }
}

/// Decodes the value as its tag requires, or keeps it unchanged.
fn value(field: &Field<'_>, tag: Option<&str>) -> Result<MetadataValue, PropertyError> {
    let known = match tag {
        Some("reqd_work_group_size" | "max_work_group_size") => {
            let sizes = field.numbers().ok().filter(|sizes| (1..=3).contains(&sizes.len()));
            sizes.map(MetadataValue::Sizes)
        }
        Some("work_group_num_dim" | "reqd_sub_group_size" | "max_linear_work_group_size") => {
            field.number().ok().map(MetadataValue::Number)
        }
        Some("global_id_mapping") => field.text().ok().map(MetadataValue::Text),
        _ => None,
    };
    known.map_or_else(|| field.owned_value().map(MetadataValue::Other), Ok)
}
