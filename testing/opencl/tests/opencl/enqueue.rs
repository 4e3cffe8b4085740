//! Commands: launches, buffers, rectangles, fills, maps.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "enqueue",
        [
            launches_in_1_2_and_3_dimensions,
            launches_with_an_offset,
            dimensions_0_and_4_are_refused,
            a_missing_global_size_is_refused,
            local_sizes_that_cannot_be_are_refused,
            writes_and_reads_with_offsets,
            ranges_past_the_end_are_refused,
            missing_objects_are_refused,
            copies_with_offsets,
            overlapping_copies_are_refused,
            rectangles_are_read_written_and_copied,
            bad_rectangles_are_refused,
            fills_with_every_pattern_size,
            bad_fills_are_refused,
            maps_show_and_take_data,
            two_maps_at_once,
            bad_maps_are_refused,
            a_wait_list_orders_two_queues,
            a_refused_command_gives_no_event,
        ]
    );
    registry.add("enqueue::native_kernels_answer_at_the_versions_that_have_them", false, native_kernels);
}

fn launches_in_1_2_and_3_dimensions() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"places");
    let sizes = [4_usize, 3, 2];
    for dims in 1..=3 {
        let count: usize = sizes[..dims].iter().product();
        let buffer = f.buffer(&vec![u64::MAX; count]);
        f.set_mem(*kernel, 0, *buffer);
        let start = sizes.as_ptr();
        ok!(
            f.pi,
            piEnqueueKernelLaunch(
                f.queue,
                *kernel,
                dims as u32,
                null(),
                start,
                null(),
                0,
                null(),
                null_mut()
            )
        );
        let place = |at: usize| (at % 4 + 100 * (at / 4 % 3) + 10000 * (at / 12)) as u64;
        assert_eq!(f.content::<u64>(*buffer, count), (0..count).map(place).collect::<Vec<_>>());
    }
}

fn launches_with_an_offset() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"places");
    let buffer = f.buffer(&[0_u64; 4]);
    f.set_mem(*kernel, 0, *buffer);
    let (offset, global, local) = (10_usize, 4_usize, 2_usize);
    ok!(f.pi, piEnqueueKernelLaunch(f.queue, *kernel, 1, &offset, &global, &local, 0, null(), null_mut()));
    assert_eq!(f.content::<u64>(*buffer, 4), [10, 11, 12, 13]);
}

fn dimensions_0_and_4_are_refused() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"nothing");
    let global = [1_usize; 8];
    for dims in [0, 4, u32::MAX] {
        refused!(
            f.pi,
            piEnqueueKernelLaunch(
                f.queue,
                *kernel,
                dims,
                null(),
                global.as_ptr(),
                null(),
                0,
                null(),
                null_mut()
            ),
            PI_ERROR_INVALID_WORK_DIMENSION
        );
    }
}

fn a_missing_global_size_is_refused() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"nothing");
    refused!(
        f.pi,
        piEnqueueKernelLaunch(f.queue, *kernel, 1, null(), null(), null(), 0, null(), null_mut()),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_GLOBAL_WORK_SIZE
    );
}

fn local_sizes_that_cannot_be_are_refused() {
    let f = Fixture::new();
    let program = f.built_source();
    let (plain, fixed) = (f.kernel(*program, c"nothing"), f.kernel(*program, c"fixed_size"));
    let buffer = f.buffer(&[0_i32; 64]);
    f.set_mem(*fixed, 0, *buffer);
    let refused = |kernel, global: [usize; 2], local: [usize; 2]| {
        let (global, local) = (global.as_ptr(), local.as_ptr());
        let result = call!(
            f.pi,
            piEnqueueKernelLaunch(f.queue, kernel, 2, null(), global, local, 0, null(), null_mut())
        );
        calls::expect_refusal(result, &[PI_ERROR_INVALID_WORK_GROUP_SIZE, PI_ERROR_INVALID_WORK_ITEM_SIZE]);
    };
    refused(*plain, [1 << 20, 1 << 20], [1 << 20, 1 << 20]);
    refused(*fixed, [8, 8], [2, 2]);
    let (global, local) = ([8_usize, 8], [4_usize, 2]);
    let (global, local) = (global.as_ptr(), local.as_ptr());
    ok!(f.pi, piEnqueueKernelLaunch(f.queue, *fixed, 2, null(), global, local, 0, null(), null_mut()));
    assert_eq!(f.content::<i32>(*buffer, 64), [4; 64]);
}

