//! Access from one device to the memory of another.

use super::prelude::*;

stubs! {
    urUsmP2PEnablePeerAccessExp(commandDevice: ur_device_handle_t, peerDevice: ur_device_handle_t)
        B::enable_peer_access(object(commandDevice, "commandDevice")?, object(peerDevice, "peerDevice")?);

    urUsmP2PDisablePeerAccessExp(commandDevice: ur_device_handle_t, peerDevice: ur_device_handle_t)
        B::disable_peer_access(object(commandDevice, "commandDevice")?, object(peerDevice, "peerDevice")?);

    urUsmP2PPeerAccessGetInfoExp(commandDevice: ur_device_handle_t, peerDevice: ur_device_handle_t, propName:
        ur_exp_peer_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize) {
        let (device, peer) = (object(commandDevice, "commandDevice")?, object(peerDevice, "peerDevice")?);
        query::peer::<B>(device, peer, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };
}
