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
