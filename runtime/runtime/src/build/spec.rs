//! Values of specialization constants ("Specialization constants", DPC++ runtime).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::names::near;
use crate::call::{Element, bytes_of};
use crate::error::{Error, Result};
use crate::host_memory;
use crate::registry::Image;

/// Values that a user set, by the constants' symbolic ids. A value that equals the default is set like any other.
///
/// ```
/// use sycl_pi_runtime::SpecValues;
/// let mut values = SpecValues::new().with("scale", 0.5_f64);
/// values.set("factor", 7_i32);
/// assert_eq!(values.get("factor"), Some(&7_i32.to_ne_bytes()[..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecValues {
    values: BTreeMap<Arc<str>, Arc<Vec<u8>>>,
}

impl SpecValues {
    /// Creates an empty set, in which all constants have their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a constant's value.
    pub fn set<T: Element>(&mut self, name: &str, value: T) -> &mut Self {
        self.values.insert(name.into(), bytes_of(&[value]).to_vec().into());
        self
    }

    /// Sets a constant's value by its bytes on the device, for example that of a composite.
    ///
    /// # Errors
    ///
    /// Fails if there is no memory for a copy of the bytes.
    pub fn set_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<&mut Self> {
        let mut value = Vec::new();
        host_memory::reserve(&mut value, bytes.len())?;
        value.extend_from_slice(bytes);
        self.values.insert(name.into(), value.into());
        Ok(self)
    }

    /// Returns the set with a constant's value added.
    #[must_use]
    pub fn with<T: Element>(mut self, name: &str, value: T) -> Self {
        self.set(name, value);
        self
    }

    /// Returns whether no value is set.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the value of a constant, if it is set.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.values.get(name).map(|value| value.as_slice())
    }

    /// Returns the values as a part of a key.
    pub(crate) fn key(&self) -> Result<Vec<u8>> {
        let mut key = Vec::new();
        for (name, value) in &self.values {
            for part in [name.as_bytes(), value] {
                host_memory::reserve(&mut key, 8 + part.len())?;
                key.extend_from_slice(&(part.len() as u64).to_le_bytes());
                key.extend_from_slice(part);
            }
        }
        Ok(key)
    }

    /// Fails with errc::invalid if no image has a constant, or if it has another size.
    pub(crate) fn check(&self, images: &[Arc<Image>]) -> Result<()> {
        let all = || images.iter().flat_map(|image| image.properties().spec_constants.iter());
        for (name, value) in &self.values {
            let mut found = all().filter(|constant| *constant.name == **name).peekable();
            if found.peek().is_none() {
                let near = near(name, all().map(|constant| constant.name.as_str()));
                let hint =
                    if near.is_empty() { String::new() } else { format!("; is it {}?", near.join(" or ")) };
                return Err(Error::invalid(format!(
                    "no image of the kernel has a specialization constant {name}{hint}"
                )));
            }
            if let Some(other) = found.find(|constant| constant.size() != value.len() as u64) {
                return Err(Error::invalid(format!(
                    "specialization constant {name} has {} bytes, but its value has {}",
                    other.size(),
                    value.len()
                )));
            }
        }
        Ok(())
    }

    /// Returns the ids to set in a program of the image, with their bytes. There is one for each scalar of each
    /// constant that is set.
    pub(crate) fn scalars<'v>(&'v self, image: &'v Image) -> impl Iterator<Item = (u32, &'v [u8])> {
        let constants = image.properties().spec_constants.iter();
        constants.filter_map(|constant| Some(constant.scalars(self.get(&constant.name)?))).flatten()
    }

    /// Returns the emulation buffer: the defaults, overwritten by the values that are set.
    pub(crate) fn blob(&self, image: &Image) -> Result<Vec<u8>> {
        let properties = image.properties();
        let size = usize::try_from(properties.spec_constants.size()).unwrap_or(usize::MAX);
        let defaults = properties.spec_defaults.all.as_deref().unwrap_or_default();
        let mut blob = Vec::new();
        host_memory::reserve(&mut blob, size.max(defaults.len()))?;
        blob.extend_from_slice(defaults);
        blob.resize(size, 0);
        for constant in properties.spec_constants.iter() {
            let at = usize::try_from(constant.blob_offset).unwrap_or(usize::MAX);
            let Some(value) = self.get(&constant.name) else { continue };
            if let Some(to) = blob.get_mut(at..).and_then(|rest| rest.get_mut(..value.len())) {
                to.copy_from_slice(value);
            }
        }
        Ok(blob)
    }
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
