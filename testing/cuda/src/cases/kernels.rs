//! Programs, kernels, launches, device variables.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{image, is_software, last_error, wait};
use crate::{Fixture, Program, fails, ok};
use pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("kernel_runs_over_one_dimension", increment),
    ("kernel_arguments_of_all_kinds", scale),
    ("kernel_runs_over_three_dimensions", place),
    ("kernel_offset_variant", offset),
    ("kernel_local_memory", local),
    ("kernel_launch_bad_sizes", bad_sizes),
    ("kernel_group_info", group_info),
    ("program_logs_and_bad_images", bad_images),
    ("program_binaries_come_back", binaries),
    ("program_metadata", metadata),
    ("variable_by_symbol_and_by_id", variable),
    ("kernels_overlap_out_of_order", overlap),
];

fn increment() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("increment");
    let memory = fixture.device_memory(4 * 1000);
    fixture.write(&memory, &(0..1000).collect::<Vec<i32>>());
    kernel.pointer(0, memory.start);
    fixture.launch(kernel.0, &[1000], None);
    fixture.launch(kernel.0, &[500], Some(&[100]));
    let values = fixture.read::<i32>(&memory, 1000);
    assert!(values[..500].iter().zip(2..).all(|(got, want)| *got == want));
    assert!(values[500..].iter().zip(501..).all(|(got, want)| *got == want));
    let mut event = null_mut();
    ok!(piEnqueueKernelLaunch(fixture.queue, kernel.0, 1, null(), &1000, null(), 0, null(), &mut event));
    wait(&[event]);
    assert_eq!(fixture.read::<i32>(&memory, 1)[0], 3);
}

fn scale() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("scale");
    let mut values: Vec<i32> = (0..64).collect();
    let (mut from, to) = (null_mut(), fixture.device_memory(256));
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY;
    ok!(piMemBufferCreate(fixture.context, flags, 256, values.as_mut_ptr().cast(), &mut from, null()));
    kernel.set(0, 3_i32).pointer(2, to.start);
    ok!(piextKernelSetArgMemObj(kernel.0, 1, null(), &from));
    fixture.launch(kernel.0, &[64], None);
    kernel.set(0, 5_i32);
    values.iter_mut().for_each(|value| *value *= 3);
    assert_eq!(fixture.read::<i32>(&to, 64), values);
    ok!(piMemRelease(from));
}

fn place() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("place");
    let memory = fixture.device_memory(4 * 6 * 5 * 4);
    kernel.pointer(0, memory.start);
    for local in [None, Some(&[2, 5, 1][..])] {
        fixture.launch(kernel.0, &[6, 5, 4], local);
        let values = fixture.read::<u32>(&memory, 6 * 5 * 4);
        let at = |x: u32, y: u32, z: u32| values[(x + 6 * (y + 5 * z)) as usize];
        assert_eq!((at(0, 0, 0), at(5, 4, 3), at(1, 2, 3)), (0, 3_004_005, 3_002_001));
    }
}

fn offset() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("where");
    let memory = fixture.device_memory(4 * 32);
    kernel.pointer(0, memory.start);
    for by in [0_usize, 100] {
        ok!(piEnqueueKernelLaunch(fixture.queue, kernel.0, 1, &by, &32, null(), 0, null(), null_mut()));
        let values = fixture.read::<u32>(&memory, 32);
        assert!(values.iter().zip(by as u32..).all(|(got, want)| *got == want), "{values:?}");
    }
}

fn local() {
    let fixture = Fixture::new();
    let program = fixture.program("local");
    let kernel = program.kernel("reverse");
    let memory = fixture.device_memory(4 * 64);
    kernel.pointer(0, memory.start).local(1, 4 * 64).local(2, 4 * 64);
    fixture.launch(kernel.0, &[64], Some(&[64]));
    let values = fixture.read::<u32>(&memory, 64);
    assert!(values.iter().enumerate().all(|(index, got)| *got == 11 * (63 - index as u32)), "{values:?}");
    kernel.local(1, 100 * 1024);
    let result = crate::code!(piEnqueueKernelLaunch(
        fixture.queue,
        kernel.0,
        1,
        null(),
        &64,
        &64,
        0,
        null(),
        null_mut()
    ));
    assert!([0, PI_ERROR_PLUGIN_SPECIFIC_ERROR].contains(&result), "{result}: {}", last_error());
    // The last fits neither before the other block nor beside what the kernel declares, in any address space.
    for size in [1 << 30, usize::MAX - 2] {
        kernel.local(1, size);
        fails!(
            piEnqueueKernelLaunch(fixture.queue, kernel.0, 1, null(), &64, &64, 0, null(), null_mut()),
            PI_ERROR_PLUGIN_SPECIFIC_ERROR
        );
    }
    fixture.finish();
}

