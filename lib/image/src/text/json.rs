//! `.props.json`: an image without its code, in the format of this repository's test images.

use serde::{Deserialize, Serialize};

use crate::error::TextError;
use crate::parts::{ImageParts, Property, PropertySet, Value};
use crate::room::{OutOfMemory, room};

/// The document: everything in an image except its code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// `DeviceTargetSpec`
    pub target: String,
    /// `CompileOptions`
    #[serde(default)]
    pub compile_options: String,
    /// `LinkOptions`
    #[serde(default)]
    pub link_options: String,
    /// The names of the entries.
    #[serde(default)]
    pub entries: Vec<String>,
    /// The property sets.
    #[serde(default)]
    pub property_sets: Vec<Set>,
}

/// A property set in a [`Document`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// Its name.
    pub name: String,
    /// Its properties.
    pub properties: Vec<Item>,
}

/// A property in a [`Document`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its `pi_property_type`.
    #[serde(rename = "type")]
    pub kind: u32,
    /// Its bytes as hexadecimal digits; for type 1 the four bytes of the number, lowest first.
    pub value_hex: String,
}

/// Returns whether this is JSON rather than a property file, whose first line names a set.
pub fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Reads an image's properties; `file` is its name in messages, `bytes` the code.
pub fn read_json<'a>(file: &str, text: &str, bytes: &'a [u8]) -> Result<ImageParts<'a>, TextError> {
    let document: Document =
        serde_json::from_str(text).map_err(|error| TextError::new(file, error.line(), error.to_string()))?;
    let mut property_sets = Vec::with_capacity(document.property_sets.len());
    for set in document.property_sets {
        let mut properties = Vec::with_capacity(set.properties.len());
        for item in set.properties {
            let value = value(&item).map_err(|problem| {
                if let Malformed::Memory(error) = problem {
                    return TextError::memory(file, 1, error);
                }
                let place = format!("property set \"{}\", property \"{}\": {problem}", set.name, item.name);
                TextError::new(file, 1, place)
            })?;
            properties.push(Property::new(item.name, value));
        }
        property_sets.push(PropertySet { name: set.name.into(), properties });
    }
    Ok(ImageParts {
        name: file.to_owned().into(),
        target: document.target.into(),
        compile_options: document.compile_options.into(),
        link_options: document.link_options.into(),
        bytes: bytes.into(),
        entries: document.entries.into_iter().map(Into::into).collect(),
        property_sets,
    })
}

/// The problem with an item.
#[derive(Debug, thiserror::Error)]
enum Malformed {
    #[error("{0}")]
    Value(&'static str),
    #[error(transparent)]
    Memory(OutOfMemory),
}

fn value(item: &Item) -> Result<Value<'static>, Malformed> {
    let bytes = unhex(&item.value_hex)?;
    Ok(match item.kind {
        Value::UINT32 => Value::Uint32(u32::from_le_bytes(
            bytes.try_into().map_err(|_| Malformed::Value("a number has 4 bytes"))?,
        )),
        Value::BYTE_ARRAY => Value::ByteArray(bytes.into()),
        other => Value::Other(other, bytes.into()),
    })
}

fn unhex(text: &str) -> Result<Vec<u8>, Malformed> {
    const NO_PAIRS: Malformed = Malformed::Value("value_hex is not made of pairs of hexadecimal digits");
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let byte = |&[high, low]: &[u8; 2]| u8::try_from(digit(high)? * 16 + digit(low)?).ok();
    if !rest.is_empty() {
        return Err(NO_PAIRS);
    }
    let mut bytes = room(pairs.len()).map_err(Malformed::Memory)?;
    for pair in pairs {
        bytes.push(byte(pair).ok_or(NO_PAIRS)?);
    }
    Ok(bytes)
}

/// Writes an image's properties, one property per line.
pub fn write_json(image: &ImageParts<'_>) -> String {
    let list = |items: Vec<String>, open: &str, between: &str, close: &str| match items.as_slice() {
        [] => "[]".to_owned(),
        items => format!("[{open}{}{close}]", items.join(between)),
    };
    let item = |property: &Property<'_>| {
        let hex = match &property.value {
            Value::Uint32(number) => hex(&number.to_le_bytes()),
            Value::ByteArray(bytes) | Value::Other(_, bytes) => hex(bytes),
        };
        let kind = property.value.type_number();
        format!("{{\"name\": {}, \"type\": {kind}, \"value_hex\": \"{hex}\"}}", quoted(&property.name))
    };
    let set = |set: &PropertySet<'_>| {
        let properties = set.properties.iter().map(item).collect();
        let properties = list(properties, "\n      ", ",\n      ", "\n    ");
        format!("{{\"name\": {}, \"properties\": {properties}}}", quoted(&set.name))
    };
    let entries = list(image.entries.iter().map(|entry| quoted(entry)).collect(), "", ", ", "");
    let sets = list(image.property_sets.iter().map(set).collect(), "\n    ", ",\n    ", "\n  ");
    format!(
        "{{\n  \"target\": {},\n  \"compile_options\": {},\n  \"link_options\": {},\n  \"entries\": {entries},\n  \
         \"property_sets\": {sets}\n}}\n",
        quoted(&image.target),
        quoted(&image.compile_options),
        quoted(&image.link_options),
    )
}

/// Quotes the text as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
