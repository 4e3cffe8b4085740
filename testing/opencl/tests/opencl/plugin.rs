//! Tests of the plugin as a whole: last error, features that OpenCL lacks, exports, tear-down.

use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "plugin",
        [
            exports_both_interfaces_and_what_libsycl_looks_for,
            the_last_error_is_the_threads_own,
            peer_access_is_refused_and_answered,
            bindless_images_are_refused_with_a_message,
            there_is_no_opaque_data,
        ],
        isolated [
            the_first_refusal_has_its_message,
            after_tear_down_calls_are_refused,
            tear_down_and_start_again,
            the_last_of_two_runtimes_ends_it,
            process_exit_with_live_objects,
            exit_handlers_release_events_and_queues,
            without_a_driver_there_are_no_platforms,
            every_opencl_library_serves_the_drivers_that_are_named_and_the_environment_s,
            variables_say_which_drivers_there_are,
        ]
    );
}

/// From 2025.3 on, `libsycl` looks up OpenCL's retain functions in the adapter's file, because `sycl::get_native`
/// returns a reference that the caller owns.
const RETAINS: [&str; 7] = [
    "clRetainDevice",
    "clRetainContext",
    "clRetainCommandQueue",
    "clRetainMemObject",
    "clRetainProgram",
    "clRetainKernel",
    "clRetainEvent",
];

fn exports_both_interfaces_and_what_libsycl_looks_for() {
    let mut names = testing_support::interface_names();
    names.extend(RETAINS.map(str::to_owned));
    // Several of our libraries in a process share their locks through this symbol.
    names.insert("sycl_pi_opencl_locks".to_owned());
    assert_eq!(testing_support::exported_names(&plugin_file()), names);
}

/// Returns the code of this thread's last error.
fn last_code(pi: &Table) -> pi_result {
    let mut message = null_mut();
    // SAFETY: room for the text's address.
    unsafe { pi.piPluginGetLastError.unwrap()(&mut message) }
}

fn the_last_error_is_the_threads_own() {
    let f = Fixture::new();
    refused!(f.pi, piPlatformsGet(0, null_mut(), null_mut()), PI_ERROR_INVALID_VALUE);
    let other = std::thread::spawn(|| last_code(under_test(Version::NEWEST)));
    assert_eq!(other.join().unwrap(), PI_SUCCESS, "another thread sees this one's error");
    assert_eq!(last_code(f.pi), PI_ERROR_INVALID_VALUE);
}

fn peer_access_is_refused_and_answered() {
    let f = Fixture::new();
    let text = refused!(f.pi, piextEnablePeerAccess(f.device, f.device), PI_ERROR_INVALID_OPERATION);
    assert!(text.contains("peer"), "{text}");
    refused!(f.pi, piextDisablePeerAccess(f.device, f.device), PI_ERROR_INVALID_OPERATION);
    for attr in [PI_PEER_ACCESS_SUPPORTED, PI_PEER_ATOMICS_SUPPORTED] {
        assert_eq!(get!(f.pi, piextPeerAccessGetInfo(f.device, f.device, attr) as i32), 0);
    }
    bad_questions!(f.pi, piextPeerAccessGetInfo(f.device, f.device), PI_PEER_ACCESS_SUPPORTED);
}

fn bindless_images_are_refused_with_a_message() {
    let f = Fixture::new();
    let mut handle = 0;
    let mut sampler = null_mut();
    for text in [
        refused!(
            f.pi,
            piextMemImportOpaqueFD(f.context, f.device, 64, 3, &mut handle),
            PI_ERROR_INVALID_OPERATION
        ),
        refused!(
            f.pi,
            piextImportExternalSemaphoreOpaqueFD(f.context, f.device, 3, &mut handle),
            PI_ERROR_INVALID_OPERATION
        ),
        refused!(
            f.pi,
            piextBindlessImageSamplerCreate(f.context, [0].as_ptr(), 0.0, 1.0, 1.0, &mut sampler),
            PI_ERROR_INVALID_OPERATION
        ),
        refused!(f.pi, piextMemSampledImageHandleDestroy(f.context, f.device, 1), PI_ERROR_INVALID_OPERATION),
    ] {
        assert!(text.contains("OpenCL"), "{text}");
    }
}

