//! Access from one device to another's memory: OpenCL has none.

use sycl_pi_backend::api::PeerApi;
use sycl_pi_backend::{Error, Info, Result};
use sycl_pi_core::*;

use crate::OpenCl;
use crate::sys::Device;

impl PeerApi for OpenCl {
    fn piextEnablePeerAccess(_: &Device, _: &Device) -> Result<()> {
        Err(Error::unsupported("OpenCL has no peer access between devices"))
    }

    fn piextDisablePeerAccess(_: &Device, _: &Device) -> Result<()> {
        Err(Error::unsupported("OpenCL has no peer access between devices"))
    }

    fn piextPeerAccessGetInfo(_: &Device, _: &Device, attr: pi_peer_attr, info: Info<'_>) -> Result<()> {
        match attr {
            PI_PEER_ACCESS_SUPPORTED | PI_PEER_ATOMICS_SUPPORTED => info.value::<pi_int32>(0),
            _ => Err(Error::invalid_value(format!("attr {attr:#x} is no peer attribute"))),
        }
    }
}
