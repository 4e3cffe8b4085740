//! Access from one device to the memory of another.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn piextEnablePeerAccess<B: Backend>(
    command_device: pi_device, peer_device: pi_device,
) -> Result<()> {
    B::enable_peer_access(
        // SAFETY: `command_device` is null or a live handle.
        unsafe { object(command_device, "command_device")? },
        // SAFETY: `peer_device` is null or a live handle.
        unsafe { object(peer_device, "peer_device")? },
    )
}

#[entry]
pub unsafe extern "C" fn piextDisablePeerAccess<B: Backend>(
    command_device: pi_device, peer_device: pi_device,
) -> Result<()> {
    B::disable_peer_access(
        // SAFETY: `command_device` is null or a live handle.
        unsafe { object(command_device, "command_device")? },
        // SAFETY: `peer_device` is null or a live handle.
        unsafe { object(peer_device, "peer_device")? },
    )
}

#[entry]
pub unsafe extern "C" fn piextPeerAccessGetInfo<B: Backend>(
    command_device: pi_device, peer_device: pi_device, attr: pi_peer_attr, param_value_size: usize,
    param_value: *mut c_void, param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `command_device` is null or a live handle.
    let device = unsafe { object(command_device, "command_device")? };
    // SAFETY: `peer_device` is null or a live handle.
    let peer = unsafe { object(peer_device, "peer_device")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::peer_access_info(device, peer, PeerAttribute(attr), info)
        })
    }
}
