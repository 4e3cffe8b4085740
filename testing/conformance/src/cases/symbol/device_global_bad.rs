//! `piextEnqueueDeviceGlobalVariableWrite`, `Read`: what is refused.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use super::device_global::{SCOPED, program, write};
use crate::case::{Case, case};
use crate::env::{DG_SCOPE, Env};
use crate::outcome::{Codes, Failure, PROGRAM, QUEUE, VALUE, Verdict, WAIT_LIST, check, codes};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("DGV-04", "piextEnqueueDeviceGlobalVariableRead", past_the_end),
    case("DGV-05", "piextEnqueueDeviceGlobalVariableRead", nothing_at_the_end),
    case("DGV-06", "piextEnqueueDeviceGlobalVariableRead", sum_wraps),
    case("DGV-07", "piextEnqueueDeviceGlobalVariableRead", unknown_name),
    case("DGV-08", "piextEnqueueDeviceGlobalVariableRead", nulls),
    case("DGV-09", "piextEnqueueDeviceGlobalVariableRead", wait_lists),
    case("DGV-10", "piextEnqueueDeviceGlobalVariableRead", not_built),
    case("DGV-11", "piextEnqueueDeviceGlobalVariableRead", of_another_context),
];

/// Level Zero's plugin has a text of its own for it.
const RANGE: Codes =
    codes(&[PI_ERROR_INVALID_VALUE, PI_ERROR_PLUGIN_SPECIFIC_ERROR], &[PI_ERROR_INVALID_BUFFER_SIZE]);
/// Intel's driver says that the argument is wrong.
const NAME: Codes = codes(&[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_ARG_VALUE], &[]);

/// A read and a write of that range, refused.
fn refuse(f: &Env, offset: usize, count: usize) -> Verdict {
    let (program, queue, mut bytes) = (program(f)?, f.queue()?, [0_u8; 64]);
    let (name, there) = (SCOPED.as_ptr(), bytes.as_mut_ptr().cast());
    refused!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            *program,
            name,
            PI_TRUE,
            count,
            offset,
            there,
            0,
            null(),
            null_mut()
        ),
        RANGE
    );
    refused!(
        f,
        piextEnqueueDeviceGlobalVariableWrite(
            queue,
            *program,
            name,
            PI_TRUE,
            count,
            offset,
            there,
            0,
            null(),
            null_mut()
        ),
        RANGE
    );
    Ok(())
}

fn past_the_end(f: &Env) -> Verdict {
    refuse(f, 0, 17)?;
    refuse(f, 12, 8)?;
    refuse(f, 32, 4)
}

/// In range; a driver may refuse it all the same.
fn nothing_at_the_end(f: &Env) -> Verdict {
    let (program, queue, mut bytes) = (program(f)?, f.queue()?, [0_u8; 16]);
    let (name, there) = (SCOPED.as_ptr(), bytes.as_mut_ptr().cast());
    let result = call!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            *program,
            name,
            PI_TRUE,
            0,
            16,
            there,
            0,
            null(),
            null_mut()
        )
    );
    let code = result.err().and_then(|error| error.code()).unwrap_or(PI_SUCCESS);
    let good = [PI_SUCCESS, PI_ERROR_INVALID_VALUE].contains(&code);
    check("", good, "PI_SUCCESS or PI_ERROR_INVALID_VALUE", crate::outcome::code_name(code))
}

fn sum_wraps(f: &Env) -> Verdict {
    refuse(f, usize::MAX - 3, 8)?;
    refuse(f, 8, usize::MAX - 3)
}

fn unknown_name(f: &Env) -> Verdict {
    let (program, queue, mut bytes) = (program(f)?, f.queue()?, [0_u8; 16]);
    let there = bytes.as_mut_ptr().cast();
    refused!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            *program,
            c"_Z7NoSuch".as_ptr(),
            PI_TRUE,
            4,
            0,
            there,
            0,
            null(),
            null_mut()
        ),
        NAME
    );
    Ok(())
}

fn nulls(f: &Env) -> Verdict {
    let (program, queue, mut bytes) = (program(f)?, f.queue()?, [0_u8; 16]);
    let (name, there) = (SCOPED.as_ptr(), bytes.as_mut_ptr().cast());
    for (queue, program, name, there, codes) in [
        (null_mut(), *program, name, there, QUEUE),
        (queue, null_mut(), name, there, PROGRAM),
        (queue, *program, null(), there, VALUE),
        (queue, *program, name, null_mut(), VALUE),
    ] {
        refused!(
            f,
            piextEnqueueDeviceGlobalVariableRead(
                queue,
                program,
                name,
                PI_TRUE,
                4,
                0,
                there,
                0,
                null(),
                null_mut()
            ),
            codes
        );
        refused!(
            f,
            piextEnqueueDeviceGlobalVariableWrite(
                queue,
                program,
                name,
                PI_TRUE,
                4,
                0,
                there,
                0,
                null(),
                null_mut()
            ),
            codes
        );
    }
    Ok(())
}

fn wait_lists(f: &Env) -> Verdict {
    let (program, queue, mut bytes) = (program(f)?, f.queue()?, [0_u8; 16]);
    let (name, there) = (SCOPED.as_ptr(), bytes.as_mut_ptr().cast());
    let none = [null_mut(); 1];
    refused!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            *program,
            name,
            PI_TRUE,
            4,
            0,
            there,
            1,
            null(),
            null_mut()
        ),
        WAIT_LIST
    );
    refused!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            *program,
            name,
            PI_TRUE,
            4,
            0,
            there,
            1,
            none.as_ptr(),
            null_mut()
        ),
        WAIT_LIST
    );
    ok!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            *program,
            name,
            PI_TRUE,
            4,
            0,
            there,
            0,
            none.as_ptr(),
            null_mut()
        )
    );
    Ok(())
}

fn not_built(f: &Env) -> Verdict {
    drop(program(f)?);
    let (unbuilt, queue, mut bytes) = (f.create(&DG_SCOPE)?, f.queue()?, [0_u8; 16]);
    let (name, there) = (SCOPED.as_ptr(), bytes.as_mut_ptr().cast());
    let codes = codes(
        &[PI_ERROR_INVALID_PROGRAM_EXECUTABLE],
        &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_PROGRAM, PI_ERROR_INVALID_ARG_VALUE],
    );
    refused!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            *unbuilt,
            name,
            PI_TRUE,
            4,
            0,
            there,
            0,
            null(),
            null_mut()
        ),
        codes
    );
    Ok(())
}

fn of_another_context(f: &Env) -> Verdict {
    let (program, context, mut bytes) = (program(f)?, f.new_context()?, [0_u8; 16]);
    write(f, *program, 0, &[1; 16])?;
    let queue = f.queue_in(*context, f.device, 0)?;
    let (name, there) = (SCOPED.as_ptr(), bytes.as_mut_ptr().cast());
    let codes = codes(
        &[PI_ERROR_INVALID_CONTEXT, PI_ERROR_INVALID_PROGRAM, PI_ERROR_INVALID_PROGRAM_EXECUTABLE],
        &[PI_ERROR_INVALID_VALUE],
    );
    if f.backend != sycl_pi_loader::Backend::OpenCl {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    refused!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            *queue,
            *program,
            name,
            PI_TRUE,
            16,
            0,
            there,
            0,
            null(),
            null_mut()
        ),
        codes
    );
    Ok(())
}
