//! `piextEnqueueDeviceGlobalVariableWrite`, `Read`: data transfer.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::{Backend, CallError};

use crate::case::{Case, case};
use crate::cases::plugin::{Table, together};
use crate::env::{BASIC, DG_INIT, DG_SCOPE, Env, Owned, bytes_of};
use crate::outcome::{Failure, OPERATION, Verdict, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("DGV-01", "piextEnqueueDeviceGlobalVariableWrite", written_then_used),
    case("DGV-02", "piextEnqueueDeviceGlobalVariableRead", stored_then_read),
    case("DGV-03", "piextEnqueueDeviceGlobalVariableWrite", part),
    case("DGV-12", "piextEnqueueDeviceGlobalVariableWrite", buffer_reused),
    case("DGV-14", "piextEnqueueDeviceGlobalVariableWrite", two_programs),
    case("DGV-15", "piextEnqueueDeviceGlobalVariableRead", unique_id),
    case("DGV-16", "piextEnqueueDeviceGlobalVariableRead", driver_without),
    case("DGV-18", "piextEnqueueDeviceGlobalVariableWrite", launch_waits_by_event),
    case("DGV-19", "piextEnqueueDeviceGlobalVariableRead", of_a_binary),
    case("DGV-20", "piextEnqueueDeviceGlobalVariableWrite", threads),
];

/// The name of `dg_scope.cpp`'s variable on the host.
pub(super) const SCOPED: &CStr = c"_Z6Scoped";

/// Returns the built program of `dg_scope.cpp`, if the driver can access its variable.
pub(super) fn program(f: &Env) -> Verdict<Owned<'_, pi_program>> {
    f.since(Version::V12_27)?;
    if f.backend != Backend::Cuda {
        f.need_spirv()?;
    }
    let program = f.built(&DG_SCOPE)?;
    let (queue, mut value) = (f.queue()?, [0_u8; 16]);
    let to = value.as_mut_ptr().cast();
    match call!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            *program,
            SCOPED.as_ptr(),
            PI_TRUE,
            16,
            0,
            to,
            0,
            null(),
            null_mut()
        )
    ) {
        Err(error) if has_no_globals(&error) => Err(Failure::skip(skip::NO_GLOBALS)),
        _ => Ok(program),
    }
}

/// Returns whether an error means that the driver has no access to device globals. Plugins and adapters return
/// different codes.
pub(super) fn has_no_globals(error: &CallError) -> bool {
    let code = error.code();
    code == Some(PI_ERROR_INVALID_OPERATION) || code == Some(PI_ERROR_UNSUPPORTED_FEATURE)
}

pub(super) fn write(f: &Env, program: pi_program, offset: usize, bytes: &[u8]) -> Verdict {
    let (queue, count, from) = (f.queue()?, bytes.len(), bytes.as_ptr().cast());
    ok!(
        f,
        piextEnqueueDeviceGlobalVariableWrite(
            queue,
            program,
            SCOPED.as_ptr(),
            PI_TRUE,
            count,
            offset,
            from,
            0,
            null(),
            null_mut()
        )
    );
    Ok(())
}

fn read_named(f: &Env, program: pi_program, name: &CStr, offset: usize, count: usize) -> Verdict<Vec<u8>> {
    let (queue, mut bytes) = (f.queue()?, vec![0_u8; count]);
    let to = bytes.as_mut_ptr().cast();
    ok!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            program,
            name.as_ptr(),
            PI_TRUE,
            count,
            offset,
            to,
            0,
            null(),
            null_mut()
        )
    );
    Ok(bytes)
}

fn read(f: &Env, program: pi_program, offset: usize, count: usize) -> Verdict<Vec<u8>> {
    read_named(f, program, SCOPED, offset, count)
}

/// Returns the kernel's result from the variable: the sum of its four ints.
fn sum(f: &Env, program: pi_program, after: Option<pi_event>) -> Verdict<i32> {
    let (kernel, out, queue) = (f.kernel_of(program, c"_ZTS6DgsSum")?, f.shared(4)?, f.queue()?);
    f.set_pointer(*kernel, 0, out.ptr)?;
    let (count, list) = after.as_ref().map_or((0, null()), |event| (1, std::ptr::from_ref(event)));
    let event =
        made!(f, |out| piEnqueueKernelLaunch(queue, *kernel, 1, null(), &1, null(), count, list, out));
    f.wait(event)?;
    let bytes = f.take(out.ptr, 4)?;
    Ok(bytes.as_chunks::<4>().0.first().map_or(0, |bytes| i32::from_ne_bytes(*bytes)))
}

/// The kernel stores v, v + 1, v + 2, v + 3.
fn set(f: &Env, program: pi_program, value: i32) -> Verdict {
    let kernel = f.kernel_of(program, c"_ZTS6DgsSet")?;
    f.set_arg(*kernel, 0, value)?;
    f.launch(*kernel, 1)
}

fn written_then_used(f: &Env) -> Verdict {
    let program = program(f)?;
    write(f, *program, 0, &bytes_of(&[1_i32, 10, 100, 1000]))?;
    same("sum by a kernel", 1111, sum(f, *program, None)?)
}

