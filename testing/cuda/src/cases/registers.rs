//! Launches of work-groups that are too large for the registers of a kernel, which is then built again with fewer.

use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{device_text, image, is_software, program_binary};
use crate::{Fixture, Program, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("a_work_group_too_large_for_the_registers_runs_with_fewer", runs),
    ("a_program_from_a_cache_runs_large_work_groups_too", cached),
    ("a_recorded_launch_of_a_large_work_group_runs_with_fewer_registers", recorded),
    ("a_program_with_variables_is_not_built_again", with_variables),
    ("a_program_of_spirv_is_built_again_unless_it_has_variables", of_spirv),
    ("a_larger_work_group_than_the_devices_or_the_images_is_refused", too_large),
];

const VALUES: usize = 96;
const LARGEST: usize = 1024;
const GLOBAL: usize = 4 * LARGEST;

/// Returns PTX of the kernel, or for the software driver the text that contains its shared object.
fn ptx(more: &str) -> Vec<u8> {
    let mut text = if is_software() {
        let digits: String = image("crowded").iter().map(|byte| format!("{byte:02x}")).collect();
        format!(".version 7.8\n.target sm_50\n// software-cuda: {digits}\n")
    } else {
        String::from_utf8(image("crowded")).unwrap()
    };
    text.push_str(more);
    text.into_bytes()
}

const VARIABLE: &str = "\n.visible .global .align 4 .u32 a_variable;\n";

/// Returns a binary in the format in which the plugin stores SPIR-V's, with the kernel's PTX.
fn of_spirv_with(fixture: &Fixture, variables: bool) -> Vec<u8> {
    let text = device_text(fixture, PI_DEVICE_INFO_VERSION);
    let capability: String = text.matches(char::is_numeric).collect();
    let header = format!(
        r#"{{"translator":"{}","libnvvm":"12.9.86","arch":"compute_90","capability":{capability},"facts":{{"kernels":[
        {{"name":"crowded","symbol":"crowded","parameters":["Pointer","Pointer"],"takes_offset":false,"required":null,
        "largest":null,"sub_group":32}}],"variables":[],"has_variables":{variables}}}}}"#,
        env!("CARGO_PKG_VERSION")
    );
    let length = (header.len() as u32).to_le_bytes();
    [&b"sycl-pi CUDA 3\n"[..], &length, header.as_bytes(), &ptx("")].concat()
}

/// Returns the expected output of the kernel for these values.
fn expected(values: &[u32]) -> Vec<u32> {
    let sum = values.iter().rev().fold(0_u32, |sum, value| sum.wrapping_mul(3).wrapping_add(*value));
    (0..GLOBAL as u32).map(|item| sum.wrapping_add(item)).collect()
}

/// Returns the largest work-group that the kernel supports as it was first built.
fn largest_as_built(fixture: &Fixture, kernel: pi_kernel) -> usize {
    let mut size = 0_usize;
    let (name, room) = (PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, (&raw mut size).cast());
    ok!(piKernelGetGroupInfo(kernel, fixture.device, name, 8, room, null_mut()));
    size
}

/// Runs the kernel in work-groups of each size, and checks its output.
fn check(fixture: &Fixture, program: &Program) {
    let kernel = program.kernel("crowded");
    let as_built = largest_as_built(fixture, kernel.raw);
    assert!((128..LARGEST).contains(&as_built), "{as_built}: the kernel is meant to need many registers");
    let values: Vec<u32> = (0..VALUES as u32).map(|number| number * number + 7).collect();
    let (out, from) = (fixture.device_memory(4 * GLOBAL), fixture.device_memory(4 * VALUES));
    fixture.write(&from, &values);
    kernel.pointer(0, out.start).pointer(1, from.start);
    for local in [LARGEST, 128, LARGEST] {
        fixture.write(&out, &[0_u32; GLOBAL]);
        fixture.launch(kernel.raw, &[GLOBAL], Some(&[local]));
        assert_eq!(fixture.read::<u32>(&out, GLOBAL), expected(&values), "work-groups of {local}");
    }
    // The query returns what runs at full speed.
    assert_eq!(largest_as_built(fixture, kernel.raw), as_built);
}

