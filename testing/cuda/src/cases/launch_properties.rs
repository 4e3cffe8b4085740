//! Properties of launches: clusters, and local memory that is not an argument, in the form of each layout.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::{Host, ok};

use super::Case;
use super::unified_runtime::{kernel, open};
use crate::software;

pub(crate) const CASES: &[Case] = &[
    ("ur_clusters_have_the_size_of_the_launch", clusters),
    ("ur_clusters_that_do_not_fit_are_refused", wrong_clusters),
    ("ur_clusters_larger_than_the_portable_size_are_allowed_first", large_clusters),
    ("ur_work_group_memory_lies_in_front_of_the_arguments", work_group_memory),
    ("ur_launch_capabilities_are_those_of_the_device", capabilities),
    ("ur_launches_tell_the_driver_each_of_their_properties", told),
];

/// The layouts at which the form of properties changed.
const LAYOUTS: [Layout; 3] = [Layout::V2025_2, Layout::V2025_3, Layout::V2026_1_1];

/// The properties of a launch. The sizes of a cluster are in SYCL's order, the reverse of the range's.
#[derive(Clone, Copy, Default)]
struct Asked {
    cooperative: bool,
    cluster: Option<[u32; 3]>,
    local_memory: usize,
}

/// Launches work-groups of that size, and returns the code.
fn launch(
    host: Host,
    kernel: ur_kernel_handle_t,
    groups: &[usize],
    local: usize,
    asked: Asked,
) -> ur_result_t {
    let mut local_size = [1; 3];
    local_size[0] = local;
    let mut global = [1; 3];
    global.iter_mut().zip(groups).zip(local_size).for_each(|((to, count), size)| *to = count * size);
    match host.calls.layout() {
        Layout::V2025_2 => listed(host, kernel, groups.len(), &global, &local_size, asked, true),
        Layout::V2025_3 => listed(host, kernel, groups.len(), &global, &local_size, asked, false),
        _ => chained(host, kernel, groups.len(), &global, &local_size, asked),
    }
}

/// Passes a list of properties: with a separate function up to 2025.2, as the launch's own parameters in 2025.3.
fn listed(
    host: Host,
    kernel: ur_kernel_handle_t,
    dims: usize,
    global: &[usize; 3],
    local: &[usize; 3],
    asked: Asked,
    own_function: bool,
) -> ur_result_t {
    let property = |id, value| ur_kernel_launch_property_t { id, value };
    let mut list = vec![property(
        UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE,
        ur_kernel_launch_property_value_t { cooperative: asked.cooperative.into() },
    )];
    if let Some(sizes) = asked.cluster {
        let value = ur_kernel_launch_property_value_t { clusterDim: sizes };
        list.push(property(UR_KERNEL_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION, value));
    }
    if asked.local_memory > 0 {
        let value = ur_kernel_launch_property_value_t { workgroup_mem_size: asked.local_memory };
        list.push(property(UR_KERNEL_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY, value));
    }
    let (queue, calls, count, dims) = (host.queue, host.calls, list.len() as u32, dims as u32);
    let (global, local, none) = (global.as_ptr(), local.as_ptr(), null());
    // SAFETY: live handles, and lists of the given lengths. The older entries have the same form under another name.
    unsafe {
        if own_function {
            let list = list.as_ptr().cast();
            calls.urEnqueueKernelLaunchCustomExp(
                queue,
                kernel,
                dims,
                none,
                global,
                local,
                count,
                list,
                0,
                null(),
                null_mut(),
            )
        } else {
            let list = list.as_ptr();
            calls.urEnqueueKernelLaunch_until_2025_3(
                queue,
                kernel,
                dims,
                none,
                global,
                local,
                count,
                list,
                0,
                null(),
                null_mut(),
            )
        }
    }
}

/// Passes a chain of structures.
fn chained(
    host: Host,
    kernel: ur_kernel_handle_t,
    dims: usize,
    global: &[usize; 3],
    local: &[usize; 3],
    asked: Asked,
) -> ur_result_t {
    let mut next: *mut c_void = null_mut();
    let mut cluster = ur_kernel_launch_cluster_property_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_CLUSTER_PROPERTY,
        pNext: null_mut(),
        clusterDim: asked.cluster.unwrap_or_default(),
    };
    if asked.cluster.is_some() {
        next = (&raw mut cluster).cast();
    }
    let mut memory = ur_kernel_launch_workgroup_property_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_WORKGROUP_PROPERTY,
        pNext: next,
        workgroup_mem_size: asked.local_memory,
    };
    if asked.local_memory > 0 {
        next = (&raw mut memory).cast();
    }
    let properties = ur_kernel_launch_ext_properties_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_EXT_PROPERTIES,
        pNext: next,
        flags: if asked.cooperative { UR_KERNEL_LAUNCH_FLAG_COOPERATIVE } else { 0 },
    };
    let (global, local, none) = (global.as_ptr(), local.as_ptr(), null());
    // SAFETY: live handles, and structures that live during the call.
    unsafe {
        host.calls.urEnqueueKernelLaunch(
            host.queue,
            kernel,
            dims as u32,
            none,
            global,
            local,
            &properties,
            0,
            null(),
            null_mut(),
        )
    }
}

