//! Native handles of kernels.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Verdict, check, same};

pub(super) const CASES: &[Case] = &[case("NAT-13", "piextKernelCreateWithNativeHandle", without_program)];

fn without_program(f: &Env) -> Verdict {
    let (kernel, context) = (f.kernel(c"fill_index")?, f.context()?);
    let native: pi_native_handle = made!(f, |out| piextKernelGetNativeHandle(*kernel, out));
    let mut out = null_mut();
    let result = call!(f, piextKernelCreateWithNativeHandle(native, context, null_mut(), 0, &mut out));
    if f.backend != Backend::OpenCl {
        return check("", result.is_err(), "a refusal", "PI_SUCCESS");
    }
    result?;
    let again = f.own_kernel(out);
    same("name", "fill_index".to_owned(), text!(f, piKernelGetInfo(*again, PI_KERNEL_INFO_FUNCTION_NAME)))
}
