//! Machines without a driver, and drivers without a function. Each test runs in a separate process because the
//! plugin looks only once.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::ptr::{null, null_mut};

use super::{
    Case, child, command_buffers, device_info, physical_memory, shared_events, spirv, unified_runtime,
};
use crate::fixture::{images, last_error};
use crate::{Fixture, code, fails, ok};
use sycl_pi_core::*;
use sycl_ur_core::*;

pub(crate) const CASES: &[Case] = &[
    ("no_driver_gives_no_platform_and_a_reason", no_driver),
    ("an_older_driver_lacks_a_feature_alone", older_driver),
];

/// Runs the task of a child. Returns `None` if this is not a child.
pub(crate) fn child() -> Option<ExitCode> {
    match child::task()?.as_str() {
        "no driver" => without_driver(),
        device_info::CAPABILITY => device_info::of_capability(),
        spirv::NO_LIBNVVM => spirv::without_libnvvm(),
        spirv::LIBNVVM => spirv::with_files_only(),
        spirv::OPENCL => spirv::as_opencl(),
        spirv::NAMES => spirv::with_a_name(),
        physical_memory::OTHER_PROCESS => physical_memory::in_another_process(),
        shared_events::OTHER_PROCESS => shared_events::in_another_process(),
        command_buffers::ANY_ORDER => command_buffers::fills_in_any_order(),
        unified_runtime::OTHER_PROCESS => unified_runtime::in_another_process(),
        _ => without_functions(),
    }
    Some(ExitCode::SUCCESS)
}

/// Runs this program again with a driver with this content, and returns its output.
fn with_driver(library: &[u8], what: &str) -> String {
    let folder: PathBuf =
        std::env::temp_dir().join(format!("pi-cuda-{}-{}", std::process::id(), what.replace(' ', "-")));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["libcuda.so.1", "libcuda.so"] {
        std::fs::write(folder.join(name), library).unwrap();
    }
    let text = child::run(what, &[("LD_LIBRARY_PATH", &folder)]);
    std::fs::remove_dir_all(&folder).unwrap();
    text
}

fn no_driver() {
    println!("{}", with_driver(b"no library", "no driver").trim());
}

fn without_driver() {
    let mut count = 7;
    ok!(piPlatformsGet(0, null_mut(), &mut count));
    assert_eq!(count, 0);
    let why = last_error();
    println!("{why}");
    assert!(why.contains("libcuda.so.1") && why.contains("NVIDIA's driver"), "{why}");
    let mut context = null_mut();
    assert_ne!(code!(piContextCreate(null(), 1, &null_mut(), None, null_mut(), &mut context)), PI_SUCCESS);
}

/// Functions that an older driver does not have.
const HIDDEN: [&str; 8] = [
    "cuGraphCreate",
    "cuLaunchCooperativeKernel",
    "cuArray3DCreate_v2",
    "cuLinkCreate_v2",
    "cuGraphExecKernelNodeSetParams_v2",
    "cuIpcGetEventHandle",
    "cuIpcGetMemHandle",
    "cuMemImportFromShareableHandle",
];

fn older_driver() {
    let mut library = std::fs::read(driver_beside(&images())).unwrap();
    for name in HIDDEN {
        hide(&mut library, name);
    }
    println!("{}", with_driver(&library, "older driver").trim());
}

fn driver_beside(images: &Path) -> PathBuf {
    images.join("libcuda.so.1")
}

/// Renames a symbol.
fn hide(library: &mut [u8], name: &str) {
    let symbol = [b"\0", name.as_bytes(), b"\0"].concat();
    let mut found = 0;
    for at in 0..library.len() - symbol.len() {
        if library[at..].starts_with(&symbol) {
            library[at + 1] = b'x';
            found += 1;
        }
    }
    assert!(found > 0, "{name} is no symbol of the driver");
}

fn without_functions() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    fixture.launch(kernel.raw, &[8], None);
    fixture.finish();
    let unsupported = |function: &str| {
        let text = last_error();
        assert!(text.contains(function) && text.contains("newer driver"), "{text}");
        println!("{text}");
    };
    let mut buffer = null_mut();
    fails!(
        piextCommandBufferCreate(fixture.context, fixture.device, null(), &mut buffer),
        PI_ERROR_INVALID_OPERATION,
        PI_ERROR_UNSUPPORTED_FEATURE
    );
    unsupported("cuGraphCreate");
    fails!(
        piextEnqueueCooperativeKernelLaunch(
            fixture.queue,
            kernel.raw,
            1,
            null(),
            &8,
            &8,
            0,
            null(),
            null_mut()
        ),
        PI_ERROR_INVALID_OPERATION,
        PI_ERROR_UNSUPPORTED_FEATURE
    );
    unsupported("cuLaunchCooperativeKernel");
    let (mut linked, one) = (null_mut(), program.raw);
    let device = fixture.device;
    fails!(
        piProgramLink(fixture.context, 1, &device, c"".as_ptr(), 1, &one, None, null_mut(), &mut linked),
        PI_ERROR_LINK_PROGRAM_FAILURE,
        PI_ERROR_INVALID_OPERATION,
        PI_ERROR_UNSUPPORTED_FEATURE
    );
    unsupported("cuLinkCreate_v2");
    if !linked.is_null() {
        ok!(piProgramRelease(linked));
    }
    let host = unified_runtime::newest();
    for query in [
        UR_DEVICE_INFO_IPC_EVENT_SUPPORT_EXP,
        UR_DEVICE_INFO_IPC_MEMORY_SUPPORT_EXP,
        UR_DEVICE_INFO_IPC_PHYSICAL_MEMORY_SUPPORT_EXP,
    ] {
        assert!(!host.has(query), "{query}");
    }
    let (mut updates, query) = (77_u32, UR_DEVICE_INFO_COMMAND_BUFFER_UPDATE_CAPABILITIES_EXP);
    let room = (&raw mut updates).cast();
    // SAFETY: a live device, and room for the flags.
    testing_ur_host::ok(unsafe { host.calls.urDeviceGetInfo(host.device, query, 4, room, null_mut()) });
    assert_eq!(updates, 0);
    // The existing functions still work.
    let memory = fixture.device_memory(64);
    fixture.write(&memory, &[3_u8; 64]);
    assert_eq!(fixture.read::<u8>(&memory, 64), [3; 64]);
}