/// Returns whether the device supports clusters, which it does from compute capability 9.0 on. All layouts must
/// agree.
pub(super) fn device_has_clusters() -> bool {
    LAYOUTS.map(open).into_iter().all(has_clusters)
}

fn has_clusters(host: Host) -> bool {
    if host.calls.layout() <= Layout::V2025_2 {
        return host.has(UR_DEVICE_INFO_CLUSTER_LAUNCH_EXP);
    }
    launch_capabilities(host) & UR_KERNEL_LAUNCH_PROPERTIES_FLAG_CLUSTER_DIMENSION != 0
}

fn launch_capabilities(host: Host) -> u32 {
    let (mut flags, query) = (0_u32, UR_DEVICE_INFO_KERNEL_LAUNCH_CAPABILITIES);
    let room = (&raw mut flags).cast();
    // SAFETY: a live device, and room for the flags.
    ok(unsafe { host.calls.urDeviceGetInfo(host.device, query, 4, room, null_mut()) });
    flags
}

fn set_pointer(host: Host, kernel: ur_kernel_handle_t, memory: *mut c_void) {
    // SAFETY: live handles.
    ok(unsafe { host.calls.urKernelSetArgPointer(kernel, 0, null(), memory) });
}

fn clusters() {
    for host in LAYOUTS.map(open) {
        let kernel = kernel(host, "cluster", c"clusters");
        // Eight by four by two work-groups: without clusters, with clusters of one dimension, and of more.
        let groups = [8, 4, 2];
        let count = 64;
        let out = host.memory(0, 4 * count);
        set_pointer(host, kernel, out);
        for (asked, expected) in [
            (Asked::default(), [1, 1, 1]),
            (Asked { cooperative: true, ..Asked::default() }, [1, 1, 1]),
            (Asked { cluster: Some([1, 1, 4]), ..Asked::default() }, [4, 1, 1]),
            (Asked { cluster: Some([2, 1, 4]), ..Asked::default() }, [4, 1, 2]),
            (Asked { cluster: Some([1, 4, 2]), cooperative: true, ..Asked::default() }, [2, 4, 1]),
        ] {
            ok(launch(host, kernel, &groups, 32, asked));
            let numbers = host.numbers(out, 4 * count);
            let size: u32 = expected.iter().product();
            for (index, group) in numbers.chunks(4).enumerate() {
                assert_eq!(group[..3], expected, "work-group {index}");
                assert!(group[3] < size, "work-group {index} is number {} of {size}", group[3]);
            }
        }
        // One and two dimensions.
        let two = Asked { cluster: Some([2, 4, 1]), ..Asked::default() };
        ok(launch(host, kernel, &[8, 4], 32, two));
        assert_eq!(host.numbers(out, 3), [4, 2, 1]);
        let one = Asked { cluster: Some([4, 1, 1]), ..Asked::default() };
        ok(launch(host, kernel, &[8], 32, one));
        assert_eq!(host.numbers(out, 3), [4, 1, 1]);
        // Larger than all devices with clusters support, but this one may.
        let large = Asked { cluster: Some([16, 1, 1]), ..Asked::default() };
        if launch(host, kernel, &[32], 32, large) == UR_RESULT_SUCCESS {
            assert_eq!(host.numbers(out, 3), [16, 1, 1]);
        } else {
            println!("no clusters of 16 work-groups");
        }
    }
}

/// All devices with clusters support 8 work-groups.
fn large_clusters() {
    let host = open(Layout::V2026_1_1);
    let kernel = kernel(host, "cluster", c"clusters");
    set_pointer(host, kernel, host.memory(0, 4 * 32));
    for (cluster, allowed) in [([8, 1, 1], 0), ([16, 1, 1], 1)] {
        software::inject("");
        ok(launch(host, kernel, &[32], 32, Asked { cluster: Some(cluster), ..Asked::default() }));
        assert_eq!(software::calls("cuFuncSetAttribute"), allowed, "{cluster:?}");
    }
    // SAFETY: a live handle.
    ok(unsafe { host.calls.urQueueFinish(host.queue) });
}

/// Launches clusters of two work-groups, and returns the code.
pub(super) fn launch_clusters() -> ur_result_t {
    let host = open(Layout::V2026_1_1);
    let kernel = kernel(host, "kernels", c"noop");
    launch(host, kernel, &[8], 32, Asked { cluster: Some([2, 1, 1]), ..Asked::default() })
}

