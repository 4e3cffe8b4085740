//! Platforms.

use sycl_pi_backend::api::PlatformApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, ListOut, New, Result, last_error};

use crate::objects::{PlatformHandle, discovery, raw_handle};
use crate::{LevelZero, device_info};

impl PlatformApi for LevelZero {
    fn platforms(out: ListOut<'_, PlatformHandle>) -> Result<()> {
        if let Some(why) = discovery::why_none() {
            last_error::record_warning(format!("no Level Zero platform: {why}"));
        }
        let platforms = discovery::platforms().iter();
        let handles: Vec<_> = platforms.map(|found| raw_handle(&*found.platform)).collect();
        if let Some(why) = discovery::why_none() {
            last_error::record_warning(format!("no Level Zero platform: {why}"));
        }
        out.fill(&handles);
        Ok(())
    }

    fn platform_info(platform: &PlatformHandle, name: PlatformInfo, info: Info<'_>) -> Result<()> {
        match name {
            PlatformInfo::NAME => info.str("Intel(R) Level-Zero"),
            PlatformInfo::VENDOR => info.str("Intel(R) Corporation"),
            PlatformInfo::EXTENSIONS => info.str(device_info::COMMON_EXTENSIONS),
            PlatformInfo::PROFILE => info.str("FULL_PROFILE"),
            PlatformInfo::VERSION => info.str(&format!("{}.{}", platform.api.0, platform.api.1)),
            PlatformInfo::BACKEND => info.value::<PlatformBackend>(PlatformBackend::LEVEL_ZERO),
            _ => Err(Error::unknown_query("platform", name)),
        }
    }

    fn platform_native_handle(platform: &PlatformHandle) -> Result<NativeHandle> {
        Ok(platform.driver.0.expose_provenance())
    }

    fn platform_create_with_native_handle(native: NativeHandle) -> Result<New<PlatformHandle>> {
        let found = discovery::platforms().iter().find(|found| found.platform.driver.0.addr() == native);
        found.map(|found| found.platform.new_reference()).ok_or_else(|| {
            Error::new(
                ErrorCode::INVALID_PLATFORM,
                format!("{native:#x} is not a Level Zero driver of this process"),
            )
        })
    }
}