fn runs() {
    let fixture = Fixture::new();
    check(&fixture, &fixture.build(fixture.binary(&ptx(""), &[])));
}

fn cached() {
    let fixture = Fixture::new();
    let binary = program_binary(&fixture.build(fixture.binary(&ptx(""), &[])));
    assert!(binary.starts_with(b"\x7fELF"), "a cubin was expected");
    let again = fixture.build(fixture.binary(&binary, &[]));
    check(&fixture, &again);
    check(&fixture, &fixture.build(fixture.binary(&program_binary(&again), &[])));
}

fn recorded() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.binary(&ptx(""), &[]));
    let kernel = program.kernel("crowded");
    let (out, from) = (fixture.device_memory(4 * GLOBAL), fixture.device_memory(4 * VALUES));
    fixture.write(&from, &[5_u32; VALUES]);
    fixture.write(&out, &[0_u32; GLOBAL]);
    kernel.pointer(0, out.start).pointer(1, from.start);
    let (mut buffer, mut point) = (null_mut(), 0);
    ok!(piextCommandBufferCreate(fixture.context, fixture.device, null(), &mut buffer));
    let (global, local) = (GLOBAL, LARGEST);
    ok!(piextCommandBufferNDRangeKernel(
        buffer,
        kernel.raw,
        1,
        null(),
        &global,
        &local,
        0,
        null(),
        &mut point
    ));
    ok!(piextCommandBufferFinalize(buffer));
    ok!(piextEnqueueCommandBuffer(buffer, fixture.queue, 0, null(), null_mut()));
    fixture.finish();
    assert_eq!(fixture.read::<u32>(&out, GLOBAL), expected(&[5; VALUES]));
    ok!(piextCommandBufferRelease(buffer));
}

/// Returns the message with which a large work-group of the program's kernel is refused.
fn refused(fixture: &Fixture, program: &Program) -> String {
    let kernel = program.kernel("crowded");
    let memory = fixture.device_memory(4 * GLOBAL);
    kernel.pointer(0, memory.start).pointer(1, memory.start);
    let (queue, global, local) = (fixture.queue, GLOBAL, LARGEST);
    fails!(
        piEnqueueKernelLaunch(queue, kernel.raw, 1, null(), &global, &local, 0, null(), null_mut()),
        PI_ERROR_OUT_OF_RESOURCES
    )
}

fn with_variables() {
    let fixture = Fixture::new();
    let text = refused(&fixture, &fixture.build(fixture.binary(&ptx(VARIABLE), &[])));
    assert!(text.contains("registers") && text.contains("has variables"), "{text}");
}

fn of_spirv() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.binary(&of_spirv_with(&fixture, false), &[]));
    check(&fixture, &program);
    check(&fixture, &fixture.build(fixture.binary(&program_binary(&program), &[])));
    let text = refused(&fixture, &fixture.build(fixture.binary(&of_spirv_with(&fixture, true), &[])));
    assert!(text.contains("has variables"), "{text}");
}

fn too_large() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(4 * GLOBAL);
    let declared: (_, &[u32]) = (c"crowded@max_work_group_size", &[LARGEST as u32 - 32, 1, 1]);
    // The device's limit, and that of the image, which fewer registers do not change either.
    for (declared, local) in [(&[][..], [64_usize, 32]), (&[declared], [LARGEST, 1])] {
        let program = fixture.build(fixture.declaring(&ptx(""), declared));
        let kernel = program.kernel("crowded");
        kernel.pointer(0, memory.start).pointer(1, memory.start);
        let (queue, global) = (fixture.queue, [LARGEST, 64]);
        let (global, local) = (global.as_ptr(), local.as_ptr());
        fails!(
            piEnqueueKernelLaunch(queue, kernel.raw, 2, null(), global, local, 0, null(), null_mut()),
            PI_ERROR_INVALID_WORK_GROUP_SIZE
        );
    }
}
