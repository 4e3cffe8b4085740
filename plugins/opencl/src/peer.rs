//! Access from one device to the memory of another, which OpenCL does not have.

use sycl_pi_backend::api::PeerApi;
use sycl_pi_backend::types::PeerAttribute;
use sycl_pi_backend::{Error, Info, Result};

use crate::OpenCl;
use crate::sys::Device;

impl PeerApi for OpenCl {
    fn enable_peer_access(_: &Device, _: &Device) -> Result<()> {
        Err(Error::unsupported("OpenCL has no peer access between devices"))
    }

    fn disable_peer_access(_: &Device, _: &Device) -> Result<()> {
        Err(Error::unsupported("OpenCL has no peer access between devices"))
    }

    fn peer_access_info(_: &Device, _: &Device, attr: PeerAttribute, info: Info<'_>) -> Result<()> {
        match attr {
            PeerAttribute::ACCESS_SUPPORTED | PeerAttribute::ATOMICS_SUPPORTED => info.value::<i32>(0),
            _ => Err(Error::unknown_peer_attribute(attr)),
        }
    }
}
