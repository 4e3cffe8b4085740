//! The device object.

use std::ffi::{c_char, c_int};
use std::fs;
use std::sync::atomic::AtomicBool;

use sycl_pi_backend::{Counted, Error, Result, Shared};

use crate::event::clock::Clock;
use crate::sys::{CUdevice, CUdevice_attribute, cuda};

/// A GPU. It lives as long as the process.
pub struct Device {
    pub(crate) raw: CUdevice,
    pub(crate) ordinal: c_int,
    pub(crate) limits: DeviceLimits,
    /// One clock for all events of the device.
    pub(crate) clock: Clock,
    /// The size of its memory in bytes.
    pub(crate) memory: usize,
    /// Whether the plugin keeps a reference to the primary context while no context of a caller does.
    pub(crate) keeps_primary: AtomicBool,
}

/// `CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID` of CUDA 12.9, which contains the device id in the upper half and the vendor
/// id in the lower.
const GPU_PCI_DEVICE_ID: c_int = 139;

/// Launch limits.
pub(crate) struct DeviceLimits {
    pub(crate) block: [usize; 3],
    pub(crate) threads: usize,
    pub(crate) grid: [usize; 3],
    pub(crate) warp: usize,
    /// Local memory that any kernel may use.
    pub(crate) shared: usize,
    /// Local memory that a kernel may use if this is explicitly allowed.
    pub(crate) most_shared: usize,
    pub(crate) registers: usize,
    pub(crate) multiprocessors: usize,
    pub(crate) major: i32,
    pub(crate) minor: i32,
}

sycl_pi_backend::counted_kinds! {
    Device: RawDevice, INVALID_DEVICE, "device" {
        // Devices live as long as the process.
        fn on_retain(&self) -> bool {
            false
        }
        fn on_release(&self) -> bool {
            false
        }
    };
}

impl Device {
    /// Creates the device with the driver's ordinal.
    pub(crate) fn new(ordinal: c_int) -> Result<Shared<Self>> {
        use CUdevice_attribute::*;
        let mut raw = 0;
        cuda()?.cuDeviceGet(&mut raw, ordinal)?;
        let size = |attribute| value_of(raw, attribute).map(|value| value.max(0) as usize);
        let shared = size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?;
        let limits = DeviceLimits {
            block: [
                size(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                size(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                size(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            threads: size(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            grid: [
                size(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
                size(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
                size(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
            ],
            warp: size(CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
            shared,
            // Old drivers do not know the attribute.
            most_shared: size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).unwrap_or(0).max(shared),
            registers: size(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)?,
            multiprocessors: size(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            major: value_of(raw, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            minor: value_of(raw, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        };
        let mut memory = 0;
        cuda()?.cuDeviceTotalMem_v2(&mut memory, raw)?;
        Ok(Counted::share_new(Self {
            raw,
            ordinal,
            limits,
            clock: Clock::new(),
            memory,
            keeps_primary: AtomicBool::new(false),
        }))
    }

    /// Returns the compute capability, such as 90 for 9.0.
    pub(crate) fn capability(&self) -> u32 {
        (self.limits.major * 10 + self.limits.minor).max(0) as u32
    }

    /// Returns the value of an attribute.
    pub(crate) fn attribute(&self, attribute: CUdevice_attribute) -> Result<i32> {
        value_of(self.raw, attribute)
    }

    /// Returns the PCI device id. Drivers before CUDA 12.9 do not report it, but Linux does.
    pub(crate) fn pci_device_id(&self) -> Result<u32> {
        let mut ids = 0;
        if cuda()?.cuDeviceGetAttribute(&mut ids, GPU_PCI_DEVICE_ID, self.raw).is_ok() && ids != 0 {
            return Ok(ids as u32 >> 16);
        }
        let file = format!("/sys/bus/pci/devices/{}/device", self.pci_address()?);
        let text = fs::read_to_string(&file).map_err(|error| {
            Error::invalid_value(format!(
                "neither the driver nor {file} reports the number of the PCI device: {error}"
            ))
        })?;
        u32::from_str_radix(text.trim().trim_start_matches("0x"), 16)
            .map_err(|error| Error::invalid_value(format!("{file} has no number of the device ({error})")))
    }

    /// Returns the PCI address, `domain:bus:device.function`, in lower case.
    pub(crate) fn pci_address(&self) -> Result<String> {
        let mut text = [0; 32];
        cuda()?.cuDeviceGetPCIBusId(text.as_mut_ptr(), text.len() as i32, self.raw)?;
        Ok(text_of(&text).to_lowercase())
    }

    /// Returns the driver's name of the device.
    pub(crate) fn name(&self) -> Result<String> {
        let mut text = [0; 256];
        cuda()?.cuDeviceGetName(text.as_mut_ptr(), text.len() as i32, self.raw)?;
        Ok(text_of(&text))
    }

    /// Returns the maximum number of bytes of freed memory that are kept for later allocations: an eighth of the
    /// device's memory, or 1 GiB on small devices.
    pub(crate) fn kept_memory(&self) -> usize {
        (self.memory / 8).max(1 << 30)
    }

    /// Returns whether it can launch clusters, which requires compute capability 9.0 and a driver of CUDA 11.8 or
    /// newer.
    pub(crate) fn launches_clusters(&self) -> bool {
        self.has(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH)
            && cuda().is_ok_and(|cuda| cuda.has("cuLaunchKernelEx"))
    }

    /// Returns a boolean attribute, which is false if the driver does not know it.
    pub(crate) fn has(&self, attribute: CUdevice_attribute) -> bool {
        self.attribute(attribute).is_ok_and(|value| value != 0)
    }
}

fn value_of(device: CUdevice, attribute: CUdevice_attribute) -> Result<i32> {
    let mut value = 0;
    cuda()?.cuDeviceGetAttribute(&mut value, attribute as c_int, device)?;
    Ok(value)
}

fn text_of(room: &[c_char]) -> String {
    let bytes: Vec<u8> = room.iter().take_while(|byte| **byte != 0).map(|byte| *byte as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
