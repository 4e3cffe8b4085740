//! Platforms.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "platform",
        [
            a_list_with_room_for_none_is_refused,
            objects_of_several_drivers_do_not_mix,
            texts_end_with_one_nul,
            bad_questions_are_refused,
            backend_options,
            unknown_backend_option_is_refused,
        ]
    );
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
