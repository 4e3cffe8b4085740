//! Access from one device to another's memory.

use crate::types::*;

use crate::Info;

api! {
    /// Peer access.
    trait PeerApi {
        /// Lets commands on `device` reach memory of `peer`.
        #[doc(alias = "piextEnablePeerAccess")]
        #[doc(alias = "urUsmP2PEnablePeerAccessExp")]
        fn enable_peer_access(device: &Self::Device, peer: &Self::Device);
        /// Takes that back.
        #[doc(alias = "piextDisablePeerAccess")]
        #[doc(alias = "urUsmP2PDisablePeerAccessExp")]
        fn disable_peer_access(device: &Self::Device, peer: &Self::Device);
        /// Whether access or atomics between the two are possible: 4 bytes.
        #[doc(alias = "piextPeerAccessGetInfo")]
        #[doc(alias = "urUsmP2PPeerAccessGetInfoExp")]
        fn peer_access_info(device: &Self::Device, peer: &Self::Device, attr: PeerAttribute, info: Info<'_>);
    }
}
