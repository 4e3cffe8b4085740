//! An undecoded device image: names and bytes.

use std::borrow::Cow;

use crate::room::{OutOfMemory, owned_bytes, owned_text, room};

/// A device image, undecoded: the meaningful fields of a `pi_device_binary_struct`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageParts<'a> {
    /// The image's name in messages: a file, or its index among the registered images.
    pub name: Cow<'a, str>,
    /// `DeviceTargetSpec`: `spir64`, `spir64_x86_64` and so on.
    pub target: Cow<'a, str>,
    /// `CompileOptions`.
    pub compile_options: Cow<'a, str>,
    /// `LinkOptions`.
    pub link_options: Cow<'a, str>,
    /// `BinaryStart` to `BinaryEnd`: the device code.
    pub bytes: Cow<'a, [u8]>,
    /// The names of the entries: kernels and exported functions.
    pub entries: Vec<Cow<'a, str>>,
    /// The property sets, in their order.
    pub property_sets: Vec<PropertySet<'a>>,
}

/// A named array of properties: `_pi_device_binary_property_set_struct`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertySet<'a> {
    /// The set's name, such as `SYCL/device globals`.
    pub name: Cow<'a, str>,
    /// Its properties, in their order.
    pub properties: Vec<Property<'a>>,
}

/// A property: `_pi_device_binary_property_struct`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property<'a> {
    /// The property's name.
    pub name: Cow<'a, str>,
    /// Its value.
    pub value: Value<'a>,
}

/// A property's value with its `pi_property_type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// [`Value::UINT32`]: the number itself.
    Uint32(u32),
    /// [`Value::BYTE_ARRAY`], as the compiler writes it: the length in bits as 8 little-endian bytes, then the data.
    ByteArray(Cow<'a, [u8]>),
    /// Any other type, unchanged.
    Other(u32, Cow<'a, [u8]>),
}

impl<'a> Value<'a> {
    /// `PI_PROPERTY_TYPE_UINT32`.
    pub const UINT32: u32 = 1;
    /// `PI_PROPERTY_TYPE_BYTE_ARRAY`.
    pub const BYTE_ARRAY: u32 = 2;

    /// Makes a byte array of these data, prefixed with their length.
    pub fn byte_array(data: &[u8]) -> Self {
        Self::bit_array(data.len() as u64 * 8, data)
    }

    /// Makes a byte array with this length in bits.
    pub fn bit_array(bits: u64, data: &[u8]) -> Self {
        let mut bytes = bits.to_le_bytes().to_vec();
        bytes.extend_from_slice(data);
        Self::ByteArray(bytes.into())
    }

    /// Returns the value's `pi_property_type`.
    pub fn type_number(&self) -> u32 {
        match self {
            Value::Uint32(_) => Value::UINT32,
            Value::ByteArray(_) => Value::BYTE_ARRAY,
            Value::Other(number, _) => *number,
        }
    }

    /// Returns the same value, owning its bytes.
    ///
    /// # Errors
    /// There is no memory for them.
    pub fn into_owned(self) -> Result<Value<'static>, OutOfMemory> {
        Ok(match self {
            Value::Uint32(number) => Value::Uint32(number),
            Value::ByteArray(bytes) => Value::ByteArray(owned_bytes(bytes)?.into()),
            Value::Other(number, bytes) => Value::Other(number, owned_bytes(bytes)?.into()),
        })
    }
}

impl<'a> Property<'a> {
    /// Creates a property.
    pub fn new(name: impl Into<Cow<'a, str>>, value: Value<'a>) -> Self {
        Self { name: name.into(), value }
    }

    /// Returns the same property, owning its name and bytes.
    ///
    /// # Errors
    /// There is no memory for them.
    pub fn into_owned(self) -> Result<Property<'static>, OutOfMemory> {
        Ok(Property { name: owned_text(self.name)?.into(), value: self.value.into_owned()? })
    }
}

impl<'a> PropertySet<'a> {
    /// Creates a set without properties.
    pub fn new(name: impl Into<Cow<'a, str>>) -> Self {
        Self { name: name.into(), properties: Vec::new() }
    }

    /// Returns the property of this name.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.properties.iter().find(|property| property.name == name).map(|property| &property.value)
    }

    /// Returns the same set, owning its names and bytes.
    ///
    /// # Errors
    /// There is no memory for them.
    pub fn into_owned(self) -> Result<PropertySet<'static>, OutOfMemory> {
        let mut properties = room(self.properties.len())?;
        for property in self.properties {
            properties.push(property.into_owned()?);
        }
        Ok(PropertySet { name: owned_text(self.name)?.into(), properties })
    }
}

impl<'a> ImageParts<'a> {
    /// Creates an image without entries, options and property sets.
    pub fn new(
        name: impl Into<Cow<'a, str>>,
        target: impl Into<Cow<'a, str>>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Self {
        Self { name: name.into(), target: target.into(), bytes: bytes.into(), ..Self::default() }
    }

    /// Returns the property set of this name.
    pub fn property_set(&self, name: &str) -> Option<&PropertySet<'a>> {
        self.property_sets.iter().find(|set| set.name == name)
    }

    /// Returns an image with other code and properties that is the same otherwise.
    ///
    /// # Errors
    /// Fails if there is no memory for it.
    pub(crate) fn with_code(
        &self,
        bytes: Vec<u8>,
        property_sets: Vec<PropertySet<'static>>,
    ) -> Result<ImageParts<'static>, OutOfMemory> {
        let entries = self.entries.iter().map(|entry| Cow::Borrowed(&**entry)).collect();
        let rest = ImageParts {
            name: Cow::Borrowed(&self.name),
            target: Cow::Borrowed(&self.target),
            compile_options: Cow::Borrowed(&self.compile_options),
            link_options: Cow::Borrowed(&self.link_options),
            entries,
            ..ImageParts::default()
        };
        Ok(ImageParts { bytes: bytes.into(), property_sets, ..rest.into_owned()? })
    }

    /// Returns the same image, owning all of its parts.
    ///
    /// # Errors
    /// Fails if there is no memory for it.
    pub fn into_owned(self) -> Result<ImageParts<'static>, OutOfMemory> {
        let mut entries = room(self.entries.len())?;
        for entry in self.entries {
            entries.push(owned_text(entry)?.into());
        }
        let mut property_sets = room(self.property_sets.len())?;
        for set in self.property_sets {
            property_sets.push(set.into_owned()?);
        }
        Ok(ImageParts {
            name: owned_text(self.name)?.into(),
            target: owned_text(self.target)?.into(),
            compile_options: owned_text(self.compile_options)?.into(),
            link_options: owned_text(self.link_options)?.into(),
            bytes: owned_bytes(self.bytes)?.into(),
            entries,
            property_sets,
        })
    }
}
