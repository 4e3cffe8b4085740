//! Access from one device to the memory of another.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn urUsmP2PEnablePeerAccessExp<B: Backend>(
    commandDevice: ur_device_handle_t, peerDevice: ur_device_handle_t,
) -> Result<()> {
    B::enable_peer_access(
        // SAFETY: `commandDevice` is null or a live handle.
        unsafe { object(commandDevice, "commandDevice")? },
        // SAFETY: `peerDevice` is null or a live handle.
        unsafe { object(peerDevice, "peerDevice")? },
    )
}

#[entry]
pub unsafe extern "C" fn urUsmP2PDisablePeerAccessExp<B: Backend>(
    commandDevice: ur_device_handle_t, peerDevice: ur_device_handle_t,
) -> Result<()> {
    B::disable_peer_access(
        // SAFETY: `commandDevice` is null or a live handle.
        unsafe { object(commandDevice, "commandDevice")? },
        // SAFETY: `peerDevice` is null or a live handle.
        unsafe { object(peerDevice, "peerDevice")? },
    )
}

#[entry]
pub unsafe extern "C" fn urUsmP2PPeerAccessGetInfoExp<B: Backend>(
    commandDevice: ur_device_handle_t, peerDevice: ur_device_handle_t, propName: ur_exp_peer_info_t,
    propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    let (device, peer) =
        // SAFETY: `commandDevice` and `peerDevice` are null or live handles.
        unsafe { (object(commandDevice, "commandDevice")?, object(peerDevice, "peerDevice")?) };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::peer::<B>(device, peer, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}
