//! Tests of what command buffers refuse, and when.

use super::*;

pub(super) fn unknown_sync_points_are_refused() {
    let f = Fixture::new();
    let data = f.buffer(&[0_i32; COUNT]);
    let (r, byte) = (Recording::new(&f), 1_u8);
    let known = r.fill(*data, 1, &[]);
    let pattern = (&raw const byte).cast();
    for unknown in [known + 1, known.wrapping_sub(1), Point::MAX] {
        refused!(
            f.pi,
            piextCommandBufferMemBufferFill(
                r.raw,
                *data,
                pattern,
                1,
                0,
                BYTES,
                2,
                [known, unknown].as_ptr(),
                null_mut()
            ),
            PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR
        );
    }
    refused!(
        f.pi,
        piextCommandBufferMemBufferFill(r.raw, *data, pattern, 1, 0, BYTES, 1, null(), null_mut()),
        PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR | PI_ERROR_INVALID_VALUE
    );
    r.finalize();
    r.run(f.queue);
    assert_eq!(f.content::<i32>(*data, COUNT), [1; COUNT], "refused commands leave no trace");
}

pub(super) fn bad_ranges_are_refused_when_recorded() {
    let f = Fixture::new();
    let (src, dst) = (f.buffer(&[0_i32; COUNT]), f.buffer(&[0_i32; COUNT]));
    let r = Recording::new(&f);
    for (offset, size) in [(0, BYTES + 1), (1, BYTES), (BYTES, 1), (usize::MAX, 2), (0, 0)] {
        refused!(
            f.pi,
            piextCommandBufferMemBufferCopy(r.raw, *src, *dst, offset, 0, size, 0, null(), null_mut()),
            PI_ERROR_INVALID_VALUE
        );
        refused!(
            f.pi,
            piextCommandBufferMemBufferCopy(r.raw, *src, *dst, 0, offset, size, 0, null(), null_mut()),
            PI_ERROR_INVALID_VALUE
        );
        let ptr = (&raw const offset).cast_mut().cast();
        refused!(
            f.pi,
            piextCommandBufferMemBufferRead(r.raw, *src, offset, size, ptr, 0, null(), null_mut()),
            PI_ERROR_INVALID_VALUE
        );
        refused!(
            f.pi,
            piextCommandBufferMemBufferWrite(r.raw, *dst, offset, size, ptr, 0, null(), null_mut()),
            PI_ERROR_INVALID_VALUE
        );
    }
    for (x, width, height, row) in
        [(0, 0, 1, 0), (1, BYTES, 1, 0), (0, 16, 17, 16), (0, 16, 2, 8), (usize::MAX, 2, 1, 0)]
    {
        let mut origin = pi_buff_rect_offset_struct { x_bytes: x, y_scalar: 0, z_scalar: 0 };
        let mut region =
            pi_buff_rect_region_struct { width_bytes: width, height_scalar: height, depth_scalar: 1 };
        let (origin, region) = (&raw mut origin, &raw mut region);
        refused!(
            f.pi,
            piextCommandBufferMemBufferCopyRect(
                r.raw,
                *src,
                *dst,
                origin,
                origin,
                region,
                row,
                0,
                row,
                0,
                0,
                null(),
                null_mut()
            ),
            PI_ERROR_INVALID_VALUE
        );
    }
}

/// The other side of the box has room for it.
pub(super) fn boxes_that_leave_one_side_are_refused_when_recorded() {
    let f = Fixture::new();
    let (small, large) = (f.buffer(&[0_u8; 32]), f.buffer(&[0_u8; 33]));
    let (r, mut host) = (Recording::new(&f), [0_u8; 64]);
    let mut start = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    // Two rows of 16 bytes that are 17 bytes apart.
    let mut region = pi_buff_rect_region_struct { width_bytes: 16, height_scalar: 2, depth_scalar: 1 };
    let (at, region, host) = (&raw mut start, &raw mut region, host.as_mut_ptr().cast());
    let copy = |src, dst, from, to| {
        call!(
            f.pi,
            piextCommandBufferMemBufferCopyRect(
                r.raw,
                src,
                dst,
                at,
                at,
                region,
                from,
                0,
                to,
                0,
                0,
                null(),
                null_mut()
            )
        )
    };
    let read = |mem| {
        call!(
            f.pi,
            piextCommandBufferMemBufferReadRect(
                r.raw,
                mem,
                at,
                at,
                region,
                17,
                0,
                16,
                0,
                host,
                0,
                null(),
                null_mut()
            )
        )
    };
    let write = |mem| {
        call!(
            f.pi,
            piextCommandBufferMemBufferWriteRect(
                r.raw,
                mem,
                at,
                at,
                region,
                17,
                0,
                16,
                0,
                host,
                0,
                null(),
                null_mut()
            )
        )
    };
    let is_refused = |result| calls::expect_refusal(result, &[PI_ERROR_INVALID_VALUE]);
    is_refused(copy(*small, *large, 17, 16));
    is_refused(copy(*large, *small, 16, 17));
    is_refused(read(*small));
    is_refused(write(*small));
    for fits in [copy(*large, *small, 17, 16), copy(*small, *large, 16, 17), read(*large), write(*large)] {
        fits.unwrap_or_else(|error| panic!("{error}"));
    }
}

