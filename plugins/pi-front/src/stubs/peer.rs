//! Access from one device to the memory of another.

stubs! {
    piextEnablePeerAccess(command_device: pi_device, peer_device: pi_device)
        B::enable_peer_access(object(command_device, "command_device")?, object(peer_device, "peer_device")?);

    piextDisablePeerAccess(command_device: pi_device, peer_device: pi_device)
        B::disable_peer_access(object(command_device, "command_device")?, object(peer_device, "peer_device")?);

    piextPeerAccessGetInfo(command_device: pi_device, peer_device: pi_device, attr: pi_peer_attr,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) {
        let (device, peer) = (object(command_device, "command_device")?, object(peer_device, "peer_device")?);
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::peer_access_info(device, peer, PeerAttribute(attr), info))
    };
}
