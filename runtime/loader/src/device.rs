//! Descriptions of devices for people: read once, kept as plain data.

use sycl_pi_core::*;

use crate::aspects::aspects;
use crate::device_type::DeviceType;
use crate::inventory::text_of_answer;
use crate::queries::DeviceQueries;
use crate::{Backend, CallError, Plugin, PluginDevice, PluginPlatform, Version};

/// Properties of a device. If the device does not answer a query, a text is empty and a number is absent.
#[derive(Clone, Debug)]
pub struct DeviceInfo {
    /// Its kind.
    pub kind: DeviceType,
    /// Its name.
    pub name: String,
    /// The vendor.
    pub vendor: String,
    /// The vendor's number.
    pub vendor_id: Option<u64>,
    /// The version of the interface that it implements, such as `OpenCL 3.0 (Build 0)`.
    pub version: String,
    /// The driver's version.
    pub driver_version: String,
    /// The size of global memory in bytes.
    pub global_memory: Option<u64>,
    /// The size of local memory in bytes.
    pub local_memory: Option<u64>,
    /// The version of its architecture: an Intel GPU's GMDID, an NVIDIA GPU's compute capability such as 80.
    pub ip_version: Option<u32>,
    /// The number of compute units.
    pub compute_units: Option<u64>,
    /// The largest work-group size.
    pub max_work_group_size: Option<u64>,
    /// The supported sub-group sizes.
    pub sub_group_sizes: Vec<u64>,
    /// The intermediate languages that the driver accepts, such as `SPIR-V_1.4`.
    pub il_version: String,
    /// The names of its extensions.
    pub extensions: Vec<String>,
    /// SYCL's aspects, except those whose queries crash shipped plugins.
    pub aspects: Vec<&'static str>,
}

/// Properties of a platform.
#[derive(Clone, Debug)]
pub struct PlatformInfo {
    /// Its name.
    pub name: String,
    /// The vendor.
    pub vendor: String,
    /// Its version.
    pub version: String,
}

/// A platform and its devices. `E` is the error of a failed call.
#[derive(Clone, Debug)]
pub struct PlatformInventory<E = CallError> {
    /// The platform.
    pub platform: PlatformInfo,
    /// Its devices, or the reason why they cannot be listed.
    pub devices: Result<Vec<DeviceInfo>, E>,
}

impl Plugin {
    /// Returns the properties of all platforms and devices.
    ///
    /// # Errors
    /// Fails if the plugin cannot list its platforms.
    pub fn inventory(&self) -> Result<Vec<PlatformInventory>, CallError> {
        let read = |platform: PluginPlatform<'_>| PlatformInventory {
            platform: platform.info(),
            devices: platform.devices().map(|devices| devices.iter().map(PluginDevice::info).collect()),
        };
        Ok(self.platforms()?.into_iter().map(read).collect())
    }
}

impl PluginPlatform<'_> {
    /// Returns the platform's properties.
    pub fn info(&self) -> PlatformInfo {
        let text = |name| self.info_text(name).unwrap_or_default();
        PlatformInfo {
            name: text(PI_PLATFORM_INFO_NAME),
            vendor: text(PI_PLATFORM_INFO_VENDOR),
            version: text(PI_PLATFORM_INFO_VERSION),
        }
    }
}

impl DeviceQueries for PluginDevice<'_> {
    fn answer(&self, query: pi_device_info) -> Option<Vec<u8>> {
        self.info_bytes(query).ok()
    }

    fn backend(&self) -> Option<Backend> {
        Backend::of_file(&self.plugin().path)
    }

    fn version(&self) -> Version {
        self.plugin().version
    }
}

impl PluginDevice<'_> {
    /// Returns the device's properties.
    pub fn info(&self) -> DeviceInfo {
        DeviceInfo::read(self)
    }
}

impl DeviceInfo {
    /// Asks a device for its properties.
    pub fn read(device: &impl DeviceQueries) -> Self {
        let text = |query| device.answer(query).map(|bytes| text_of_answer(&bytes)).unwrap_or_default();
        let number = |query| device.number(query);
        let kind = DeviceType::of_bits(number(PI_DEVICE_INFO_TYPE).unwrap_or_default());
        let extensions: Vec<String> =
            text(PI_DEVICE_INFO_EXTENSIONS).split_whitespace().map(str::to_owned).collect();
        Self {
            kind,
            name: text(PI_DEVICE_INFO_NAME),
            vendor: text(PI_DEVICE_INFO_VENDOR),
            vendor_id: number(PI_DEVICE_INFO_VENDOR_ID),
            version: text(PI_DEVICE_INFO_VERSION),
            driver_version: text(PI_DEVICE_INFO_DRIVER_VERSION),
            global_memory: number(PI_DEVICE_INFO_GLOBAL_MEM_SIZE),
            local_memory: number(PI_DEVICE_INFO_LOCAL_MEM_SIZE),
            ip_version: number(PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION)
                .and_then(|version| u32::try_from(version).ok()),
            compute_units: number(PI_DEVICE_INFO_MAX_COMPUTE_UNITS),
            max_work_group_size: number(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE),
            sub_group_sizes: sizes(&device.answer(PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL).unwrap_or_default()),
            il_version: text(PI_DEVICE_INFO_IL_VERSION),
            aspects: aspects(device, kind, &extensions),
            extensions,
        }
    }
}

fn sizes(bytes: &[u8]) -> Vec<u64> {
    let words = bytes.chunks_exact(size_of::<usize>()).filter_map(|word| word.try_into().ok());
    words.map(|word| usize::from_ne_bytes(word) as u64).collect()
}
