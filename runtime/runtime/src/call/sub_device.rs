//! Sub-devices, which a selector names with patterns such as `0.*` or `0.1`.

use sycl_pi_core::*;

use super::Device;
use crate::error::{Error, Result, WithObject};
use crate::host_memory::filled;

impl Device {
    /// Returns the sub-devices that a pattern names: `ROOT.PART[.PART]`, where each part is a number or `*`. They live
    /// until the end of the process, like root devices.
    ///
    /// # Errors
    /// Fails if the device cannot be partitioned.
    pub(super) fn sub_devices(&self, pattern: &str) -> Result<Vec<Device>> {
        let mut found = vec![self.clone()];
        for part in pattern.split('.').skip(1) {
            let wanted: Option<usize> = match part {
                "*" => None,
                number => {
                    Some(number.parse().map_err(|_| Error::invalid(format!("{part} is not a number")))?)
                }
            };
            let mut next = Vec::new();
            for device in &found {
                let parts = device.partition()?;
                next.extend(
                    parts.into_iter().enumerate().filter(|(at, _)| wanted.is_none_or(|wanted| wanted == *at)),
                );
            }
            found = next.into_iter().map(|(_, device)| device).collect();
        }
        Ok(found)
    }

    /// Partitions the device by the next partitionable affinity domain.
    fn partition(&self) -> Result<Vec<Device>> {
        let properties: [pi_device_partition_property; 3] = [
            PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
            PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE as pi_device_partition_property,
            0,
        ];
        let (table, mut count) = (self.plugin().table(), 0);
        let (none, list) = (std::ptr::null_mut(), properties.as_ptr());
        // SAFETY: the list ends with 0; only the count is queried.
        unsafe { table.piDevicePartition(self.raw(), list, 0, none, &mut count) }
            .with_object(|| format!("parts of {self:?}"))?;
        let mut handles: Vec<pi_device> = filled(std::ptr::null_mut(), count as usize)?;
        // SAFETY: the list ends with 0, and there is space for `count` handles.
        unsafe {
            table.piDevicePartition(self.raw(), list, count, handles.as_mut_ptr(), std::ptr::null_mut())
        }
        .with_object(|| format!("parts of {self:?}"))?;
        handles.retain(|handle| !handle.is_null());
        // SAFETY: the plugin created these from this device.
        Ok(handles.into_iter().map(|handle| unsafe { self.part(handle) }).collect())
    }
}
