//! `piextGetGlobalVariablePointer`.

use std::ptr::null_mut;

use sycl_pi_core::*;

use super::device_global::{SCOPED, has_no_globals, program};
use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Failure, VALUE, Verdict, check, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[case("DGV-17", "piextGetGlobalVariablePointer", size_is_optional)];

fn size_is_optional(f: &Env) -> Verdict {
    f.since(Version::V15_47)?;
    let program = program(f)?;
    let (name, mut size, mut pointer) = (SCOPED.as_ptr(), 0, null_mut());
    match call!(f, piextGetGlobalVariablePointer(f.device, *program, name, &mut size, &mut pointer)) {
        Err(error) if has_no_globals(&error) => return Err(Failure::skip(skip::NO_GLOBALS)),
        result => result?,
    }
    same("size", 16, size)?;
    check("", !pointer.is_null(), "an address", "null")?;
    let mut again = null_mut();
    ok!(f, piextGetGlobalVariablePointer(f.device, *program, name, null_mut(), &mut again));
    same("address without the size", pointer, again)?;
    refused!(f, piextGetGlobalVariablePointer(f.device, *program, name, &mut size, null_mut()), VALUE);
    Ok(())
}
