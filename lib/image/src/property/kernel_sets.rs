//! Small sets: required device libraries, implicit local arguments, registered kernels, virtual functions.

use super::bytes::SetReader;
use crate::error::PropertyError;
use crate::parts::{Property, Value};

/// `SYCL/devicelib req mask`: a bit for each fallback library that the code needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceLibReq {
    /// `DeviceLibReqMask`
    pub mask: Option<u32>,
    /// Unknown properties.
    pub other: Vec<Property<'static>>,
}

impl DeviceLibReq {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let mut found = Self::default();
        for field in set.properties() {
            match (field.name(), field.number()) {
                ("DeviceLibReqMask", Ok(mask)) => found.mask = Some(mask),
                _ => found.other.push(field.owned()?),
            }
        }
        Ok(found)
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let mask = self.mask.map(|mask| Property::new("DeviceLibReqMask", Value::Uint32(mask)));
        mask.into_iter().chain(self.other.iter().cloned()).collect()
    }
}

/// The place where a kernel finds its work-group memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalArg {
    /// Inside the code (0xffffffff in the image), so there is no argument to set.
    Static,
    /// The argument with this index.
    Argument(u32),
}

/// `SYCL/implicit local arg`: kernels with work-group memory that is not an argument in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImplicitLocalArgs {
    /// Kernels with the places of their memory.
    pub kernels: Vec<(String, LocalArg)>,
}

impl ImplicitLocalArgs {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let kernels = set.properties().map(|field| {
            let place = match field.number()? {
                u32::MAX => LocalArg::Static,
                argument => LocalArg::Argument(argument),
            };
            Ok((field.name().to_owned(), place))
        });
        Ok(Self { kernels: kernels.collect::<Result<_, PropertyError>>()? })
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let property = |(kernel, place): &(String, LocalArg)| {
            let number = match place {
                LocalArg::Static => u32::MAX,
                LocalArg::Argument(argument) => *argument,
            };
            Property::new(kernel.clone(), Value::Uint32(number))
        };
        self.kernels.iter().map(property).collect()
    }
}

/// `SYCL/registered kernels`: names in the source and the kernels that they refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredKernels {
    /// Pairs of source name and kernel name.
    pub kernels: Vec<(String, String)>,
}

impl RegisteredKernels {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let kernels = set.properties().map(|field| Ok((field.name().to_owned(), field.text()?)));
        Ok(Self { kernels: kernels.collect::<Result<_, PropertyError>>()? })
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let property = |(name, kernel): &(String, String)| {
            Property::new(name.clone(), Value::byte_array(kernel.as_bytes()))
        };
        self.kernels.iter().map(property).collect()
    }
}

/// `SYCL/virtual functions`: sets of virtual functions that an image provides or uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VirtualFunctions {
    /// `virtual-functions-set`: the sets that the image's functions belong to, separated by commas.
    pub provides: Option<String>,
    /// `uses-virtual-functions-set`: the sets that the image's kernels call, separated by commas.
    pub uses: Option<String>,
    /// Unknown properties.
    pub other: Vec<Property<'static>>,
}

impl VirtualFunctions {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let mut found = Self::default();
        for field in set.properties() {
            match field.name() {
                "virtual-functions-set" => found.provides = Some(field.text()?),
                "uses-virtual-functions-set" => found.uses = Some(field.text()?),
                _ => found.other.push(field.owned()?),
            }
        }
        Ok(found)
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let text = |name, text: &Option<String>| {
            text.as_ref().map(|text| Property::new(name, Value::byte_array(text.as_bytes())))
        };
        let provides = text("virtual-functions-set", &self.provides);
        let uses = text("uses-virtual-functions-set", &self.uses);
        provides.into_iter().chain(uses).chain(self.other.iter().cloned()).collect()
    }
}