fn there_is_no_opaque_data() {
    let f = Fixture::new();
    let mut data = null_mut();
    refused!(f.pi, piextPluginGetOpaqueData(null_mut(), &mut data), PI_ERROR_INVALID_OPERATION);
    assert!(data.is_null());
}

/// Nobody has queried a message in this process before.
fn the_first_refusal_has_its_message() {
    let f = Fixture::new();
    let buffer = f.buffer(&[1_u32]);
    let mut value = 0_u64;
    // SAFETY: a live buffer, and memory of the size given.
    let code = unsafe { f.pi.piMemGetInfo.unwrap()(*buffer, 0xdead, 8, (&raw mut value).cast(), null_mut()) };
    assert_eq!(code, PI_ERROR_INVALID_VALUE);
    assert_eq!(last_code(f.pi), PI_ERROR_INVALID_VALUE);
    let message = f.pi.last_error_message().unwrap();
    assert!(message.contains("piMemGetInfo") && message.contains("clGetMemObjectInfo"), "{message}");
}

fn after_tear_down_calls_are_refused() {
    let f = Fixture::new();
    let buffer = f.buffer(&[1_u32]);
    ok!(f.pi, piQueueFlush(f.queue));
    ok!(f.pi, piTearDown(null_mut()));
    let mut count = 0;
    refused!(f.pi, piPlatformsGet(0, null_mut(), &mut count), PI_ERROR_UNINITIALIZED);
    refused!(f.pi, piQueueFinish(f.queue), PI_ERROR_UNINITIALIZED);
    refused!(f.pi, piQueueFlush(f.queue), PI_ERROR_UNINITIALIZED);
    let mut size = 0;
    refused!(f.pi, piMemGetInfo(*buffer, PI_MEM_SIZE, 0, null_mut(), &mut size), PI_ERROR_UNINITIALIZED);
    let mut event = null_mut();
    refused!(f.pi, piEnqueueEventsWait(f.queue, 0, null(), &mut event), PI_ERROR_UNINITIALIZED);
    // Static objects of a program do this at its end.
    ok!(f.pi, piMemRetain(*buffer));
    std::mem::forget(buffer);
    ok!(f.pi, piQueueRelease(f.queue));
    ok!(f.pi, piContextRelease(f.context));
    ok!(f.pi, piTearDown(null_mut()));
    std::mem::forget(f);
}

fn tear_down_and_start_again() {
    let path = plugin_file();
    for version in [Version::V15_47, Version::V9_11, Version::V12_27, Version::V15_47] {
        let pi = open(&path, version);
        let f = Fixture::of(pi);
        let buffer = f.buffer(&[1_u32, 2]);
        assert_eq!(f.content::<u32>(*buffer, 2), [1, 2]);
        drop(buffer);
        drop(f);
        ok!(pi, piTearDown(null_mut()));
        let mut count = 0;
        refused!(pi, piPlatformsGet(0, null_mut(), &mut count), PI_ERROR_UNINITIALIZED);
    }
}

fn the_last_of_two_runtimes_ends_it() {
    let path = plugin_file();
    let (first, second) = (open(&path, Version::V9_11), open(&path, Version::V15_47));
    ok!(first, piTearDown(null_mut()));
    let count: pi_uint32 = made!(second, |out| piPlatformsGet(0, null_mut(), out));
    assert!(count > 0, "the other runtime is still there");
    ok!(second, piTearDown(null_mut()));
    let mut count = 0;
    refused!(second, piPlatformsGet(0, null_mut(), &mut count), PI_ERROR_UNINITIALIZED);
}

fn process_exit_with_live_objects() {
    let f = Fixture::new();
    let program = f.built_source();
    std::mem::forget(f.kernel(*program, c"nothing"));
    std::mem::forget(f.buffer(&[0_u8; 64]));
    std::mem::forget(program);
    std::mem::forget(f);
}

