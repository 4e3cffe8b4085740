//! `piextEnqueueDeviceGlobalVariableWrite`, `Read`: their wait lists.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use super::device_global::{SCOPED, program, write};
use super::device_global_bad::wrong_wait_lists;
use crate::case::{Case, case};
use crate::env::{Env, Owned, bytes_of};
use crate::outcome::{Verdict, same};

pub(super) const CASES: &[Case] = &[case("DGV-09", "piextEnqueueDeviceGlobalVariableRead", wait_lists)];

/// Long enough that a command that does not wait finishes before the kernel.
const ROUNDS: i32 = 5_000_000;

fn wait_lists(f: &Env) -> Verdict {
    wrong_wait_lists(f)?;
    for blocking in [PI_TRUE, PI_FALSE] {
        let mut values = [0_i32; 4];
        read_waits(f, blocking, values.as_mut_ptr().cast())?;
        write_waits(f, blocking)?;
    }
    // CUDA's driver by itself waits for copies to other memory than its own.
    match f.host(16) {
        Ok(host) => read_waits(f, PI_TRUE, host.ptr),
        Err(_) => Ok(()),
    }
}

/// The work of a queue: a slow kernel, followed by a kernel that uses the variable.
struct Busy<'e> {
    f: &'e Env,
    program: Owned<'e, pi_program>,
    one: Owned<'e, pi_queue>,
    two: Owned<'e, pi_queue>,
    data: Owned<'e, pi_mem>,
}

impl<'e> Busy<'e> {
    /// The variable holds 1, 2, 3, 4, and nothing runs.
    fn new(f: &'e Env) -> Verdict<Self> {
        let program = program(f)?;
        write(f, *program, 0, &bytes_of(&[1_i32, 2, 3, 4]))?;
        let busy =
            Self { f, program, one: f.new_queue(0)?, two: f.new_queue(0)?, data: f.buffer(&[0_i32; 2])? };
        // Initialization in the first launch is over before the order matters.
        drop(busy.slow(1)?);
        ok!(f, piQueueFinish(*busy.one));
        Ok(busy)
    }

    fn slow(&self, rounds: i32) -> Verdict<Owned<'e, pi_event>> {
        let kernel = self.f.busy(*self.data, rounds)?;
        Ok(self.f.own_event(self.f.launch_on(*self.one, *kernel, 1)?))
    }

    /// Returns the event of `kernel`, which runs in the first queue after the slow kernel.
    fn behind_slow(&self, kernel: pi_kernel) -> Verdict<Owned<'e, pi_event>> {
        let f = self.f;
        let slow = self.slow(ROUNDS)?;
        let event =
            made!(f, |out| piEnqueueKernelLaunch(*self.one, kernel, 1, null(), &1, null(), 1, &*slow, out));
        ok!(f, piQueueFlush(*self.one));
        Ok(f.own_event(event))
    }
}

/// A read in the second queue returns what the kernel in the first one has stored.
fn read_waits(f: &Env, blocking: pi_bool, to: *mut c_void) -> Verdict {
    let busy = Busy::new(f)?;
    let set = f.kernel_of(*busy.program, c"_ZTS6DgsSet")?;
    f.set_arg(*set, 0, 50_i32)?;
    let stored = busy.behind_slow(*set)?;
    // SAFETY: it is room for them, and stays until the queues are finished.
    let values = || unsafe { to.cast::<[i32; 4]>().read_volatile() };
    let (queue, program, name) = (*busy.two, *busy.program, SCOPED.as_ptr());
    let read = made!(f, |out| piextEnqueueDeviceGlobalVariableRead(
        queue, program, name, blocking, 16, 0, to, 1, &*stored, out
    ));
    // Otherwise, the read may still be writing them.
    let when_it_returned = (blocking == PI_TRUE).then(values);
    f.wait(read)?;
    ok!(f, piQueueFinish(*busy.one));
    if let Some(values) = when_it_returned {
        same("what a blocking read has given when it returns", [50, 51, 52, 53], values)?;
    }
    same("what a read gets that waits for a kernel", [50, 51, 52, 53], values())
}

/// A write in the second queue does not change what the kernel in the first one reads.
fn write_waits(f: &Env, blocking: pi_bool) -> Verdict {
    let busy = Busy::new(f)?;
    let (sum, out) = (f.kernel_of(*busy.program, c"_ZTS6DgsSum")?, f.shared(4)?);
    f.set_pointer(*sum, 0, out.ptr)?;
    let used = busy.behind_slow(*sum)?;
    let (bytes, name) = (bytes_of(&[7_i32; 4]), SCOPED.as_ptr());
    let (queue, program, from) = (*busy.two, *busy.program, bytes.as_ptr().cast());
    let written = made!(f, |out| piextEnqueueDeviceGlobalVariableWrite(
        queue, program, name, blocking, 16, 0, from, 1, &*used, out
    ));
    f.wait(written)?;
    same("sum by a kernel that a write waits for", bytes_of(&[10_i32]), f.take(out.ptr, 4)?)?;
    let mut values = [0_i32; 4];
    let to = values.as_mut_ptr().cast();
    ok!(
        f,
        piextEnqueueDeviceGlobalVariableRead(queue, program, name, PI_TRUE, 16, 0, to, 0, null(), null_mut())
    );
    same("variable in the end", [7; 4], values)
}
