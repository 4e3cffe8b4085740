//! Reads typed values from a property set. Every failure is an error that names the place.

use std::collections::HashSet;

use crate::error::{Problem, PropertyError};
use crate::parts::{Property, PropertySet, Value};
use crate::room::{OutOfMemory, copy_of, list_of, owned_text};

/// A property set that is being decoded.
pub(super) struct SetReader<'s> {
    image: &'s str,
    set: &'s PropertySet<'s>,
}

impl<'s> SetReader<'s> {
    /// Creates a reader after checking that no property appears twice.
    pub(super) fn new(image: &'s str, set: &'s PropertySet<'_>) -> Result<Self, PropertyError> {
        let reader = Self { image, set };
        let mut seen = HashSet::with_capacity(set.properties.len());
        for property in &set.properties {
            if !seen.insert(property.name.as_ref()) {
                return Err(reader.error(&property.name, Problem::Twice));
            }
        }
        Ok(reader)
    }

    pub(super) fn properties(&self) -> impl Iterator<Item = Field<'_>> {
        self.set.properties.iter().map(|property| Field { reader: self, property })
    }

    /// Returns an unchanged copy of the set.
    pub(super) fn owned(&self) -> Result<PropertySet<'static>, PropertyError> {
        let properties = self.properties().map(|field| field.owned()).collect::<Result<_, _>>()?;
        Ok(PropertySet { name: self.set.name.clone().into_owned().into(), properties })
    }

    pub(super) fn set_error(&self, problem: Problem) -> PropertyError {
        PropertyError { image: self.image.into(), set: self.set.name.clone().into(), property: None, problem }
    }

    fn error(&self, property: &str, problem: Problem) -> PropertyError {
        PropertyError { property: Some(property.into()), ..self.set_error(problem) }
    }
}

/// A property that is being decoded.
pub(super) struct Field<'r> {
    reader: &'r SetReader<'r>,
    property: &'r Property<'r>,
}

impl<'r> Field<'r> {
    pub(super) fn name(&self) -> &'r str {
        &self.property.name
    }

    pub(super) fn owned(&self) -> Result<Property<'static>, PropertyError> {
        Ok(Property { name: self.name().to_owned().into(), value: self.owned_value()? })
    }

    pub(super) fn owned_value(&self) -> Result<Value<'static>, PropertyError> {
        Ok(match &self.property.value {
            Value::Uint32(number) => Value::Uint32(*number),
            Value::ByteArray(bytes) => Value::ByteArray(self.copy(bytes)?.into()),
            Value::Other(kind, bytes) => Value::Other(*kind, self.copy(bytes)?.into()),
        })
    }

    /// Returns a copy of a part of the value.
    pub(super) fn copy(&self, bytes: &[u8]) -> Result<Vec<u8>, PropertyError> {
        copy_of(bytes).map_err(|error| self.memory(error))
    }

    fn memory(&self, error: OutOfMemory) -> PropertyError {
        self.error(Problem::Memory(error))
    }

    pub(super) fn error(&self, problem: Problem) -> PropertyError {
        self.reader.error(&self.property.name, problem)
    }

    pub(super) fn value(&self, problem: impl Into<String>) -> PropertyError {
        self.error(Problem::Value(problem.into()))
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self.property.value, Value::Uint32(_))
    }

    /// Returns the value as a 32-bit number.
    pub(super) fn number(&self) -> Result<u32, PropertyError> {
        match &self.property.value {
            Value::Uint32(number) => Ok(*number),
            other => Err(self.error(Problem::Type { wanted: 1, found: other.type_number() })),
        }
    }

    /// Returns the value as a number of bits and the bytes that hold them.
    pub(super) fn bits(&self) -> Result<(u64, &'r [u8]), PropertyError> {
        let bytes: &[u8] = match &self.property.value {
            Value::ByteArray(bytes) => bytes,
            other => return Err(self.error(Problem::Type { wanted: 2, found: other.type_number() })),
        };
        let Some((length, data)) = bytes.split_first_chunk::<8>() else {
            return Err(self.error(Problem::NoLength { bytes: bytes.len() }));
        };
        let bits = u64::from_le_bytes(*length);
        if bits.div_ceil(8) != data.len() as u64 {
            return Err(self.error(Problem::Length { bits, bytes: data.len() }));
        }
        Ok((bits, data))
    }

    /// Returns the value as whole bytes.
    pub(super) fn data(&self) -> Result<&'r [u8], PropertyError> {
        let (bits, data) = self.bits()?;
        if !bits.is_multiple_of(8) {
            return Err(self.error(Problem::Length { bits, bytes: data.len() }));
        }
        Ok(data)
    }

    /// Returns the value as an array of 32-bit numbers.
    pub(super) fn numbers(&self) -> Result<Vec<u32>, PropertyError> {
        let data = self.data()?;
        let (words, rest) = data.as_chunks::<4>();
        if !rest.is_empty() {
            let wanted = "an array of 4-byte numbers was expected";
            return Err(self.error(Problem::Size { bytes: data.len(), wanted }));
        }
        list_of(words.iter().map(|word| u32::from_le_bytes(*word))).map_err(|error| self.memory(error))
    }

    /// Returns the value as an array of 64-bit numbers.
    pub(super) fn long_numbers(&self) -> Result<Vec<u64>, PropertyError> {
        let data = self.data()?;
        let (words, rest) = data.as_chunks::<8>();
        if !rest.is_empty() {
            let wanted = "an array of 8-byte numbers was expected";
            return Err(self.error(Problem::Size { bytes: data.len(), wanted }));
        }
        list_of(words.iter().map(|word| u64::from_le_bytes(*word))).map_err(|error| self.memory(error))
    }

    /// Returns the value as text.
    pub(super) fn text(&self) -> Result<String, PropertyError> {
        let text = str::from_utf8(self.data()?).map_err(|_| self.error(Problem::NotText))?;
        if text.contains('\0') {
            return Err(self.error(Problem::NotText));
        }
        owned_text(text.into()).map_err(|error| self.memory(error))
    }
}

/// Encodes 32-bit numbers as the data of a byte array.
pub(super) fn numbers(numbers: &[u32]) -> Value<'static> {
    Value::byte_array(&numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())
}

/// Encodes 64-bit numbers as the data of a byte array.
pub(super) fn long_numbers(numbers: &[u64]) -> Value<'static> {
    Value::byte_array(&numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())
}
