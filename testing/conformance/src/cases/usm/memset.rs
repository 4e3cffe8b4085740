//! `piextUSMEnqueueMemset`.

use std::ptr::{null, null_mut};

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{VALUE, Verdict, same};

pub(super) const CASES: &[Case] = &[case("USM-21", "piextUSMEnqueueMemset", low_byte)];

fn low_byte(f: &Env) -> Verdict {
    let queue = f.queue()?;
    for (_, usm) in f.usm_of_each_kind(256)? {
        for (value, expected) in [(0x5a, 0x5a_u8), (0x1234_56a7, 0xa7), (-1, 0xff)] {
            let event = made!(f, |out| piextUSMEnqueueMemset(queue, usm.ptr, value, 256, 0, null(), out));
            f.wait(event)?;
            same("bytes", vec![expected; 256], f.take(usm.ptr, 256)?)?;
        }
        let part = usm.ptr.wrapping_byte_add(7);
        let event = made!(f, |out| piextUSMEnqueueMemset(queue, part, 3, 13, 0, null(), out));
        f.wait(event)?;
        let mut bytes = vec![0xff_u8; 256];
        bytes.splice(7..20, [3; 13]);
        same("bytes after a part was set", bytes, f.take(usm.ptr, 256)?)?;
    }
    refused!(f, piextUSMEnqueueMemset(queue, null_mut(), 0, 8, 0, null(), null_mut()), VALUE);
    Ok(())
}
