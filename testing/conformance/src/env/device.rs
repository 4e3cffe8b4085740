//! Features of the device, which determine which cases apply.

use std::ptr::null_mut;

use sycl_pi_core::*;

use super::{Env, Owned};
use crate::outcome::{Failure, Verdict};
use crate::skip;

impl Env {
    /// Returns a fixed-size property of the device, queried like in runtimes. Other cases check the size of the
    /// answer.
    pub(crate) fn fact<T: Copy>(&self, name: pi_device_info) -> Verdict<T> {
        // SAFETY: plain numbers and handles, for which all bits zero is a value.
        let mut value: T = unsafe { std::mem::zeroed() };
        let room = (&raw mut value).cast();
        ok!(self, piDeviceGetInfo(self.device, name, size_of::<T>(), room, null_mut()));
        Ok(value)
    }

    /// Returns a string property of the device.
    pub(crate) fn device_text(&self, name: pi_device_info) -> Verdict<String> {
        Ok(text!(self, piDeviceGetInfo(self.device, name)))
    }

    /// Returns whether the device lists an extension.
    pub(crate) fn has_extension(&self, name: &str) -> Verdict<bool> {
        let list = self.device_text(PI_DEVICE_INFO_EXTENSIONS)?;
        Ok(list.split_whitespace().any(|word| word == name))
    }

    /// Returns a Boolean property, or false if the device does not support the query.
    pub(crate) fn says(&self, name: pi_device_info) -> bool {
        self.fact::<pi_bool>(name).is_ok_and(|answer| answer != 0)
    }

    /// Skips the case unless the device supports images.
    pub(crate) fn need_images(&self) -> Verdict {
        if self.says(PI_DEVICE_INFO_IMAGE_SUPPORT) { Ok(()) } else { Err(Failure::skip(skip::NO_IMAGES)) }
    }

    /// Skips the case unless the driver supports SPIR-V.
    pub(crate) fn need_spirv(&self) -> Verdict {
        if self.takes_spirv() { Ok(()) } else { Err(Failure::skip(skip::NO_SPIRV)) }
    }

    /// Returns whether the driver supports SPIR-V.
    pub(crate) fn takes_spirv(&self) -> bool {
        let named = self.device_text(PI_DEVICE_INFO_IL_VERSION).is_ok_and(|text| text.contains("SPIR-V"));
        named || self.has_extension("cl_khr_il_program").unwrap_or(false)
    }

    /// Skips the case unless the device supports that kind of USM.
    pub(crate) fn need_usm(&self, support: pi_device_info) -> Verdict {
        let capabilities = self.fact::<pi_usm_capabilities>(support).unwrap_or(0);
        if capabilities & PI_USM_ACCESS != 0 { Ok(()) } else { Err(Failure::skip(skip::NO_USM)) }
    }

    /// Returns whether out-of-order queues are supported.
    pub(crate) fn has_out_of_order(&self) -> bool {
        let flags = self.fact::<pi_queue_properties>(PI_DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES).unwrap_or(0);
        flags & PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0
    }

    /// Creates an out-of-order queue.
    pub(crate) fn out_of_order(&self) -> Verdict<Owned<'_, pi_queue>> {
        if !self.has_out_of_order() {
            return Err(Failure::skip(skip::NO_OUT_OF_ORDER));
        }
        self.new_queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE)
    }

    /// Creates a queue with profiling.
    pub(crate) fn profiling(&self) -> Verdict<Owned<'_, pi_queue>> {
        let flags = self.fact::<pi_queue_properties>(PI_DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES)?;
        if flags & PI_QUEUE_FLAG_PROFILING_ENABLE == 0 {
            return Err(Failure::skip(skip::NO_PROFILING));
        }
        self.new_queue(PI_QUEUE_FLAG_PROFILING_ENABLE)
    }

    /// Returns the partition schemes that the device lists.
    pub(crate) fn schemes(&self) -> Verdict<Vec<pi_device_partition_property>> {
        let bytes = bytes!(self, piDeviceGetInfo(self.device, PI_DEVICE_INFO_PARTITION_PROPERTIES));
        let words = bytes.as_chunks::<8>().0.iter().map(|word| isize::from_ne_bytes(*word));
        Ok(words.filter(|scheme| *scheme != 0).collect())
    }

    /// Creates sub-devices with a property list that ends with zero.
    pub(crate) fn parts(&self, list: &[pi_device_partition_property]) -> Verdict<Vec<Owned<'_, pi_device>>> {
        let count: pi_uint32 =
            made!(self, |out| piDevicePartition(self.device, list.as_ptr(), 0, null_mut(), out));
        let mut parts = vec![null_mut(); count as usize];
        ok!(self, piDevicePartition(self.device, list.as_ptr(), count, parts.as_mut_ptr(), null_mut()));
        Ok(parts.into_iter().map(|part| self.own_device(part)).collect())
    }

    /// Returns a property list that partitions the device: into single compute units, or else by its affinity
    /// domains.
    pub(crate) fn splitting(&self) -> Verdict<[pi_device_partition_property; 3]> {
        let schemes = self.schemes()?;
        if schemes.contains(&PI_DEVICE_PARTITION_EQUALLY) {
            return Ok([PI_DEVICE_PARTITION_EQUALLY, 1, 0]);
        }
        let domains = match schemes.contains(&PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) {
            true => self.fact::<pi_device_affinity_domain>(PI_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN)?,
            false => 0,
        };
        let known = [PI_DEVICE_AFFINITY_DOMAIN_NUMA, PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE];
        match known.into_iter().find(|domain| domains & domain != 0) {
            Some(domain) => Ok([PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, domain as isize, 0]),
            None => Err(Failure::skip(skip::NO_PARTS)),
        }
    }

    /// Creates at least `least` sub-devices.
    pub(crate) fn some_parts(&self, least: usize) -> Verdict<Vec<Owned<'_, pi_device>>> {
        let parts = self.parts(&self.splitting()?)?;
        if parts.len() < least { Err(Failure::skip(skip::NO_PARTS)) } else { Ok(parts) }
    }

    /// Returns two devices that can share a context: the platform's own, or parts of this one.
    pub(crate) fn pair(&self) -> Verdict<Vec<Owned<'_, pi_device>>> {
        let all = PI_DEVICE_TYPE_ALL;
        let count: pi_uint32 = made!(self, |out| piDevicesGet(self.platform, all, 0, null_mut(), out));
        if count >= 2 {
            let mut devices = vec![null_mut(); count as usize];
            ok!(self, piDevicesGet(self.platform, all, count, devices.as_mut_ptr(), null_mut()));
            for device in &devices {
                ok!(self, piDeviceRetain(*device));
            }
            return Ok(devices.into_iter().map(|device| self.own_device(device)).collect());
        }
        self.some_parts(2).map_err(|wrong| match wrong {
            Failure::Skip(_) => Failure::skip(skip::ONE_DEVICE),
            fail => fail,
        })
    }
}