fn write(f: &Fixture, mem: pi_mem, offset: usize, data: &[u8]) -> Result<(), CallError> {
    let (size, start) = (data.len(), data.as_ptr().cast());
    call!(f.pi, piEnqueueMemBufferWrite(f.queue, mem, 1, offset, size, start, 0, null(), null_mut()))
}

fn writes_and_reads_with_offsets() {
    let f = Fixture::new();
    let buffer = f.buffer(&[1_u8; 8]);
    write(&f, *buffer, 3, &[7, 8]).unwrap();
    assert_eq!(f.content::<u8>(*buffer, 8), [1, 1, 1, 7, 8, 1, 1, 1]);
    let mut part = [0_u8; 3];
    let room = part.as_mut_ptr().cast();
    let event: pi_event =
        made!(f.pi, |out| piEnqueueMemBufferRead(f.queue, *buffer, 0, 2, 3, room, 0, null(), out));
    f.wait(event);
    assert_eq!(part, [1, 7, 8]);
}

fn ranges_past_the_end_are_refused() {
    let f = Fixture::new();
    let (buffer, other) = (f.buffer(&[0_u8; 16]), f.buffer(&[0_u8; 16]));
    let mut data = [0_u8; 64];
    let room: *mut c_void = data.as_mut_ptr().cast();
    let none = null_mut();
    for (offset, size) in [(0, 17), (16, 1), (9, 8), (usize::MAX, 2), (2, usize::MAX), (usize::MAX - 3, 4)] {
        refused!(
            f.pi,
            piEnqueueMemBufferRead(f.queue, *buffer, 1, offset, size, room, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
        refused!(
            f.pi,
            piEnqueueMemBufferWrite(f.queue, *buffer, 1, offset, size, room, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
        refused!(
            f.pi,
            piEnqueueMemBufferCopy(f.queue, *buffer, *other, offset, 0, size, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
        refused!(
            f.pi,
            piEnqueueMemBufferCopy(f.queue, *buffer, *other, 0, offset, size, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
        refused!(
            f.pi,
            piEnqueueMemBufferFill(f.queue, *buffer, room, 1, offset, size, 0, null(), none),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
        let mut mapped = null_mut();
        refused!(
            f.pi,
            piEnqueueMemBufferMap(
                f.queue,
                *buffer,
                1,
                PI_MAP_READ,
                offset,
                size,
                0,
                null(),
                none,
                &mut mapped
            ),
            PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
        );
        assert!(mapped.is_null());
    }
}

fn missing_objects_are_refused() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u8; 16]);
    let mut data = [0_u8; 16];
    let room: *mut c_void = data.as_mut_ptr().cast();
    let (none, pi) = (null_mut(), f.pi);
    refused!(
        pi,
        piEnqueueMemBufferRead(null_mut(), *buffer, 1, 0, 4, room, 0, null(), none),
        PI_ERROR_INVALID_QUEUE
    );
    refused!(
        pi,
        piEnqueueMemBufferRead(f.queue, null_mut(), 1, 0, 4, room, 0, null(), none),
        PI_ERROR_INVALID_MEM_OBJECT
    );
    refused!(
        pi,
        piEnqueueMemBufferRead(f.queue, *buffer, 1, 0, 4, null_mut(), 0, null(), none),
        PI_ERROR_INVALID_VALUE
    );
}

fn copies_with_offsets() {
    let f = Fixture::new();
    let (from, to) = (f.buffer(&[0_u8, 1, 2, 3, 4, 5, 6, 7]), f.buffer(&[9_u8; 8]));
    let event: pi_event =
        made!(f.pi, |out| piEnqueueMemBufferCopy(f.queue, *from, *to, 2, 5, 3, 0, null(), out));
    f.wait(event);
    assert_eq!(f.content::<u8>(*to, 8), [9, 9, 9, 9, 9, 2, 3, 4]);
}

fn overlapping_copies_are_refused() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u8; 16]);
    let none = null_mut();
    refused!(
        f.pi,
        piEnqueueMemBufferCopy(f.queue, *buffer, *buffer, 0, 4, 8, 0, null(), none),
        PI_ERROR_MEM_COPY_OVERLAP
    );
    ok!(f.pi, piEnqueueMemBufferCopy(f.queue, *buffer, *buffer, 0, 8, 8, 0, null(), none));
}

fn corner(x_bytes: usize, y_scalar: usize, z_scalar: usize) -> pi_buff_rect_offset_struct {
    pi_buff_rect_offset_struct { x_bytes, y_scalar, z_scalar }
}

fn extent(width_bytes: usize, height_scalar: usize, depth_scalar: usize) -> pi_buff_rect_region_struct {
    pi_buff_rect_region_struct { width_bytes, height_scalar, depth_scalar }
}

fn rectangles_are_read_written_and_copied() {
    let f = Fixture::new();
    // 4 slices of 4 rows of 4 bytes, each its own place.
    let content: Vec<u8> = (0..64).collect();
    let buffer = f.buffer(&content);
    let (mut from, mut to, mut region) = (corner(1, 1, 1), corner(0, 0, 0), extent(2, 2, 2));
    let mut data = [0_u8; 8];
    let (room, none) = (data.as_mut_ptr().cast::<c_void>(), null_mut());
    let q = f.queue;
    ok!(
        f.pi,
        piEnqueueMemBufferReadRect(
            q,
            *buffer,
            1,
            &mut from,
            &mut to,
            &mut region,
            4,
            16,
            0,
            0,
            room,
            0,
            null(),
            none
        )
    );
    assert_eq!(data, [21, 22, 25, 26, 37, 38, 41, 42]);

    let target = f.buffer(&[200_u8; 64]);
    ok!(
        f.pi,
        piEnqueueMemBufferWriteRect(
            q,
            *target,
            1,
            &mut from,
            &mut to,
            &mut region,
            4,
            16,
            2,
            4,
            room,
            0,
            null(),
            none
        )
    );
    let written = f.content::<u8>(*target, 64);
    for (at, byte) in written.iter().enumerate() {
        let inside = [at % 4, at / 4 % 4, at / 16].iter().all(|place| (1..3).contains(place));
        assert_eq!(*byte, if inside { at as u8 } else { 200 }, "byte {at}");
    }

    let copied = f.buffer(&[100_u8; 64]);
    let mut to = corner(2, 2, 2);
    let event: pi_event = made!(f.pi, |out| piEnqueueMemBufferCopyRect(
        q,
        *buffer,
        *copied,
        &mut from,
        &mut to,
        &mut region,
        4,
        16,
        4,
        16,
        0,
        null(),
        out
    ));
    f.wait(event);
    let copied = f.content::<u8>(*copied, 64);
    assert_eq!((copied[42], copied[43], copied[63], copied[41]), (21, 22, 42, 100));
}

fn bad_rectangles_are_refused() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u8; 64]);
    let mut data = [0_u8; 256];
    let (room, none, q) = (data.as_mut_ptr().cast::<c_void>(), null_mut(), f.queue);
    for (mut from, mut region, row, slice) in [
        (corner(0, 0, 0), extent(0, 2, 2), 4, 16),
        (corner(0, 0, 0), extent(2, 0, 2), 4, 16),
        (corner(0, 0, 0), extent(2, 2, 0), 4, 16),
        (corner(0, 0, 0), extent(4, 2, 2), 3, 16),
        (corner(0, 0, 0), extent(2, 4, 2), 4, 8),
        (corner(0, 0, 3), extent(4, 4, 2), 4, 16),
        (corner(0, 0, usize::MAX), extent(4, 4, 2), 4, 16),
        (corner(0, usize::MAX / 2, 0), extent(4, 4, 1), 4, 16),
        (corner(usize::MAX, 0, 0), extent(2, 1, 1), 4, 16),
    ] {
        let mut zero = corner(0, 0, 0);
        let what = format!("{from:?} {region:?}");
        let result = call!(
            f.pi,
            piEnqueueMemBufferReadRect(
                q,
                *buffer,
                1,
                &mut from,
                &mut zero,
                &mut region,
                row,
                slice,
                0,
                0,
                room,
                0,
                null(),
                none
            )
        );
        assert!(result.is_err(), "{what} is accepted");
        calls::expect_refusal(result, &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_BUFFER_SIZE]);
    }
}