pub(super) fn bad_patterns_are_refused_when_recorded() {
    let f = Fixture::new();
    let data = f.buffer(&[0_i32; COUNT]);
    let (r, bytes) = (Recording::new(&f), [0_u8; 256]);
    for (pattern, offset, size) in
        [(0, 0, 8), (3, 0, 8), (4, 0, 6), (4, 0, 0), (256, 0, 512), (3, BYTES - 3, 6), (4, BYTES, 4)]
    {
        let start = bytes.as_ptr().cast();
        refused!(
            f.pi,
            piextCommandBufferMemBufferFill(
                r.raw,
                *data,
                start,
                pattern,
                offset,
                size,
                0,
                null(),
                null_mut()
            ),
            PI_ERROR_INVALID_VALUE
        );
    }
}

pub(super) fn other_contexts_are_refused() {
    let (f, other) = (Fixture::new(), Fixture::new());
    let (mine, theirs) = (f.buffer(&[0_i32; COUNT]), other.buffer(&[0_i32; COUNT]));
    let r = Recording::new(&f);
    refused!(
        f.pi,
        piextCommandBufferMemBufferCopy(r.raw, *mine, *theirs, 0, 0, BYTES, 0, null(), null_mut()),
        PI_ERROR_INVALID_CONTEXT
    );
    let program = program(&other);
    let kernel = other.kernel(*program, c"scale");
    refused!(
        f.pi,
        piextCommandBufferNDRangeKernel(r.raw, *kernel, 1, null(), &COUNT, null(), 0, null(), null_mut()),
        PI_ERROR_INVALID_CONTEXT
    );
    r.finalize();
    refused!(
        f.pi,
        piextEnqueueCommandBuffer(r.raw, other.queue, 0, null(), null_mut()),
        PI_ERROR_INVALID_CONTEXT
    );
    let (properties, mut part, mut out) = ([PI_DEVICE_PARTITION_EQUALLY, 1, 0], null_mut(), null_mut());
    ok!(f.pi, piDevicePartition(f.device, properties.as_ptr(), 1, &mut part, null_mut()));
    refused!(f.pi, piextCommandBufferCreate(f.context, part, null(), &mut out), PI_ERROR_INVALID_DEVICE);
    ok!(f.pi, piDeviceRelease(part));
}

pub(super) fn null_and_foreign_handles_are_refused() {
    let f = Fixture::new();
    for wrong in [null_mut(), f.queue.cast(), f.context.cast(), f.device.cast()] {
        refused!(f.pi, piextCommandBufferRetain(wrong), PI_ERROR_INVALID_COMMAND_BUFFER_KHR);
        refused!(f.pi, piextCommandBufferFinalize(wrong), PI_ERROR_INVALID_COMMAND_BUFFER_KHR);
        refused!(f.pi, piextCommandBufferRelease(wrong), PI_ERROR_INVALID_COMMAND_BUFFER_KHR);
        refused!(
            f.pi,
            piextEnqueueCommandBuffer(wrong, f.queue, 0, null(), null_mut()),
            PI_ERROR_INVALID_COMMAND_BUFFER_KHR
        );
    }
    let create = |context, device, out| call!(f.pi, piextCommandBufferCreate(context, device, null(), out));
    let mut out = null_mut();
    calls::expect_refusal(create(null_mut(), f.device, &mut out), &[PI_ERROR_INVALID_CONTEXT]);
    calls::expect_refusal(create(f.context, null_mut(), &mut out), &[PI_ERROR_INVALID_DEVICE]);
    calls::expect_refusal(create(f.context, f.device, null_mut()), &[PI_ERROR_INVALID_VALUE]);
    let r = Recording::new(&f);
    refused!(
        f.pi,
        piextEnqueueCommandBuffer(r.raw, null_mut(), 0, null(), null_mut()),
        PI_ERROR_INVALID_QUEUE
    );
}

pub(super) fn released_handles_are_refused() {
    let f = Fixture::new();
    let r = Recording::new(&f);
    ok!(f.pi, piextCommandBufferRetain(r.raw));
    ok!(f.pi, piextCommandBufferRelease(r.raw));
    r.finalize();
    let raw = r.raw;
    drop(r);
    refused!(f.pi, piextCommandBufferRelease(raw), PI_ERROR_INVALID_COMMAND_BUFFER_KHR);
    refused!(
        f.pi,
        piextEnqueueCommandBuffer(raw, f.queue, 0, null(), null_mut()),
        PI_ERROR_INVALID_COMMAND_BUFFER_KHR
    );
}

/// PoCL 3.1 ends the process over such a launch in one of its own command buffers.
pub(super) fn launches_that_the_driver_refuses_are_refused_at_each_run() {
    let f = Fixture::new();
    let data = f.buffer(&[0_i32; COUNT]);
    let program = program(&f);
    let (whole, unset) = (scale(&f, *program, *data, 1, 0), f.kernel(*program, c"scale"));
    for (kernel, local) in [(*whole, 3), (*whole, 1 << 40), (*unset, 1)] {
        let r = Recording::new(&f);
        r.fill(*data, 1, &[]);
        let recorded = call!(
            f.pi,
            piextCommandBufferNDRangeKernel(r.raw, kernel, 1, null(), &COUNT, &local, 0, null(), null_mut())
        );
        if recorded.is_err() {
            continue;
        }
        r.finalize();
        for _ in 0..2 {
            let text = refused!(
                f.pi,
                piextEnqueueCommandBuffer(r.raw, f.queue, 0, null(), null_mut()),
                PI_ERROR_INVALID_WORK_GROUP_SIZE
                    | PI_ERROR_INVALID_WORK_ITEM_SIZE
                    | PI_ERROR_INVALID_KERNEL_ARGS
            );
            assert!(text.contains("command 2 of 2 (kernel launch)"), "{text}");
        }
    }
}
