//! Access from one device to the memory of another.

use crate::types::*;

use crate::Info;

api! {
    /// Peer access.
    trait PeerApi {
        /// Allows commands on `device` to access memory of `peer`.
        #[doc(alias = "piextEnablePeerAccess")]
        #[doc(alias = "urUsmP2PEnablePeerAccessExp")]
        fn enable_peer_access(device: &Self::Device, peer: &Self::Device);
        /// Revokes that access.
        #[doc(alias = "piextDisablePeerAccess")]
        #[doc(alias = "urUsmP2PDisablePeerAccessExp")]
        fn disable_peer_access(device: &Self::Device, peer: &Self::Device);
        /// Answers whether access or atomics between the two devices are possible: 4 bytes.
        #[doc(alias = "piextPeerAccessGetInfo")]
        #[doc(alias = "urUsmP2PPeerAccessGetInfoExp")]
        fn peer_access_info(device: &Self::Device, peer: &Self::Device, attr: PeerAttribute, info: Info<'_>);
    }
}