fn fills_with_every_pattern_size() {
    let f = Fixture::new();
    let pattern: [u8; 16] = std::array::from_fn(|index| index as u8 + 1);
    for size in [1, 2, 4, 8, 16] {
        let buffer = f.buffer(&[0_u8; 64]);
        let start = pattern.as_ptr().cast();
        let event: pi_event =
            made!(f.pi, |out| piEnqueueMemBufferFill(f.queue, *buffer, start, size, 16, 32, 0, null(), out));
        f.wait(event);
        for (at, byte) in f.content::<u8>(*buffer, 64).into_iter().enumerate() {
            let expected = if (16..48).contains(&at) { pattern[(at - 16) % size] } else { 0 };
            assert_eq!(byte, expected, "pattern of {size}, byte {at}");
        }
    }
}

fn bad_fills_are_refused() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u8; 64]);
    let pattern = [0_u8; 256];
    let start: *const c_void = pattern.as_ptr().cast();
    for (pattern, pattern_size, offset, size) in [
        (null(), 4, 0, 16),
        (start, 0, 0, 16),
        (start, 4, 0, 14),
        (start, 4, 2, 16),
        (start, 3, 0, 15),
        (start, 4, 64, 4),
    ] {
        let result = call!(
            f.pi,
            piEnqueueMemBufferFill(
                f.queue,
                *buffer,
                pattern,
                pattern_size,
                offset,
                size,
                0,
                null(),
                null_mut()
            )
        );
        assert!(result.is_err(), "{pattern_size} bytes at {offset}..+{size} are accepted");
        calls::expect_refusal(result, &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_BUFFER_SIZE]);
    }
}

