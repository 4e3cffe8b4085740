//! `piKernelSetExecInfo`.

use std::ffi::c_void;
use std::ptr::null;

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, bytes_of};
use crate::outcome::{Failure, VALUE, Verdict, same};

pub(super) const CASES: &[Case] = &[
    case("KRN-24", "piKernelSetExecInfo", indirect_access),
    case("KRN-25", "piKernelSetExecInfo", pointers),
    case("KRN-26", "piKernelSetExecInfo", bad_values),
    case("LCH-16", "piKernelSetExecInfo", linked_list),
];

fn allow(f: &Env, kernel: pi_kernel) -> Verdict {
    let yes: pi_bool = PI_TRUE;
    ok!(f, piKernelSetExecInfo(kernel, PI_USM_INDIRECT_ACCESS, 4, (&raw const yes).cast()));
    Ok(())
}

fn indirect_access(f: &Env) -> Verdict {
    allow(f, *f.kernel(c"nothing")?)
}

fn pointers(f: &Env) -> Verdict {
    let (kernel, usm) = (f.kernel(c"fill_index")?, f.shared(64)?);
    f.set_pointer(*kernel, 0, usm.ptr)?;
    let list: [*const c_void; 1] = [usm.ptr];
    ok!(f, piKernelSetExecInfo(*kernel, PI_USM_PTRS, 8, list.as_ptr().cast()));
    f.launch(*kernel, 1)
}

fn bad_values(f: &Env) -> Verdict {
    let (kernel, yes) = (f.kernel(c"nothing")?, PI_TRUE);
    refused!(f, piKernelSetExecInfo(*kernel, 0x7777, 4, (&raw const yes).cast()), VALUE);
    refused!(f, piKernelSetExecInfo(*kernel, PI_USM_INDIRECT_ACCESS, 4, null()), VALUE);
    Ok(())
}

/// The kernel gets the first node only, and finds the others by their addresses.
fn linked_list(f: &Env) -> Verdict {
    let (kernel, sum) = (f.kernel(c"sum_list")?, f.shared(8)?);
    let nodes = (0..5).map(|_| f.shared(16)).collect::<Result<Vec<_>, Failure>>()?;
    for (index, node) in nodes.iter().enumerate() {
        let next = nodes.get(index + 1).map_or(0, |next| next.ptr as u64);
        f.put(node.ptr, &bytes_of(&[next, 10 + index as u64]))?;
    }
    allow(f, *kernel)?;
    let first = nodes.first().map_or(std::ptr::null_mut(), |node| node.ptr);
    f.set_pointer(*kernel, 0, first)?;
    f.set_pointer(*kernel, 1, sum.ptr)?;
    f.launch(*kernel, 1)?;
    same("sum over the list", bytes_of(&[60_u64]), f.take(sum.ptr, 8)?)
}
