//! The order of commands in queues, from one thread and from many.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::cases::plugin::{Table, together};
use crate::env::{Env, bytes_of};
use crate::outcome::{Failure, Verdict, same};

pub(super) const CASES: &[Case] = &[
    case("QUE-20", "piEnqueueKernelLaunch", chain),
    case("QUE-21", "piextQueueGetNativeHandle", native_twice),
    case("QUE-24", "piEnqueueMemBufferFill", many_threads),
    case("QUE-25", "piEnqueueMemBufferCopy", behind_a_slow_kernel),
];

/// ((1 + 1) * 3 + 1) * 3 ... four times, without an event.
fn chain(f: &Env) -> Verdict {
    let queue = f.new_queue(0)?;
    let (add, mul) = (f.kernel(c"add_value")?, f.kernel(c"mul_value")?);
    let expected = (0..4).fold(1_i32, |value, _| (value + 1) * 3);
    let run = || -> Verdict {
        f.set_arg(*add, 1, 1_i32)?;
        f.set_arg(*mul, 1, 3_i32)?;
        for _ in 0..4 {
            for kernel in [*add, *mul] {
                let size = 64_usize;
                ok!(
                    f,
                    piEnqueueKernelLaunch(
                        queue_of(&queue),
                        kernel,
                        1,
                        &0,
                        &size,
                        null(),
                        0,
                        null(),
                        null_mut()
                    )
                );
            }
        }
        ok!(f, piQueueFinish(*queue));
        Ok(())
    };
    let buffer = f.buffer(&[1_i32; 64])?;
    f.set_mem(*add, 0, *buffer)?;
    f.set_mem(*mul, 0, *buffer)?;
    run()?;
    same("buffer", vec![expected; 64], f.read::<i32>(*buffer, 64)?)?;
    match f.shared(256) {
        Err(Failure::Skip(_)) => Ok(()),
        Err(wrong) => Err(wrong),
        Ok(usm) => {
            f.put(usm.ptr, &bytes_of(&[1_i32; 64]))?;
            f.set_pointer(*add, 0, usm.ptr)?;
            f.set_pointer(*mul, 0, usm.ptr)?;
            run()?;
            same("USM", bytes_of(&[expected; 64]), f.take(usm.ptr, 256)?)
        }
    }
}

/// In order, without events: the output of a slow kernel is multiplied, then copied.
fn behind_a_slow_kernel(f: &Env) -> Verdict {
    let (queue, data, copy) = (f.new_queue(0)?, f.buffer(&[2_i32, 1])?, f.buffer(&[0_i32; 2])?);
    let (slow, mul) = (f.busy(*data, 20_000_000)?, f.kernel(c"mul_value")?);
    f.set_mem(*mul, 0, *data)?;
    f.set_arg(*mul, 1, 10_i32)?;
    let one = 1_usize;
    for kernel in [*slow, *mul] {
        ok!(f, piEnqueueKernelLaunch(*queue, kernel, 1, &0, &one, null(), 0, null(), null_mut()));
    }
    ok!(f, piEnqueueMemBufferCopy(*queue, *data, *copy, 0, 0, 4, 0, null(), null_mut()));
    same("what was copied", vec![30], f.read_on::<i32>(*queue, *copy, 0, 1)?)
}

fn queue_of(queue: &crate::env::Owned<'_, pi_queue>) -> pi_queue {
    **queue
}

fn native_twice(f: &Env) -> Verdict {
    let queue = f.new_queue(0)?;
    let read = || -> Verdict<usize> {
        if f.pi.piextQueueGetNativeHandle_until_12_27.is_some() {
            return Ok(made!(f, |out| piextQueueGetNativeHandle_until_12_27(*queue, out)));
        }
        let mut desc = 0;
        Ok(made!(f, |out| piextQueueGetNativeHandle(*queue, out, &mut desc)))
    };
    same("native handle", read()?, read()?)
}

/// Each thread fills its own part, then waits for the queue. All parts are then filled.
fn many_threads(f: &Env) -> Verdict {
    const PARTS: usize = 8;
    let (queue, buffer) = (f.new_queue(0)?, f.buffer(&[0_u8; PARTS * 256])?);
    let (pi, q, b) = (f.pi, *queue as usize, *buffer as usize);
    together(PARTS, |index| {
        let f = Table { pi };
        let (queue, buffer) = (q as pi_queue, b as pi_mem);
        for round in 0..50_usize {
            let value = (index + round) as u8;
            let from = (&raw const value).cast();
            let filled = call!(
                f,
                piEnqueueMemBufferFill(queue, buffer, from, 1, index * 256, 256, 0, null(), null_mut())
            );
            filled.map_err(|error| error.to_string())?;
        }
        call!(f, piQueueFinish(queue)).map_err(|error| error.to_string())
    })?;
    let expected: Vec<u8> = (0..PARTS).flat_map(|index| [(index + 49) as u8; 256]).collect();
    same("content", expected, f.read_on(*queue, *buffer, 0, PARTS * 256)?)
}
