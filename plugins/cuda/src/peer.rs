//! Access from one device to the memory of another.

use sycl_pi_backend::api::PeerApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, Result};

use crate::Cuda;
use crate::device::device_context::DeviceContext;
use crate::device::device_object::Device;
use crate::sys::{CUcontext, CUdevice_P2PAttribute, cuda, with_primary};

/// Runs `work` with the peer's primary context, while the device's own is current.
fn with_both(device: &Device, peer: &Device, work: impl FnOnce(CUcontext) -> Result<()>) -> Result<()> {
    with_primary(peer.raw, |other| with_primary(device.raw, |_| work(other)))
}

/// Allows the devices of a context to access each other's memory if possible. Copies then use the link between them.
pub(crate) fn enable_between(devices: &[DeviceContext]) -> Result<()> {
    let cuda = cuda()?;
    for from in devices {
        for to in devices.iter().filter(|to| !std::ptr::eq(*to, from)) {
            let mut can = 0;
            cuda.cuDeviceCanAccessPeer(&mut can, from.device.raw, to.device.raw)?;
            if can != 0 {
                let _current = from.enter()?;
                cuda.queries.enable_peer(to.raw.get())?;
            }
        }
    }
    Ok(())
}

impl PeerApi for Cuda {
    fn enable_peer_access(device: &Counted<Device>, peer: &Counted<Device>) -> Result<()> {
        with_both(device, peer, |other| cuda()?.queries.enable_peer(other))
    }

    fn disable_peer_access(device: &Counted<Device>, peer: &Counted<Device>) -> Result<()> {
        with_both(device, peer, |other| cuda()?.cuCtxDisablePeerAccess(other))
    }

    fn peer_access_info(
        device: &Counted<Device>,
        peer: &Counted<Device>,
        attr: PeerAttribute,
        info: Info<'_>,
    ) -> Result<()> {
        use CUdevice_P2PAttribute::*;
        let attribute = match attr {
            PeerAttribute::ACCESS_SUPPORTED => CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED,
            PeerAttribute::ATOMICS_SUPPORTED => CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED,
            _ => return Err(Error::unknown_peer_attribute(attr)),
        };
        let mut value = 0;
        if device.raw != peer.raw {
            cuda()?.cuDeviceGetP2PAttribute(&mut value, attribute, device.raw, peer.raw)?;
        }
        info.value::<i32>(value)
    }
}