fn map(f: &Fixture, mem: pi_mem, flags: pi_map_flags, offset: usize, size: usize) -> *mut u8 {
    let mapped: *mut c_void = made!(f.pi, |out| piEnqueueMemBufferMap(
        f.queue,
        mem,
        1,
        flags,
        offset,
        size,
        0,
        null(),
        null_mut(),
        out
    ));
    mapped.cast()
}

fn unmap(f: &Fixture, mem: pi_mem, mapped: *mut u8) {
    let event = made!(f.pi, |out| piEnqueueMemUnmap(f.queue, mem, mapped.cast(), 0, null(), out));
    f.wait(event);
}

fn maps_show_and_take_data() {
    let f = Fixture::new();
    let buffer = f.buffer(&[1_u8, 2, 3, 4, 5, 6, 7, 8]);
    let seen = map(&f, *buffer, PI_MAP_READ, 2, 4);
    // SAFETY: 4 bytes that are mapped until below, and that nothing else writes.
    assert_eq!(unsafe { std::slice::from_raw_parts(seen, 4) }, [3, 4, 5, 6]);
    unmap(&f, *buffer, seen);
    for (flags, value) in [(PI_MAP_WRITE, 50), (PI_MAP_WRITE_INVALIDATE_REGION, 60)] {
        let room = map(&f, *buffer, flags, 4, 2);
        // SAFETY: 2 bytes that are mapped until below.
        unsafe { room.write_bytes(value, 2) };
        unmap(&f, *buffer, room);
        assert_eq!(f.content::<u8>(*buffer, 8), [1, 2, 3, 4, value, value, 7, 8]);
    }
}

fn two_maps_at_once() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u8; 8]);
    let (first, second) = (map(&f, *buffer, PI_MAP_WRITE, 0, 2), map(&f, *buffer, PI_MAP_WRITE, 6, 2));
    // SAFETY: 2 bytes each that are mapped until below.
    unsafe {
        first.write_bytes(1, 2);
        second.write_bytes(2, 2);
    }
    unmap(&f, *buffer, second);
    unmap(&f, *buffer, first);
    assert_eq!(f.content::<u8>(*buffer, 8), [1, 1, 0, 0, 0, 0, 2, 2]);
}

