//! Access from one device to another's memory.

use sycl_pi_core::*;

use crate::Info;

api! {
    /// Peer access.
    trait PeerApi {
        /// Lets commands on `device` reach memory of `peer`.
        fn piextEnablePeerAccess(device: &Self::Device, peer: &Self::Device);
        /// Takes that back.
        fn piextDisablePeerAccess(device: &Self::Device, peer: &Self::Device);
        /// Whether access or atomics between the two are possible: 4 bytes.
        fn piextPeerAccessGetInfo(device: &Self::Device, peer: &Self::Device, attr: pi_peer_attr, info: Info<'_>);
    }
}

stubs! {
    piextEnablePeerAccess(command_device: pi_device, peer_device: pi_device)
        B::piextEnablePeerAccess(object(command_device, "command_device")?, object(peer_device, "peer_device")?);

    piextDisablePeerAccess(command_device: pi_device, peer_device: pi_device)
        B::piextDisablePeerAccess(object(command_device, "command_device")?, object(peer_device, "peer_device")?);

    piextPeerAccessGetInfo(command_device: pi_device, peer_device: pi_device, attr: pi_peer_attr,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) {
        let (device, peer) = (object(command_device, "command_device")?, object(peer_device, "peer_device")?);
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piextPeerAccessGetInfo(device, peer, attr, info))
    };
}
