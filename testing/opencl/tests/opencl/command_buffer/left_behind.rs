//! Tests of resources that runs of a command buffer leave behind.

use super::*;

pub(super) fn nothing_is_left_behind() {
    const ROUNDS: u32 = 20;
    let f = Fixture::new();
    let (src, dst) = (f.buffer(&[0_i32; COUNT]), f.buffer(&[0_i32; COUNT]));
    let program = program(&f);
    let kernel = scale(&f, *program, *src, 1, 1);
    let queues = [f.queue, f.queue_with(OUT_OF_ORDER)];
    let counts = || {
        for queue in queues {
            ok!(f.pi, piQueueFinish(queue));
        }
        (
            get!(f.pi, piContextGetInfo(f.context, PI_CONTEXT_INFO_REFERENCE_COUNT) as pi_uint32),
            get!(f.pi, piProgramGetInfo(*program, PI_PROGRAM_INFO_REFERENCE_COUNT) as pi_uint32),
            get!(f.pi, piKernelGetInfo(*kernel, PI_KERNEL_INFO_REFERENCE_COUNT) as pi_uint32),
            queues.map(|queue| get!(f.pi, piQueueGetInfo(queue, PI_QUEUE_INFO_REFERENCE_COUNT) as pi_uint32)),
        )
    };
    // The first run may make the driver set something up permanently.
    let round = || {
        let r = Recording::new(&f);
        let filled = r.fill(*src, 1, &[]);
        let scaled = r.launch(*kernel, &[filled]);
        r.copy(*src, *dst, &[scaled]);
        r.copy(*src, *dst, &[scaled]);
        r.finalize();
        for queue in queues {
            r.run(queue);
            ok!(f.pi, piextEnqueueCommandBuffer(r.raw, queue, 0, null(), null_mut()));
            ok!(f.pi, piQueueFinish(queue));
        }
    };
    // A driver may release a finished command a little later. So only count what stays.
    let settled = || {
        let (mut last, mut same) = (counts(), 0);
        for _ in 0..200 {
            std::thread::sleep(std::time::Duration::from_millis(10));
            let now = counts();
            same = if now == last { same + 1 } else { 0 };
            last = now;
            if same == 20 {
                break;
            }
        }
        last
    };
    round();
    let before = settled();
    for _ in 0..ROUNDS {
        round();
    }
    // A leak per round would appear `ROUNDS` times. A driver that releases late after the first round has at most one
    // round's objects too many in `before`.
    let after = settled();
    let grown = [
        after.0 > before.0,
        after.1 > before.1,
        after.2 > before.2,
        after.3[0] > before.3[0],
        after.3[1] > before.3[1],
    ];
    assert_eq!(
        grown, [false; 5],
        "context, program, kernel, queues: {before:?}, after {ROUNDS} rounds {after:?}"
    );
    ok!(f.pi, piQueueRelease(queues[1]));
}
