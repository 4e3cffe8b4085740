//! `piextEnqueueDeviceGlobalVariableWrite`, `Read`: refused calls.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::{Backend, CallError};

use super::device_global::{SCOPED, program, write};
use crate::case::{Case, case};
use crate::env::{DG_SCOPE, Env};
use crate::outcome::{Codes, PROGRAM, QUEUE, VALUE, Verdict, WAIT_LIST, check, codes, refusal};

pub(super) const CASES: &[Case] = &[
    case("DGV-04", "piextEnqueueDeviceGlobalVariableRead", past_the_end),
    case("DGV-05", "piextEnqueueDeviceGlobalVariableRead", nothing_at_the_end),
    case("DGV-06", "piextEnqueueDeviceGlobalVariableRead", sum_wraps),
    case("DGV-07", "piextEnqueueDeviceGlobalVariableRead", unknown_name),
    case("DGV-08", "piextEnqueueDeviceGlobalVariableRead", nulls),
    case("DGV-10", "piextEnqueueDeviceGlobalVariableRead", not_built),
    case("DGV-11", "piextEnqueueDeviceGlobalVariableRead", of_another_context),
];

/// Level Zero's plugin has a special message for it.
const RANGE: Codes =
    codes(&[PI_ERROR_INVALID_VALUE, PI_ERROR_PLUGIN_SPECIFIC_ERROR], &[PI_ERROR_INVALID_BUFFER_SIZE]);
/// Intel's driver reports a wrong argument.
const NAME: Codes = codes(&[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_ARG_VALUE], &[]);

/// A blocking access to the variable, with parts that can be wrong.
struct Access {
    queue: pi_queue,
    program: pi_program,
    name: *const c_char,
    count: usize,
    offset: usize,
    host: *mut c_void,
    wait_count: u32,
    wait_list: *const pi_event,
}

impl Access {
    /// Creates an access to the variable's first four bytes.
    fn new(f: &Env, program: pi_program, host: &mut [u8; 64]) -> Verdict<Self> {
        Ok(Self {
            queue: f.queue()?,
            program,
            name: SCOPED.as_ptr(),
            count: 4,
            offset: 0,
            host: host.as_mut_ptr().cast(),
            wait_count: 0,
            wait_list: null(),
        })
    }

    fn read(&self, f: &Env) -> Result<(), CallError> {
        let Self { queue, program, name, count, offset, host, wait_count, wait_list } = *self;
        call!(
            f,
            piextEnqueueDeviceGlobalVariableRead(
                queue,
                program,
                name,
                PI_TRUE,
                count,
                offset,
                host,
                wait_count,
                wait_list,
                null_mut()
            )
        )
    }

    fn write(&self, f: &Env) -> Result<(), CallError> {
        let Self { queue, program, name, count, offset, host, wait_count, wait_list } = *self;
        call!(
            f,
            piextEnqueueDeviceGlobalVariableWrite(
                queue,
                program,
                name,
                PI_TRUE,
                count,
                offset,
                host,
                wait_count,
                wait_list,
                null_mut()
            )
        )
    }

    fn read_refused(&self, f: &Env, codes: Codes) -> Verdict {
        refusal("piextEnqueueDeviceGlobalVariableRead", f.strict, self.read(f), codes).map(drop)
    }

    fn write_refused(&self, f: &Env, codes: Codes) -> Verdict {
        refusal("piextEnqueueDeviceGlobalVariableWrite", f.strict, self.write(f), codes).map(drop)
    }
}

/// Checks that a read and a write of that range are refused.
fn refuse(f: &Env, offset: usize, count: usize) -> Verdict {
    let (program, mut host) = (program(f)?, [0_u8; 64]);
    let access = Access { offset, count, ..Access::new(f, *program, &mut host)? };
    let codes = if f.backend == Backend::OpenCl { VALUE } else { RANGE };
    access.read_refused(f, codes)?;
    access.write_refused(f, codes)
}

fn past_the_end(f: &Env) -> Verdict {
    refuse(f, 0, 17)?;
    refuse(f, 12, 8)?;
    refuse(f, 13, 4)?;
    refuse(f, 16, 4)?;
    refuse(f, 32, 4)
}

/// In range, but a driver may refuse it.
fn nothing_at_the_end(f: &Env) -> Verdict {
    let (program, mut host) = (program(f)?, [0_u8; 64]);
    let result = Access { offset: 16, count: 0, ..Access::new(f, *program, &mut host)? }.read(f);
    let code = result.err().and_then(|error| error.code()).unwrap_or(PI_SUCCESS);
    let good = [PI_SUCCESS, PI_ERROR_INVALID_VALUE].contains(&code);
    check("", good, "PI_SUCCESS or PI_ERROR_INVALID_VALUE", crate::outcome::code_name(code))
}

fn sum_wraps(f: &Env) -> Verdict {
    refuse(f, usize::MAX - 3, 8)?;
    refuse(f, usize::MAX - 3, 4)?;
    refuse(f, usize::MAX, 4)?;
    refuse(f, 8, usize::MAX - 3)
}

fn unknown_name(f: &Env) -> Verdict {
    let (program, mut host) = (program(f)?, [0_u8; 64]);
    Access { name: c"_Z7NoSuch".as_ptr(), ..Access::new(f, *program, &mut host)? }.read_refused(f, NAME)
}

fn nulls(f: &Env) -> Verdict {
    let (program, mut host) = (program(f)?, [0_u8; 64]);
    let mut good = || Access::new(f, *program, &mut host);
    for (access, codes) in [
        (Access { queue: null_mut(), ..good()? }, QUEUE),
        (Access { program: null_mut(), ..good()? }, PROGRAM),
        (Access { name: null(), ..good()? }, VALUE),
        (Access { host: null_mut(), ..good()? }, VALUE),
    ] {
        access.read_refused(f, codes)?;
        access.write_refused(f, codes)?;
    }
    Ok(())
}

/// Tests wrong wait lists, and the address of an empty one.
pub(super) fn wrong_wait_lists(f: &Env) -> Verdict {
    let (program, mut host, none) = (program(f)?, [0_u8; 64], [null_mut(); 1]);
    let wait_list = none.as_ptr();
    Access { wait_count: 1, ..Access::new(f, *program, &mut host)? }.read_refused(f, WAIT_LIST)?;
    Access { wait_count: 1, wait_list, ..Access::new(f, *program, &mut host)? }.read_refused(f, WAIT_LIST)?;
    Ok(Access { wait_list, ..Access::new(f, *program, &mut host)? }.read(f)?)
}

fn not_built(f: &Env) -> Verdict {
    drop(program(f)?);
    let (unbuilt, mut host) = (f.create(&DG_SCOPE)?, [0_u8; 64]);
    let codes = codes(
        &[PI_ERROR_INVALID_PROGRAM_EXECUTABLE],
        &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_PROGRAM, PI_ERROR_INVALID_ARG_VALUE],
    );
    Access::new(f, *unbuilt, &mut host)?.read_refused(f, codes)
}

fn of_another_context(f: &Env) -> Verdict {
    let (program, context, mut host) = (program(f)?, f.new_context()?, [0_u8; 64]);
    write(f, *program, 0, &[1; 16])?;
    let queue = f.queue_in(*context, f.device, 0)?;
    let codes = codes(
        &[PI_ERROR_INVALID_CONTEXT, PI_ERROR_INVALID_PROGRAM, PI_ERROR_INVALID_PROGRAM_EXECUTABLE],
        &[PI_ERROR_INVALID_VALUE],
    );
    Access { queue: *queue, count: 16, ..Access::new(f, *program, &mut host)? }.read_refused(f, codes)
}