fn wrong_clusters() {
    for host in LAYOUTS.map(open) {
        let cluster = |sizes| Asked { cluster: Some(sizes), ..Asked::default() };
        if !has_clusters(host) {
            let kernel = kernel(host, "kernels", c"noop");
            let code = launch(host, kernel, &[8], 32, cluster([2, 1, 1]));
            assert_eq!(code, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
            continue;
        }
        let kernel = kernel(host, "cluster", c"clusters");
        let out = host.memory(0, 4 * 8);
        set_pointer(host, kernel, out);
        for sizes in [[3, 1, 1], [1, 2, 1], [0, 1, 1]] {
            let code = launch(host, kernel, &[8], 32, cluster(sizes));
            assert_eq!(code, UR_RESULT_ERROR_INVALID_VALUE, "{sizes:?}");
        }
        // Far more work-groups than any device supports in a cluster, which the driver has to refuse.
        assert_ne!(launch(host, kernel, &[1024], 32, cluster([1024, 1, 1])), UR_RESULT_SUCCESS);
        assert_eq!(host.numbers(out, 4 * 8), [0; 4 * 8]);
        ok(launch(host, kernel, &[8], 32, cluster([8, 1, 1])));
        assert_eq!(host.numbers(out, 3), [8, 1, 1]);
    }
}

fn work_group_memory() {
    const COUNT: usize = 64;
    for host in LAYOUTS.map(open) {
        let kernel = kernel(host, "local", c"reverse");
        let (out, start) = (host.memory(0, COUNT), 0_u32);
        let value = (&raw const start).cast();
        set_pointer(host, kernel, out);
        // The launch's own memory begins at the first block, and the second one belongs to the argument.
        // SAFETY: live handles, and a number.
        unsafe {
            ok(host.calls.urKernelSetArgValue(kernel, 1, 4, null(), value));
            ok(host.calls.urKernelSetArgLocal(kernel, 2, 4 * COUNT, null()));
        }
        let reversed = |factor: u32| (0..COUNT as u32).rev().map(|index| factor * index).collect::<Vec<_>>();
        let memory = |local_memory| Asked { local_memory, ..Asked::default() };
        ok(launch(host, kernel, &[1], COUNT, memory(4 * COUNT)));
        assert_eq!(host.numbers(out, COUNT), reversed(11));
        // Without it the two blocks are the same.
        ok(launch(host, kernel, &[1], COUNT, memory(0)));
        assert_eq!(host.numbers(out, COUNT), reversed(20));
        ok(launch(host, kernel, &[1], COUNT, Asked { cooperative: true, ..memory(4 * COUNT) }));
        assert_eq!(host.numbers(out, COUNT), reversed(11));
        // More than any device has.
        assert_ne!(launch(host, kernel, &[1], COUNT, memory(1 << 30)), UR_RESULT_SUCCESS);
        ok(launch(host, kernel, &[1], COUNT, memory(4 * COUNT)));
        assert_eq!(host.numbers(out, COUNT), reversed(11));
    }
}

fn capabilities() {
    let host = open(Layout::V2025_2);
    let (mut version, query) = ([0_u8; 16], UR_DEVICE_INFO_VERSION);
    let room = version.as_mut_ptr().cast();
    // SAFETY: a live device, and room for the text.
    ok(unsafe { host.calls.urDeviceGetInfo(host.device, query, version.len(), room, null_mut()) });
    let major: String =
        version.iter().map(|byte| char::from(*byte)).take_while(char::is_ascii_digit).collect();
    let has = major.parse::<u32>().unwrap() >= 9;
    assert_eq!(host.has(UR_DEVICE_INFO_CLUSTER_LAUNCH_EXP), has);
    assert!(host.has(UR_DEVICE_INFO_LAUNCH_PROPERTIES_SUPPORT_EXP));
    for host in [open(Layout::V2025_3), open(Layout::NEWEST)] {
        let always =
            UR_KERNEL_LAUNCH_PROPERTIES_FLAG_COOPERATIVE | UR_KERNEL_LAUNCH_PROPERTIES_FLAG_WORK_GROUP_MEMORY;
        let clusters = if has { UR_KERNEL_LAUNCH_PROPERTIES_FLAG_CLUSTER_DIMENSION } else { 0 };
        assert_eq!(launch_capabilities(host), always | clusters);
    }
}

/// The launch's own local memory, and that it is cooperative, with and without a cluster.
fn told() {
    let host = open(Layout::V2026_1_1);
    let kernel = kernel(host, "cluster", c"clusters");
    set_pointer(host, kernel, host.memory(0, 4 * 8));
    let cluster = Some([2, 1, 1]);
    for (cooperative, local_memory) in [(false, 0), (true, 0), (false, 256), (true, 512)] {
        software::inject("");
        ok(launch(host, kernel, &[8], 32, Asked { cooperative, cluster, local_memory }));
        let expected = u64::from(cooperative) << 32 | local_memory as u64;
        assert_eq!(software::noted("cuLaunchKernelEx"), expected, "{cooperative} {local_memory}");
    }
    for (cooperative, expected) in [(true, [1, 0]), (false, [0, 1])] {
        for local_memory in [0, 256] {
            software::inject("");
            ok(launch(host, kernel, &[8], 32, Asked { cooperative, local_memory, ..Asked::default() }));
            let called = ["cuLaunchCooperativeKernel", "cuLaunchKernel"].map(software::calls);
            assert_eq!(called, expected, "{cooperative} {local_memory}");
        }
    }
    // SAFETY: a live handle.
    ok(unsafe { host.calls.urQueueFinish(host.queue) });
}
