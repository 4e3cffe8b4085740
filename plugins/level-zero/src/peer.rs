//! Access from one device to the memory of another.

use sycl_pi_backend::api::PeerApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, Result};

use crate::LevelZero;
use crate::objects::DeviceHandle;
use crate::sys::{ze, *};

fn can_access(device: &DeviceHandle, peer: &DeviceHandle) -> Result<bool> {
    let mut can = 0;
    ze()?.zeDeviceCanAccessPeer(device.ze, peer.ze, &mut can)?;
    Ok(can != 0)
}

impl PeerApi for LevelZero {
    fn enable_peer_access(device: &DeviceHandle, peer: &DeviceHandle) -> Result<()> {
        // Access is always enabled if it is possible.
        if can_access(device, peer)? {
            return Ok(());
        }
        Err(Error::unsupported("the device cannot reach the peer's memory"))
    }

    fn disable_peer_access(_: &DeviceHandle, _: &DeviceHandle) -> Result<()> {
        Ok(())
    }

    fn peer_access_info(
        device: &DeviceHandle,
        peer: &DeviceHandle,
        attr: PeerAttribute,
        info: Info<'_>,
    ) -> Result<()> {
        match attr {
            PeerAttribute::ACCESS_SUPPORTED => info.value(i32::from(can_access(device, peer)?)),
            PeerAttribute::ATOMICS_SUPPORTED => {
                let mut properties = ze_device_p2p_properties_t::default();
                ze()?.zeDeviceGetP2PProperties(device.ze, peer.ze, &mut properties)?;
                info.value(i32::from(properties.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS != 0))
            }
            _ => Err(Error::unknown_peer_attribute(attr)),
        }
    }
}