fn bad_maps_are_refused() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u8; 8]);
    let (mut out, none) = (null_mut(), null_mut());
    refused!(
        f.pi,
        piEnqueueMemBufferMap(f.queue, *buffer, 1, PI_MAP_READ, 0, 8, 0, null(), none, null_mut()),
        PI_ERROR_INVALID_VALUE
    );
    refused!(
        f.pi,
        piEnqueueMemBufferMap(f.queue, *buffer, 1, 1 << 40, 0, 8, 0, null(), none, &mut out),
        PI_ERROR_INVALID_VALUE
    );
    refused!(f.pi, piEnqueueMemUnmap(f.queue, *buffer, null_mut(), 0, null(), none), PI_ERROR_INVALID_VALUE);
    let mut foreign = 0_u8;
    let pointer = (&raw mut foreign).cast();
    refused!(f.pi, piEnqueueMemUnmap(f.queue, *buffer, pointer, 0, null(), none), PI_ERROR_INVALID_VALUE);
}

fn a_wait_list_orders_two_queues() {
    let f = Fixture::new();
    let other = f.queue_with(0);
    let (program, buffer) = (f.built_source(), f.buffer(&[1_i32]));
    let (slow, add) = (f.kernel(*program, c"slow"), f.kernel(*program, c"add_value"));
    f.set_mem(*slow, 0, *buffer);
    f.set_mem(*add, 0, *buffer);
    let launch = |kernel, queue, waits: &[pi_event]| -> pi_event {
        let (count, list) = (waits.len() as u32, waits.as_ptr());
        made!(f.pi, |out| piEnqueueKernelLaunch(queue, kernel, 1, null(), &1, null(), count, list, out))
    };
    f.wait(launch(*slow, f.queue, &[]));
    let alone = f.content::<i32>(*buffer, 1)[0];
    write(&f, *buffer, 0, &1_i32.to_ne_bytes()).unwrap();
    f.set_arg(*add, 1, 5_i32);
    let first = launch(*slow, f.queue, &[]);
    f.wait(launch(*add, other, &[first]));
    ok!(f.pi, piEventRelease(first));
    assert_eq!(f.content::<i32>(*buffer, 1), [alone.wrapping_add(5)]);
    ok!(f.pi, piQueueRelease(other));
}

fn a_refused_command_gives_no_event() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u8; 8]);
    let mut event = null_mut();
    let mut data = [0_u8; 16];
    let room = data.as_mut_ptr().cast();
    refused!(
        f.pi,
        piEnqueueMemBufferRead(f.queue, *buffer, 1, 0, 16, room, 0, null(), &mut event),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
    );
    assert!(event.is_null());
}

unsafe extern "C" fn native(args: *mut c_void) {
    // SAFETY: the argument is a copy of the caller's: an address to write to.
    let place = unsafe { args.cast::<*mut u32>().read() };
    // SAFETY: the caller's variable, which it keeps until the command is done.
    unsafe { place.write(77) };
}

fn native_kernels() {
    let f = Fixture::at(Version::V12_27);
    let mut seen = 0_u32;
    let mut place = &raw mut seen;
    let (args, size) = ((&raw mut place).cast(), size_of::<*mut u32>());
    let mut event = null_mut();
    let capabilities = get!(
        f.pi,
        piDeviceGetInfo(f.device, PI_DEVICE_INFO_EXECUTION_CAPABILITIES) as pi_device_exec_capabilities
    );
    let result = call!(
        f.pi,
        piEnqueueNativeKernel(f.queue, Some(native), args, size, 0, null(), null(), 0, null(), &mut event)
    );
    if capabilities & PI_DEVICE_EXEC_CAPABILITIES_NATIVE_KERNEL == 0 {
        calls::expect_refusal(result, &[PI_ERROR_INVALID_OPERATION]);
        return;
    }
    result.unwrap();
    f.wait(event);
    assert_eq!(seen, 77);
    let other = Fixture::at(Version::V12_27);
    let foreign = other.signalled_event();
    refused!(
        f.pi,
        piEnqueueNativeKernel(f.queue, Some(native), args, size, 0, null(), null(), 1, &foreign, &mut event),
        PI_ERROR_INVALID_CONTEXT
    );
    ok!(f.pi, piEventRelease(foreign));
}
