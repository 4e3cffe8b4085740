//! Access to another device's memory.

use std::ffi::c_void;

use sycl_pi_core::*;

use super::stubs::stubs;

stubs! { ur;
    fn piextEnablePeerAccess(command_device: pi_device, peer_device: pi_device)
        [command_device PI_ERROR_INVALID_DEVICE, peer_device PI_ERROR_INVALID_DEVICE]
    {
        ur.calls.urUsmP2PEnablePeerAccessExp(command_device.cast(), peer_device.cast())
    }
    fn piextDisablePeerAccess(command_device: pi_device, peer_device: pi_device)
        [command_device PI_ERROR_INVALID_DEVICE, peer_device PI_ERROR_INVALID_DEVICE]
    {
        ur.calls.urUsmP2PDisablePeerAccessExp(command_device.cast(), peer_device.cast())
    }
    fn piextPeerAccessGetInfo(command_device: pi_device, peer_device: pi_device, attr: pi_peer_attr, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [command_device PI_ERROR_INVALID_DEVICE, peer_device PI_ERROR_INVALID_DEVICE]
    {
        // The attributes have the same numbers, and the answer is an int in both interfaces.
        ur.calls.urUsmP2PPeerAccessGetInfoExp(command_device.cast(), peer_device.cast(), attr, param_value_size, param_value, param_value_size_ret)
    }
}
