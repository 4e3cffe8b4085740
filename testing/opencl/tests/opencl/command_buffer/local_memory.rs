//! Tests of local memory of recorded kernels.

use super::*;

/// Intel's CPU runtime 2023.2.4 forgets the sizes when a launch is recorded.
pub(super) fn each_kernel_keeps_its_own_local_memory() {
    const GROUPS: usize = 4;
    let f = Fixture::new();
    let program = f.built_source();
    let (large, small) = (f.kernel(*program, c"local_sum"), f.kernel(*program, c"local_sum"));
    let (sums, zeros) = (f.buffer(&[0_i32; GROUPS]), f.buffer(&[7_i32; GROUPS]));
    let recording = Recording::new(&f);
    for (kernel, out, local) in [(*large, *sums, COUNT), (*small, *zeros, 1)] {
        f.set_mem(kernel, 0, out);
        ok!(f.pi, piKernelSetArg(kernel, 1, local * size_of::<i32>(), null()));
    }
    for (kernel, local) in [(*large, COUNT), (*small, 1)] {
        let global = GROUPS * local;
        let _: Point = made!(f.pi, |point| piextCommandBufferNDRangeKernel(
            recording.raw,
            kernel,
            1,
            null(),
            &global,
            &local,
            0,
            null(),
            point
        ));
    }
    recording.finalize();
    f.wait(recording.enqueue(f.queue, &[]));
    ok!(f.pi, piextCommandBufferRelease(recording.raw));
    let sum = (0..COUNT as i32).sum::<i32>();
    assert_eq!(f.content::<i32>(*sums, GROUPS), [sum; GROUPS]);
    assert_eq!(f.content::<i32>(*zeros, GROUPS), [0; GROUPS]);
}

/// Drivers give the address of a released kernel to the next one.
pub(super) fn a_new_kernel_has_no_local_memory_of_a_released_one() {
    let f = Fixture::new();
    let (sums, program) = (f.built_source(), f.source("kernel void one(global int *out) { *out = 1; }"));
    f.build(*program, c"").unwrap_or_else(|error| panic!("{error}"));
    let out = f.buffer(&[0_i32; COUNT]);
    let recording = Recording::new(&f);
    for _ in 0..20 {
        let with_local = f.kernel(*sums, c"local_sum");
        ok!(f.pi, piKernelSetArg(*with_local, 1, size_of::<i32>(), null()));
        drop(with_local);
        let one = f.kernel(*program, c"one");
        f.set_mem(*one, 0, *out);
        recording.launch(*one, &[]);
    }
    recording.finalize();
    recording.run(f.queue);
    assert_eq!(f.content::<i32>(*out, COUNT)[0], 1);
}