fn without_a_driver_there_are_no_platforms() {
    const INNER: &str = "PI_OPENCL_TESTS_NO_DRIVER";
    if std::env::var_os(INNER).is_some() {
        let pi = under_test(Version::NEWEST);
        let count: pi_uint32 = made!(pi, |out| piPlatformsGet(0, null_mut(), out));
        assert_eq!(count, 0);
        let why = testing_support::last_error(pi);
        assert!(why.contains("knows no driver") && why.contains("OCL_ICD_FILENAMES"), "{why}");
        return;
    }
    let own = std::env::var(child::CASE).unwrap();
    let nowhere = std::env::temp_dir().join("no-opencl-vendors-here");
    let variables = [
        (INNER, "1".to_owned()),
        ("OCL_ICD_VENDORS", nowhere.to_string_lossy().into_owned()),
        ("OCL_ICD_FILENAMES", String::new()),
    ];
    child::run(&own, &variables).unwrap_or_else(|why| panic!("{why}"));
}

/// The variables that select OpenCL drivers.
const OF_DRIVERS: [&str; 6] = [
    "OCL_ICD_FILENAMES",
    "OCL_ICD_VENDORS",
    "OPENCL_VENDOR_PATH",
    "LD_LIBRARY_PATH",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
];

/// Returns Intel's CPU runtime and the root of its environment.
fn intel_environment() -> (PathBuf, PathBuf) {
    let driver = PathBuf::from(std::env::var_os("OCL_ICD_FILENAMES").expect("the driver is named"));
    let root = driver.ancestors().nth(2).expect("an environment has folders").to_path_buf();
    (driver, root)
}

/// Puts Debian's OpenCL library ocl-icd alone into a folder. It does not know OCL_ICD_FILENAMES.
fn ocl_icd(folder: &Path) -> PathBuf {
    let system = Path::new("/usr/lib/x86_64-linux-gnu/libOpenCL.so.1");
    let bytes = std::fs::read(system).expect("Debian's ocl-icd-libopencl1 is installed");
    let knows = bytes.windows(17).any(|bytes| bytes == b"OCL_ICD_FILENAMES");
    assert!(!knows, "{} is not the ocl-icd that this is about", system.display());
    std::os::unix::fs::symlink(system, folder.join("libOpenCL.so.1")).unwrap();
    folder.to_path_buf()
}

/// Returns the names of the platforms.
fn platforms() -> Vec<CString> {
    let pi = under_test(Version::NEWEST);
    let mut platforms = [null_mut(); 8];
    let count: pi_uint32 = made!(pi, |out| piPlatformsGet(8, platforms.as_mut_ptr(), out));
    let name = |platform: &pi_platform| {
        let mut name = [0_u8; 64];
        ok!(
            pi,
            piPlatformGetInfo(*platform, PI_PLATFORM_INFO_NAME, 64, name.as_mut_ptr().cast(), null_mut())
        );
        CStr::from_bytes_until_nul(&name).unwrap().to_owned()
    };
    platforms[..count as usize].iter().map(name).collect()
}

fn every_opencl_library_serves_the_drivers_that_are_named_and_the_environment_s() {
    const INNER: &str = "PI_OPENCL_TESTS_FOUND";
    if std::env::var_os(INNER).is_some() {
        assert_eq!(platforms(), [c"Intel(R) OpenCL".to_owned()]);
        // Its objects work, whichever library passes them on.
        drop(Fixture::new().built_source());
        return;
    }
    let (driver, root) = intel_environment();
    let own = std::env::var(child::CASE).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let ocl_icd = ocl_icd(folder.path()).to_string_lossy().into_owned();
    let (driver, root) = (driver.to_string_lossy().into_owned(), root.to_string_lossy().into_owned());
    let library = format!("{root}/lib");
    // The libraries know the system's drivers without a variable, but ignore them if a variable is set.
    let situations: [&[(&str, &str)]; 4] = [
        &[("OCL_ICD_FILENAMES", &driver), ("OCL_ICD_VENDORS", "/nowhere"), ("LD_LIBRARY_PATH", &ocl_icd)],
        &[("OCL_ICD_FILENAMES", &driver), ("OCL_ICD_VENDORS", "/nowhere"), ("LD_LIBRARY_PATH", &library)],
        &[("OCL_ICD_FILENAMES", &driver), ("OCL_ICD_VENDORS", "/nowhere"), ("VIRTUAL_ENV", &root)],
        // An empty part of a list names nothing.
        &[
            ("OCL_ICD_FILENAMES", &format!(":{driver}:")),
            ("OCL_ICD_VENDORS", "/nowhere"),
            ("CONDA_PREFIX", &root),
        ],
    ];
    for situation in situations {
        let variables = situation.iter().map(|(name, value)| (*name, (*value).to_owned()));
        let variables: Vec<_> = variables.chain([(INNER, "1".to_owned())]).collect();
        child::run_without(&own, &variables, &OF_DRIVERS)
            .unwrap_or_else(|why| panic!("{situation:?}: {why}"));
    }
}

