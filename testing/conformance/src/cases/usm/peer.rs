//! `piextEnablePeerAccess`, `piextDisablePeerAccess`, `piextPeerAccessGetInfo`.

use std::ptr::null_mut;

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{DEVICE, Verdict, check, same};

pub(super) const CASES: &[Case] = &[case("USM-31", "piextPeerAccessGetInfo", with_itself)];

/// Between the device and itself or another one: an answer of four bytes, or a refusal.
fn with_itself(f: &Env) -> Verdict {
    f.since(Version::V14_37)?;
    for attribute in [PI_PEER_ACCESS_SUPPORTED, PI_PEER_ATOMICS_SUPPORTED] {
        let (mut answer, mut size) = (-1_i32, 0);
        let room = (&raw mut answer).cast();
        match call!(f, piextPeerAccessGetInfo(f.device, f.device, attribute, 4, room, &mut size)) {
            Ok(()) => {
                same("size of the answer", 4, size)?;
                check("answer", (0..=1).contains(&answer), "0 or 1", answer)?;
            }
            Err(error) => {
                let codes = [Some(PI_ERROR_INVALID_OPERATION), Some(PI_ERROR_UNSUPPORTED_FEATURE)];
                check(
                    "",
                    codes.contains(&error.code()),
                    "an answer, or that there is none",
                    crate::outcome::answer(error),
                )?;
            }
        }
    }
    let (mut answer, name) = (0_i32, PI_PEER_ACCESS_SUPPORTED);
    let room = (&raw mut answer).cast();
    refused!(f, piextPeerAccessGetInfo(null_mut(), f.device, name, 4, room, null_mut()), DEVICE);
    Ok(())
}