fn bad_sizes() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let launch = |global: usize, local: usize| {
        crate::code!(piEnqueueKernelLaunch(
            fixture.queue,
            kernel.0,
            1,
            null(),
            &global,
            &local,
            0,
            null(),
            null_mut()
        ))
    };
    assert_eq!(launch(100, 30), PI_ERROR_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(100, 0), PI_ERROR_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(1 << 20, 1 << 20), PI_ERROR_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(0, 1), PI_SUCCESS);
    assert_eq!(launch(100, 50), PI_SUCCESS);
    fixture.finish();
}

fn group_info() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let mut size = 0_usize;
    let room = (&raw mut size).cast();
    let name = PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE;
    ok!(piKernelGetGroupInfo(kernel.0, fixture.device, name, 8, room, null_mut()));
    assert!(size >= 32);
    let mut kernel_name = [0_u8; 8];
    let room = kernel_name.as_mut_ptr().cast();
    ok!(piKernelGetInfo(kernel.0, PI_KERNEL_INFO_FUNCTION_NAME, 8, room, null_mut()));
    assert_eq!(&kernel_name[..5], b"noop\0");
    let mut none = null_mut();
    fails!(piKernelCreate(program.0, c"nothing".as_ptr(), &mut none), PI_ERROR_INVALID_KERNEL_NAME);
    ok!(piKernelSetExecInfo(kernel.0, PI_USM_INDIRECT_ACCESS, 4, (&raw const size).cast()));
}

fn bad_images() {
    let fixture = Fixture::new();
    let whole = image("kernels");
    let mut program = null_mut();
    for bytes in [&b"junk that is nothing"[..], &[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 9]] {
        let (length, start) = (bytes.len(), bytes.as_ptr());
        fails!(
            piProgramCreateWithBinary(
                fixture.context,
                1,
                &fixture.device,
                &length,
                &start,
                0,
                null(),
                null_mut(),
                &mut program
            ),
            PI_ERROR_INVALID_BINARY
        );
    }
    if is_software() {
        return;
    }
    for bytes in [&whole[..whole.len() / 2], &foreign_cubin(&fixture)[..]] {
        let program = fixture.unbuilt(bytes, &[]);
        fails!(
            piProgramBuild(program.0, 1, &fixture.device, c"".as_ptr(), None, null_mut()),
            PI_ERROR_BUILD_PROGRAM_FAILURE
        );
        println!("{}", last_error());
        let mut log = vec![0_u8; 1 << 16];
        let room = log.as_mut_ptr().cast();
        let (mut size, name) = (0, PI_PROGRAM_BUILD_INFO_LOG);
        ok!(piProgramGetBuildInfo(program.0, fixture.device, name, log.len(), room, &mut size));
        assert!(size > 10, "a log was expected");
    }
}

/// A cubin of this GPU's, marked as one for another architecture.
fn foreign_cubin(fixture: &Fixture) -> Vec<u8> {
    let mut bytes = binary(&fixture.program("kernels"));
    let mut version = [0_u8; 8];
    let room = version.as_mut_ptr().cast();
    ok!(piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_VERSION, 8, room, null_mut()));
    let own = (version[0] - b'0') * 10 + (version[2] - b'0');
    // The architecture's number is in the flags of the ELF header, in one or two places.
    const FLAGS: usize = 0x30;
    for byte in bytes[FLAGS..FLAGS + 4].iter_mut().filter(|byte| **byte == own) {
        *byte = 50;
    }
    bytes
}

/// A program's binary, as a cache keeps it.
fn binary(program: &Program) -> Vec<u8> {
    let mut size = 0_usize;
    let room = (&raw mut size).cast();
    ok!(piProgramGetInfo(program.0, PI_PROGRAM_INFO_BINARY_SIZES, 8, room, null_mut()));
    assert!(size > 0);
    let mut bytes = vec![0_u8; size];
    let mut room = bytes.as_mut_ptr();
    ok!(piProgramGetInfo(program.0, PI_PROGRAM_INFO_BINARIES, 8, (&raw mut room).cast(), null_mut()));
    bytes
}

fn binaries() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let bytes = binary(&program);
    assert!(bytes.starts_with(b"\x7fELF"), "a cubin was expected");
    let again = fixture.unbuilt(&bytes, &[]);
    ok!(piProgramBuild(again.0, 1, &fixture.device, c"".as_ptr(), None, null_mut()));
    let kernel = again.kernel("increment");
    let memory = fixture.device_memory(4);
    fixture.write(&memory, &[41_i32]);
    kernel.pointer(0, memory.start);
    fixture.launch(kernel.0, &[1], None);
    assert_eq!(fixture.read::<i32>(&memory, 1)[0], 42);
}

