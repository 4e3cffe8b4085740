//! `SYCL/device globals` ("Implementation design for device_global", New "SYCL/device globals" property set).

use super::bytes::SetReader;
use crate::error::{Problem, PropertyError};
use crate::parts::{Property, Value};

/// A device global variable of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceGlobal {
    /// `sycl-unique-id`, the property's name, which identifies the variable in calls to a plugin.
    pub unique_id: String,
    /// `size`: the size of the value in bytes. Without image scope, the variable in the code is a pointer to the value.
    pub size: u32,
    /// `device_image_scope`: whether each image has its own variable, which is the value itself.
    pub image_scope: bool,
}

/// The device globals of an image, in the image's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceGlobals {
    /// The variables.
    pub globals: Vec<DeviceGlobal>,
}

impl DeviceGlobals {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let mut globals = Vec::new();
        for field in set.properties() {
            let data = field.data()?;
            let &[a, b, c, d, scope, 0, 0, 0] = data else {
                let wanted = "8 were expected: the size as 4, the image scope as 1, and 3 that are 0";
                return Err(field.error(Problem::Size { bytes: data.len(), wanted }));
            };
            if scope > 1 {
                return Err(field.value(format!("has image scope {scope}; it is 0 or 1")));
            }
            let size = u32::from_le_bytes([a, b, c, d]);
            if size == 0 {
                return Err(field.value("has size 0"));
            }
            globals.push(DeviceGlobal { unique_id: field.name().into(), size, image_scope: scope == 1 });
        }
        Ok(Self { globals })
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let property = |global: &DeviceGlobal| {
            let [a, b, c, d] = global.size.to_le_bytes();
            let data = [a, b, c, d, global.image_scope.into(), 0, 0, 0];
            Property::new(global.unique_id.clone(), Value::byte_array(&data))
        };
        self.globals.iter().map(property).collect()
    }

    /// Returns the variable with this unique id.
    pub fn get(&self, unique_id: &str) -> Option<&DeviceGlobal> {
        self.globals.iter().find(|global| global.unique_id == unique_id)
    }
}
