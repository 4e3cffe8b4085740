//! `SYCL/misc properties`: how the image was compiled.

use super::bytes::SetReader;
use crate::error::PropertyError;
use crate::parts::{Property, Value};

/// Properties of the compilation, in the image's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MiscProps {
    properties: Vec<Property<'static>>,
}

impl MiscProps {
    /// Creates a set of numbers in this order.
    pub fn new(numbers: impl IntoIterator<Item = (&'static str, u32)>) -> Self {
        let property = |(name, number): (&'static str, u32)| Property::new(name, Value::Uint32(number));
        Self { properties: numbers.into_iter().map(property).collect() }
    }

    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        // A property of another type says nothing; it is kept.
        Ok(Self { properties: set.properties().map(|field| field.owned()).collect::<Result<_, _>>()? })
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        self.properties.clone()
    }

    /// Returns a number by its name.
    pub fn number(&self, name: &str) -> Option<u32> {
        let property = self.properties.iter().find(|property| property.name == name)?;
        match property.value {
            Value::Uint32(number) => Some(number),
            _ => None,
        }
    }

    /// Returns all properties.
    pub fn iter(&self) -> impl Iterator<Item = &Property<'static>> {
        self.properties.iter()
    }

    /// Returns `optLevel`: 0 for `-O0`, up to 3.
    pub fn opt_level(&self) -> Option<u32> {
        self.number("optLevel")
    }

    /// Returns `isEsimdImage`: whether the kernels are explicit SIMD code.
    pub fn is_esimd(&self) -> bool {
        self.number("isEsimdImage") == Some(1)
    }

    /// Returns `sycl-grf-size`: the registers per thread, 0 for automatic.
    pub fn grf_size(&self) -> Option<u32> {
        self.number("sycl-grf-size")
    }

    /// Returns `specConstsReplacedWithDefault`: whether the image's specialization constants are fixed at their default
    /// values.
    pub fn spec_constants_replaced(&self) -> bool {
        self.number("specConstsReplacedWithDefault") == Some(1)
    }
}
