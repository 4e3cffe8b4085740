//! `SYCL/program metadata`: facts about kernels and variables, each property named `SUBJECT@TAG`.

use super::bytes::{Field, SetReader, numbers};
use crate::error::{Problem, PropertyError};
use crate::parts::{Property, Value};

/// Metadata of a kernel or variable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetadataValue {
    /// A number of type 1: `@work_group_num_dim`, `@reqd_sub_group_size`, `@max_linear_work_group_size`.
    Number(u32),
    /// One to three 4-byte numbers, fastest dimension first: `@reqd_work_group_size`, `@max_work_group_size`.
    Sizes(Vec<u32>),
    /// Text without a terminator: `@global_id_mapping`, the variable's name in the code.
    Text(String),
    /// A tag that is not known here.
    Other(Value<'static>),
}

/// A fact about a kernel or variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataEntry {
    /// The kernel, or the unique id of the variable; the whole name where there is no `@`.
    pub subject: String,
    /// What follows the last `@`, without it.
    pub tag: Option<String>,
    /// The value.
    pub value: MetadataValue,
}

/// The facts, in the image's order.
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

    /// The value of a subject's tag.
    pub fn get(&self, subject: &str, tag: &str) -> Option<&MetadataValue> {
        let mut entries = self.entries.iter();
        let found = entries.find(|entry| entry.subject == subject && entry.tag.as_deref() == Some(tag));
        found.map(|entry| &entry.value)
    }

    /// The name in the code of the device global with this unique id.
    pub fn global_name(&self, unique_id: &str) -> Option<&str> {
        match self.get(unique_id, "global_id_mapping")? {
            MetadataValue::Text(name) => Some(name),
            _ => None,
        }
    }
}

fn value(field: &Field<'_>, tag: Option<&str>) -> Result<MetadataValue, PropertyError> {
    Ok(match tag {
        Some("reqd_work_group_size" | "max_work_group_size") => {
            let sizes = field.numbers()?;
            if !(1..=3).contains(&sizes.len()) {
                let wanted = "a work-group size has 1 to 3 dimensions";
                return Err(field.error(Problem::Size { bytes: sizes.len() * 4, wanted }));
            }
            MetadataValue::Sizes(sizes)
        }
        Some("work_group_num_dim" | "reqd_sub_group_size" | "max_linear_work_group_size")
            if field.is_number() =>
        {
            MetadataValue::Number(field.number()?)
        }
        Some("work_group_num_dim" | "reqd_sub_group_size") => MetadataValue::Number(field.number()?),
        Some("global_id_mapping") => MetadataValue::Text(field.text()?),
        _ => MetadataValue::Other(field.owned().value),
    })
}