fn stored_then_read(f: &Env) -> Verdict {
    let program = program(f)?;
    set(f, *program, 1)?;
    same("variable", bytes_of(&[1_i32, 2, 3, 4]), read(f, *program, 0, 16)?)
}

fn part(f: &Env) -> Verdict {
    let program = program(f)?;
    write(f, *program, 0, &[9; 16])?;
    write(f, *program, 5, &[1, 2, 3])?;
    let mut expected = vec![9_u8; 16];
    expected.splice(5..8, [1, 2, 3]);
    same("variable", expected, read(f, *program, 0, 16)?)?;
    same("a part of it", vec![9, 1, 2, 3, 9], read(f, *program, 4, 5)?)
}

fn buffer_reused(f: &Env) -> Verdict {
    let program = program(f)?;
    let mut bytes = [5_u8; 16];
    write(f, *program, 0, &bytes)?;
    bytes.fill(6);
    same("variable", vec![5; 16], read(f, *program, 0, bytes.len())?)
}

fn two_programs(f: &Env) -> Verdict {
    let (one, two) = (program(f)?, program(f)?);
    write(f, *one, 0, &[1; 16])?;
    write(f, *two, 0, &[2; 16])?;
    same("variable of the first", vec![1; 16], read(f, *one, 0, 16)?)?;
    same("variable of the second", vec![2; 16], read(f, *two, 0, 16)?)
}

/// By the unique id. The initial values are present before any launch.
fn unique_id(f: &Env) -> Verdict {
    drop(program(f)?);
    let program = f.built(&DG_INIT)?;
    same("Seed", bytes_of(&[1234_i32]), read_named(f, *program, c"_Z4Seed", 0, 4)?)?;
    same("Triple", bytes_of(&[10_i32, 20, 30]), read_named(f, *program, c"_Z6Triple", 0, 12)?)
}

fn driver_without(f: &Env) -> Verdict {
    f.since(Version::V12_27)?;
    match program(f) {
        Ok(_) => Err(Failure::skip(skip::ALL_SUPPORTED)),
        Err(Failure::Skip(_)) => {
            let (program, queue, mut value) = (f.built(&BASIC)?, f.queue()?, [0_u8; 4]);
            let to: *mut c_void = value.as_mut_ptr().cast();
            refused!(
                f,
                piextEnqueueDeviceGlobalVariableRead(
                    queue,
                    *program,
                    c"x".as_ptr(),
                    PI_TRUE,
                    4,
                    0,
                    to,
                    0,
                    null(),
                    null_mut()
                ),
                OPERATION
            );
            Ok(())
        }
        Err(wrong) => Err(wrong),
    }
}

fn launch_waits_by_event(f: &Env) -> Verdict {
    let program = program(f)?;
    let queue = if f.has_out_of_order() { f.out_of_order()? } else { f.new_queue(0)? };
    let bytes = bytes_of(&[2_i32, 2, 2, 2]);
    let from = bytes.as_ptr().cast();
    let written = made!(f, |out| piextEnqueueDeviceGlobalVariableWrite(
        *queue,
        *program,
        SCOPED.as_ptr(),
        PI_FALSE,
        16,
        0,
        from,
        0,
        null(),
        out
    ));
    let written = f.own_event(written);
    ok!(f, piQueueFlush(*queue));
    same("sum by a kernel that waits for the write", 8, sum(f, *program, Some(*written))?)
}

fn of_a_binary(f: &Env) -> Verdict {
    let built = program(f)?;
    let loaded = f.of_binary(&f.binary(*built)?)?;
    f.build(*loaded, c"")?;
    write(f, *loaded, 0, &bytes_of(&[1_i32, 2, 3, 4]))?;
    same("sum by a kernel", 10, sum(f, *loaded, None)?)
}

/// Each thread uses a separate variable.
fn threads(f: &Env) -> Verdict {
    drop(program(f)?);
    let program = f.built(&DG_INIT)?;
    let queues = [f.new_queue(0)?, f.new_queue(0)?];
    let (pi, address) = (f.pi, *program as usize);
    let mine: Vec<usize> = queues.iter().map(|queue| **queue as usize).collect();
    together(2, |index| {
        let f = Table { pi };
        let (queue, program) = (mine[index] as pi_queue, address as pi_program);
        let (name, count) = if index == 0 { (c"_Z4Seed", 4) } else { (c"_Z6Triple", 12) };
        let bytes = [index as u8 + 7; 12];
        let from = bytes.as_ptr().cast();
        for _ in 0..20 {
            call!(
                f,
                piextEnqueueDeviceGlobalVariableWrite(
                    queue,
                    program,
                    name.as_ptr(),
                    PI_TRUE,
                    count,
                    0,
                    from,
                    0,
                    null(),
                    null_mut()
                )
            )
            .map_err(|error| error.to_string())?;
        }
        Ok(())
    })?;
    same("Seed", vec![7; 4], read_named(f, *program, c"_Z4Seed", 0, 4)?)?;
    same("Triple", vec![8; 12], read_named(f, *program, c"_Z6Triple", 0, 12)?)
}
