//! Platforms and devices.

use std::ptr::{null, null_mut};

use opencl_sys::*;
use sycl_pi_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (platform, device) = (objects.platform, objects.device);
    case!(bench, "platforms get",
        [piPlatformsGet] { let mut p = null_mut(); ok(piPlatformsGet(1, &mut p, null_mut())) },
        [clGetPlatformIDs] { let mut p = null_mut(); ok(clGetPlatformIDs(1, &mut p, null_mut())) });
    case!(bench, "platform info (name)",
        [piPlatformGetInfo] { let mut t = [0_u8; 256]; ok(piPlatformGetInfo(platform.cast(), PI_PLATFORM_INFO_NAME, 256, t.as_mut_ptr().cast(), null_mut())) },
        [clGetPlatformInfo] { let mut t = [0_u8; 256]; ok(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 256, t.as_mut_ptr().cast(), null_mut())) });
    case!(bench, "devices get",
        [piDevicesGet] { let mut d = null_mut(); ok(piDevicesGet(platform.cast(), PI_DEVICE_TYPE_ALL, 1, &mut d, null_mut())) },
        [clGetDeviceIDs] { let mut d = null_mut(); ok(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &mut d, null_mut())) });
    case!(bench, "device retain + release",
        [piDeviceRetain piDeviceRelease] { ok(piDeviceRetain(device.cast())); ok(piDeviceRelease(device.cast())) },
        [clRetainDevice clReleaseDevice] { ok(clRetainDevice(device)); ok(clReleaseDevice(device)) });
    case!(bench, "device info (type)",
        [piDeviceGetInfo] { let mut v = 0_u64; ok(piDeviceGetInfo(device.cast(), PI_DEVICE_INFO_TYPE, 8, (&raw mut v).cast(), null_mut())) },
        [clGetDeviceInfo] { let mut v = 0_u64; ok(clGetDeviceInfo(device, CL_DEVICE_TYPE, 8, (&raw mut v).cast(), null_mut())) });
    case!(bench, "device info (size of the name)",
        [piDeviceGetInfo] { let mut size = 0; ok(piDeviceGetInfo(device.cast(), PI_DEVICE_INFO_NAME, 0, null_mut(), &mut size)) },
        [clGetDeviceInfo] { let mut size = 0; ok(clGetDeviceInfo(device, CL_DEVICE_NAME, 0, null_mut(), &mut size)) });
    case!(bench, "device info (maximal work-group size)",
        [piDeviceGetInfo] { let mut v = 0_usize; ok(piDeviceGetInfo(device.cast(), PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE, 8, (&raw mut v).cast(), null_mut())) },
        [clGetDeviceInfo] { let mut v = 0_usize; ok(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, 8, (&raw mut v).cast(), null_mut())) });
    case!(bench, "device info (USM of the device)",
        [piDeviceGetInfo] { let mut v = 0_u64; ok(piDeviceGetInfo(device.cast(), PI_DEVICE_INFO_USM_DEVICE_SUPPORT, 8, (&raw mut v).cast(), null_mut())) },
        [clGetDeviceInfo] { let mut v = 0_u64; ok(clGetDeviceInfo(device, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, 8, (&raw mut v).cast(), null_mut())) });
    case!(bench, "device native handle",
        [piextDeviceGetNativeHandle] { let mut h = 0; ok(piextDeviceGetNativeHandle(device.cast(), &mut h)) },
        [] { let mut h = 0; ok(nothing(device, &mut h)) });
    case!(bench, "device and host timer",
        [piGetDeviceAndHostTimer] { let (mut d, mut h) = (0, 0); ok(piGetDeviceAndHostTimer(device.cast(), &mut d, &mut h)) },
        [clGetDeviceAndHostTimer] { let (mut d, mut h) = (0, 0); ok(clGetDeviceAndHostTimer(device, &mut d, &mut h)) });
    let image: &'static mut pi_device_binary_struct = Box::leak(Box::new(spirv_image()));
    let image: pi_device_binary = image;
    case!(bench, "select binary",
        [piextDeviceSelectBinary] { let (mut list, mut index) = ([image], 0); ok(piextDeviceSelectBinary(device.cast(), list.as_mut_ptr(), 1, &mut index)) },
        // The cheapest query: the type of the device.
        [clGetDeviceInfo] { let mut v = 0_u64; ok(clGetDeviceInfo(device, CL_DEVICE_TYPE, 8, (&raw mut v).cast(), null_mut())) });
}

fn spirv_image() -> pi_device_binary_struct {
    pi_device_binary_struct {
        Version: 1,
        Kind: 4,
        Format: 2,
        DeviceTargetSpec: __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64.as_ptr(),
        CompileOptions: c"".as_ptr(),
        LinkOptions: c"".as_ptr(),
        ManifestStart: null(),
        ManifestEnd: null(),
        BinaryStart: null(),
        BinaryEnd: null(),
        EntriesBegin: null_mut(),
        EntriesEnd: null_mut(),
        PropertySetsBegin: null_mut(),
        PropertySetsEnd: null_mut(),
    }
}

/// cl_intel_unified_shared_memory.
const CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL: cl_uint = 0x4191;