fn variables_say_which_drivers_there_are() {
    const INNER: &str = "PI_OPENCL_TESTS_FIRST_PLATFORM";
    if let Some(expected) = std::env::var_os(INNER) {
        let first = platforms().first().cloned();
        // The system's drivers may also be there. The environment's comes first.
        assert_eq!(first.as_deref() == Some(c"Intel(R) OpenCL"), expected == "found", "{first:?}");
        return;
    }
    let (_, root) = intel_environment();
    let own = std::env::var(child::CASE).unwrap();
    let root = root.to_string_lossy().into_owned();
    let active = ("VIRTUAL_ENV", root.as_str());
    // Without a variable, the environment's own driver is found. With any of the three, only what it names, which is
    // nothing here.
    for (situation, expected) in [
        (vec![active], "found"),
        (vec![active, ("OCL_ICD_VENDORS", "/nowhere")], "none"),
        (vec![active, ("OCL_ICD_VENDORS", "/nowhere"), ("OCL_ICD_FILENAMES", "")], "none"),
        (vec![active, ("OCL_ICD_VENDORS", "/nowhere"), ("OPENCL_VENDOR_PATH", "/nowhere")], "none"),
    ] {
        let variables = situation.iter().map(|(name, value)| (*name, (*value).to_owned()));
        let variables: Vec<_> = variables.chain([(INNER, expected.to_owned())]).collect();
        child::run_without(&own, &variables, &OF_DRIVERS)
            .unwrap_or_else(|why| panic!("{situation:?}: {why}"));
    }
}

/// Exit handlers run after the destructors of the main thread's own objects. In Intel's CPU runtime, another thread
/// must release the objects that they release, as the last event of a released queue ends it.
fn exit_handlers_release_events_and_queues() {
    /// The table, an event and a queue.
    static LEFT: OnceLock<[usize; 3]> = OnceLock::new();
    extern "C" fn at_exit() {
        let Some([pi, event, queue]) = LEFT.get() else { return };
        // SAFETY: a table is never freed.
        let pi = unsafe { &*std::ptr::with_exposed_provenance::<Table>(*pi) };
        let event = std::ptr::with_exposed_provenance_mut(*event);
        let queue = std::ptr::with_exposed_provenance_mut(*queue);
        let counts = || {
            let of_event = get!(pi, piEventGetInfo(event, PI_EVENT_INFO_REFERENCE_COUNT) as u32);
            [of_event, get!(pi, piQueueGetInfo(queue, PI_QUEUE_INFO_REFERENCE_COUNT) as u32)]
        };
        let before = counts();
        ok!(pi, piEventRetain(event));
        ok!(pi, piEventRelease(event));
        ok!(pi, piQueueRetain(queue));
        ok!(pi, piQueueRelease(queue));
        assert_eq!(counts(), before, "references to the event and to the queue");
    }
    let f = Fixture::new();
    let event: pi_event = made!(f.pi, |out| piEnqueueEventsWait(f.queue, 0, null(), out));
    ok!(f.pi, piEventsWait(1, &event));
    let table = std::ptr::from_ref::<Table>(f.pi).expose_provenance();
    LEFT.get_or_init(|| [table, event.expose_provenance(), f.queue.expose_provenance()]);
    std::mem::forget(f);
    // SAFETY: the function takes no arguments. A panic in it ends the process, which fails the test.
    assert_eq!(unsafe { libc::atexit(at_exit) }, 0);
}