/// A property of an image: its length in bits, then the payload.
fn property(name: &std::ffi::CStr, payload: &[u8]) -> (_pi_device_binary_property_struct, Vec<u8>) {
    let mut bytes = (8 * payload.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(payload);
    let property = _pi_device_binary_property_struct {
        Name: name.as_ptr().cast_mut(),
        ValAddr: bytes.as_mut_ptr().cast(),
        Type: PI_PROPERTY_TYPE_BYTE_ARRAY,
        ValSize: bytes.len() as u64,
    };
    (property, bytes)
}

fn metadata() {
    let fixture = Fixture::new();
    let sizes: Vec<u8> = [16_u32, 2].iter().flat_map(|size| size.to_le_bytes()).collect();
    let (mut property, _bytes) = property(c"noop@reqd_work_group_size", &sizes);
    let program = fixture.unbuilt(&image("kernels"), &[&raw mut property]);
    ok!(piProgramBuild(program.0, 1, &fixture.device, c"".as_ptr(), None, null_mut()));
    let kernel = program.kernel("noop");
    let mut told = [0_usize; 3];
    let room = told.as_mut_ptr().cast();
    let name = PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE;
    ok!(piKernelGetGroupInfo(kernel.0, fixture.device, name, 24, room, null_mut()));
    assert_eq!(told, [16, 2, 1]);
    fixture.launch(kernel.0, &[32, 4], None);
    let (global, local) = ([32, 4], [32, 2]);
    fails!(
        piEnqueueKernelLaunch(
            fixture.queue,
            kernel.0,
            2,
            null(),
            global.as_ptr(),
            local.as_ptr(),
            0,
            null(),
            null_mut()
        ),
        PI_ERROR_INVALID_WORK_GROUP_SIZE
    );
}

fn variable() {
    let fixture = Fixture::new();
    let (mut property, _bytes) = property(c"unique id@global_id_mapping", b"counter\0");
    let program = fixture.unbuilt(&image("kernels"), &[&raw mut property]);
    ok!(piProgramBuild(program.0, 1, &fixture.device, c"".as_ptr(), None, null_mut()));
    let kernel = program.kernel("bump");
    let (value, mut back) = (40_i32, 0_i32);
    let (from, to) = ((&raw const value).cast::<c_void>(), (&raw mut back).cast::<c_void>());
    for name in [c"counter", c"unique id"] {
        ok!(piextEnqueueDeviceGlobalVariableWrite(
            fixture.queue,
            program.0,
            name.as_ptr(),
            1,
            4,
            0,
            from,
            0,
            null(),
            null_mut()
        ));
        fixture.launch(kernel.0, &[1], None);
        let mut event = null_mut();
        ok!(piextEnqueueDeviceGlobalVariableRead(
            fixture.queue,
            program.0,
            name.as_ptr(),
            0,
            4,
            0,
            to,
            0,
            null(),
            &mut event
        ));
        wait(&[event]);
        assert_eq!(back, 41);
    }
    for (count, offset) in [(4, 1), (1, usize::MAX), (usize::MAX, 1)] {
        fails!(
            piextEnqueueDeviceGlobalVariableRead(
                fixture.queue,
                program.0,
                c"counter".as_ptr(),
                1,
                count,
                offset,
                to,
                0,
                null(),
                null_mut()
            ),
            PI_ERROR_INVALID_VALUE
        );
    }
    fails!(
        piextEnqueueDeviceGlobalVariableRead(
            fixture.queue,
            program.0,
            c"no such".as_ptr(),
            1,
            4,
            0,
            to,
            0,
            null(),
            null_mut()
        ),
        PI_ERROR_INVALID_VALUE
    );
    let (mut size, mut address) = (0, null_mut());
    ok!(piextGetGlobalVariablePointer(fixture.device, program.0, c"table".as_ptr(), &mut size, &mut address));
    assert!(size == 64 && !address.is_null());
}

/// Eight independent kernels, each on an eighth of the GPU's work-items, take about as long as one.
fn overlap() {
    let fixture = Fixture::with(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let program = fixture.program("kernels");
    let kernel = program.kernel("spin");
    let mut units = 0_u32;
    let room = (&raw mut units).cast();
    ok!(piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_MAX_COMPUTE_UNITS, 4, room, null_mut()));
    // A multiprocessor runs 2048 work-items at once.
    let (items, clocks) = if is_software() { (64, 1 << 20) } else { (units as usize * 2048 / 8, 20 << 20) };
    let local = items.min(1024);
    let global = items / local * local;
    kernel.set(0, clocks as u64).pointer(1, null());
    let run = |count: usize| {
        fixture.finish();
        let start = std::time::Instant::now();
        for _ in 0..count {
            fixture.launch(kernel.0, &[global], Some(&[local]));
        }
        fixture.finish();
        start.elapsed().as_secs_f64()
    };
    run(8);
    let (one, eight) = (run(1), run(8));
    println!(
        "{global} work-items on {units} units: one {:.2} ms, eight {:.2} ms, {:.3} times",
        one * 1e3,
        eight * 1e3,
        eight / one
    );
    assert!(is_software() || eight < 1.3 * one, "eight kernels took {eight}, one {one}");
}
