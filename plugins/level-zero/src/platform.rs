//! Platforms: one per Level Zero driver. Found once; they and their devices live as long as the process.

use std::ptr::null_mut;
use std::sync::OnceLock;

use sycl_pi_backend::api::PlatformApi;
use sycl_pi_backend::{Counted, Error, Info, ListOut, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::sys::{self, ze, ze_driver_extension_properties_t, ze_driver_handle_t, ze_driver_properties_t};
use crate::{Device, LevelZero, Platform, device, handle};

/// A driver.
pub struct Body {
    pub(crate) driver: ze_driver_handle_t,
    /// Version of the specification: major and minor.
    pub(crate) api: (u32, u32),
    pub(crate) driver_version: u32,
    extensions: Vec<String>,
    roots: OnceLock<Vec<Shared<device::Body>>>,
}

kind!(Body, RawPlatform, ErrorCode::INVALID_PLATFORM);

/// What devices and programs of every driver can do, in the words of OpenCL: runtimes look for these.
pub(crate) const EXTENSIONS: &str = "cl_khr_il_program cl_khr_subgroups cl_intel_subgroups \
     cl_intel_subgroups_short cl_intel_required_subgroup_size ";

static PLATFORMS: OnceLock<Vec<Shared<Body>>> = OnceLock::new();

/// Every platform. Where there is no driver there is none, and the log says why.
pub(crate) fn all() -> &'static [Shared<Body>] {
    PLATFORMS.get_or_init(|| {
        find().unwrap_or_else(|error| {
            log::warn!("no Level Zero platform: {error}");
            Vec::new()
        })
    })
}

fn find() -> Result<Vec<Shared<Body>>> {
    let ze = ze()?;
    ze.zeInit(0)?;
    let mut count = 0;
    ze.zeDriverGet(&mut count, null_mut())?;
    let mut drivers = vec![ze_driver_handle_t::NULL; count as usize];
    ze.zeDriverGet(&mut count, drivers.as_mut_ptr())?;
    sys::know_drivers(drivers.clone());
    let mut platforms = Vec::new();
    for driver in drivers {
        let mut properties = ze_driver_properties_t::default();
        ze.zeDriverGetProperties(driver, &mut properties)?;
        let mut api = sys::ze_api_version_t::default();
        ze.zeDriverGetApiVersion(driver, &mut api)?;
        let platform = Counted::share_new(Body {
            driver,
            api: (api.0 >> 16, api.0 & 0xffff),
            driver_version: properties.driverVersion,
            extensions: extensions(driver).unwrap_or_default(),
            roots: OnceLock::new(),
        });
        let roots = device::find(&platform)?;
        log::info!("Level Zero driver {}: {} devices", platform.version_text(), roots.len());
        let _ = platform.roots.set(roots);
        platforms.push(platform);
    }
    Ok(platforms)
}

fn extensions(driver: ze_driver_handle_t) -> Result<Vec<String>> {
    let ze = ze()?;
    let mut count = 0;
    ze.zeDriverGetExtensionProperties(driver, &mut count, null_mut())?;
    let mut list = vec![ze_driver_extension_properties_t::default(); count as usize];
    ze.zeDriverGetExtensionProperties(driver, &mut count, list.as_mut_ptr())?;
    Ok(list.iter().map(|extension| sys::text_of(&extension.name)).collect())
}

impl Body {
    /// Whether the driver lists an extension.
    pub(crate) fn has(&self, extension: &std::ffi::CStr) -> bool {
        self.extensions.iter().any(|name| name.as_bytes() == extension.to_bytes())
    }

    /// Root devices.
    pub(crate) fn roots(&self) -> &[Shared<device::Body>] {
        self.roots.get().map(Vec::as_slice).unwrap_or_default()
    }

    /// Root devices and what they were divided into.
    pub(crate) fn devices(&self) -> Vec<&Device> {
        let mut all: Vec<&Device> = Vec::new();
        for root in self.roots() {
            all.push(root);
            for tile in root.tiles() {
                all.push(tile);
            }
        }
        all
    }

    /// Major, minor, build.
    pub(crate) fn version_text(&self) -> String {
        let version = self.driver_version;
        format!("{}.{}.{}", version >> 24, (version >> 16) & 0xff, version & 0xffff)
    }
}

/// The platform of a driver's device handle, and the device.
pub(crate) fn device_of(native: sys::ze_device_handle_t) -> Option<&'static Device> {
    all().iter().flat_map(|platform| platform.devices()).find(|device| device.ze == native)
}

impl PlatformApi for LevelZero {
    fn platforms(out: ListOut<'_, Platform>) -> Result<()> {
        let handles: Vec<_> = all().iter().map(|platform| handle::<Body>(platform)).collect();
        out.fill(&handles);
        Ok(())
    }

    fn platform_info(platform: &Platform, name: PlatformInfo, info: Info<'_>) -> Result<()> {
        match name {
            PlatformInfo::NAME => info.str("Intel(R) Level-Zero"),
            PlatformInfo::VENDOR => info.str("Intel(R) Corporation"),
            PlatformInfo::EXTENSIONS => info.str(EXTENSIONS),
            PlatformInfo::PROFILE => info.str("FULL_PROFILE"),
            PlatformInfo::VERSION => info.str(&format!("{}.{}", platform.api.0, platform.api.1)),
            PlatformInfo::BACKEND => {
                info.value::<PlatformBackend>(PlatformBackend::LEVEL_ZERO)
            }
            _ => Err(Error::invalid_value(format!("param_name: unknown platform query {name:#x}"))),
        }
    }

    fn platform_native_handle(platform: &Platform) -> Result<NativeHandle> {
        Ok(platform.driver.0.expose_provenance())
    }

    fn platform_create_with_native_handle(native: NativeHandle) -> Result<New<Platform>> {
        let found = all().iter().find(|platform| platform.driver.0.addr() == native);
        found.and_then(|platform| New::from_raw(handle(platform))).ok_or_else(|| {
            Error::new(
                ErrorCode::INVALID_PLATFORM,
                format!("{native:#x} is no Level Zero driver of this process (nativeHandle)"),
            )
        })
    }
}
