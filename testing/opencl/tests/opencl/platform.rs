//! Platforms.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "platform",
        [
            count_then_list,
            more_room_than_platforms_leaves_the_rest,
            neither_list_nor_count_is_refused,
            a_list_with_room_for_none_is_refused,
            the_same_handles_every_time,
            objects_of_several_drivers_do_not_mix,
            texts_end_with_one_nul,
            backend_is_opencl,
            bad_questions_are_refused,
            backend_options,
            unknown_backend_option_is_refused,
        ]
    );
}

fn count_then_list() {
    let f = Fixture::new();
    let count: pi_uint32 = made!(f.pi, |out| piPlatformsGet(0, null_mut(), out));
    let mut list: Vec<pi_platform> = vec![null_mut(); count as usize];
    ok!(f.pi, piPlatformsGet(count, list.as_mut_ptr(), null_mut()));
    assert!(count > 0 && list.iter().all(|platform| !platform.is_null()));
}

fn more_room_than_platforms_leaves_the_rest() {
    let f = Fixture::new();
    let count: pi_uint32 = made!(f.pi, |out| piPlatformsGet(0, null_mut(), out));
    let mut list: Vec<pi_platform> = vec![null_mut(); count as usize + 5];
    let mut reported = 0;
    ok!(f.pi, piPlatformsGet(count + 5, list.as_mut_ptr(), &mut reported));
    assert_eq!(reported, count);
    assert_eq!(list.iter().filter(|platform| platform.is_null()).count(), 5);
}

fn neither_list_nor_count_is_refused() {
    let f = Fixture::new();
    refused!(f.pi, piPlatformsGet(0, null_mut(), null_mut()), PI_ERROR_INVALID_VALUE);
}

fn a_list_with_room_for_none_is_refused() {
    let f = Fixture::new();
    let mut list = [null_mut(); 1];
    refused!(
        f.pi,
        piPlatformsGet(0, list.as_mut_ptr(), null_mut()),
        PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE
    );
    refused!(f.pi, piPlatformsGet(1, null_mut(), null_mut()), PI_ERROR_INVALID_VALUE);
}

fn the_same_handles_every_time() {
    let f = Fixture::new();
    let first: pi_platform = made!(f.pi, |out| piPlatformsGet(1, out, null_mut()));
    let again: pi_platform = made!(f.pi, |out| piPlatformsGet(1, out, null_mut()));
    assert_eq!(first, again);
}

fn texts_end_with_one_nul() {
    let f = Fixture::new();
    for name in [
        PI_PLATFORM_INFO_NAME,
        PI_PLATFORM_INFO_VENDOR,
        PI_PLATFORM_INFO_PROFILE,
        PI_PLATFORM_INFO_VERSION,
        PI_PLATFORM_INFO_EXTENSIONS,
    ] {
        let text = text!(f.pi, piPlatformGetInfo(f.platform, name));
        assert!(!text.is_empty(), "{name:#x}");
    }
}

fn backend_is_opencl() {
    let f = Fixture::new();
    let backend =
        get!(f.pi, piPlatformGetInfo(f.platform, PI_EXT_PLATFORM_INFO_BACKEND) as pi_platform_backend);
    assert_eq!(backend, PI_EXT_PLATFORM_BACKEND_OPENCL);
}

fn bad_questions_are_refused() {
    let f = Fixture::new();
    bad_questions!(f.pi, piPlatformGetInfo(f.platform), PI_PLATFORM_INFO_NAME);
}

fn backend_options() {
    let f = Fixture::new();
    let answer = |option: &CStr| {
        let text: *const c_char =
            made!(f.pi, |out| piPluginGetBackendOption(f.platform, option.as_ptr(), out));
        // SAFETY: a text with its NUL that belongs to the plugin, which is never unloaded.
        unsafe { CStr::from_ptr(text) }.to_str().unwrap()
    };
    for (option, expected) in [(c"-O0", "-cl-opt-disable"), (c"-O1", ""), (c"-O2", ""), (c"-O3", "")] {
        assert_eq!(answer(option), expected, "{option:?}");
    }
    let fast = answer(c"-ftarget-compile-fast");
    assert!(fast.starts_with("-igc_opts '"), "{fast}");
}

fn unknown_backend_option_is_refused() {
    let f = Fixture::new();
    let mut text = std::ptr::null();
    for option in [c"-O9", c"\xff\xfe"] {
        refused!(
            f.pi,
            piPluginGetBackendOption(f.platform, option.as_ptr(), &mut text),
            PI_ERROR_INVALID_VALUE
        );
    }
    refused!(f.pi, piPluginGetBackendOption(f.platform, std::ptr::null(), &mut text), PI_ERROR_INVALID_VALUE);
    refused!(f.pi, piPluginGetBackendOption(f.platform, c"-O0".as_ptr(), null_mut()), PI_ERROR_INVALID_VALUE);
    assert!(text.is_null(), "a refused call wrote a result");
}

/// Calls go to the driver of their object, whichever driver the call before went to.
fn objects_of_several_drivers_do_not_mix() {
    let pi = plugin::table(Version::NEWEST);
    let count: pi_uint32 = made!(pi, |out| piPlatformsGet(0, null_mut(), out));
    let mut platforms: Vec<pi_platform> = vec![null_mut(); count as usize];
    ok!(pi, piPlatformsGet(count, platforms.as_mut_ptr(), null_mut()));
    let mut contexts = Vec::new();
    for platform in platforms {
        let mut device: pi_device = null_mut();
        if call!(pi, piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 1, &mut device, null_mut())).is_ok() {
            let context: pi_context =
                made!(pi, |out| piContextCreate(null(), 1, &device, None, null_mut(), out));
            contexts.push(context);
        }
    }
    assert!(!contexts.is_empty());
    for _ in 0..3 {
        for context in &contexts {
            ok!(pi, piContextRetain(*context));
            ok!(pi, piContextRelease(*context));
        }
    }
    for context in contexts {
        ok!(pi, piContextRelease(context));
    }
}
