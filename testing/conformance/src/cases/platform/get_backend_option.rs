//! `piPluginGetBackendOption`.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{PLATFORM, VALUE, Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    case("PLT-16", "piPluginGetBackendOption", answers),
    case("PLT-17", "piPluginGetBackendOption", spellings),
    case("PLT-18", "piPluginGetBackendOption", unknown),
    case("PLT-19", "piPluginGetBackendOption", nulls),
    case("PLT-20", "piPluginGetBackendOption", compile_fast),
];

const LEVELS: [&CStr; 4] = [c"-O0", c"-O1", c"-O2", c"-O3"];

fn option(f: &Env, name: &CStr) -> Verdict<String> {
    let answer: *const c_char = made!(f, |out| piPluginGetBackendOption(f.platform, name.as_ptr(), out));
    check(&format!("{name:?}"), !answer.is_null(), "a text", "a null pointer")?;
    // SAFETY: the plugin's string, which is not null.
    Ok(unsafe { CStr::from_ptr(answer) }.to_string_lossy().into_owned())
}

fn answers(f: &Env) -> Verdict {
    LEVELS.into_iter().try_for_each(|level| option(f, level).map(|_| ()))
}

fn spellings(f: &Env) -> Verdict {
    let expected = match f.backend {
        Backend::OpenCl => ["-cl-opt-disable", "", "", ""],
        Backend::LevelZero => ["-ze-opt-disable", "-ze-opt-level=2", "-ze-opt-level=2", "-ze-opt-level=2"],
        _ => [""; 4],
    };
    for (level, expected) in LEVELS.into_iter().zip(expected) {
        same(&format!("{level:?}"), expected.to_owned(), option(f, level)?)?;
    }
    Ok(())
}

fn unknown(f: &Env) -> Verdict {
    let mut answer = null();
    for option in [c"-no-such-option", c"-O9", c"\xff\xfe"] {
        refused!(f, piPluginGetBackendOption(f.platform, option.as_ptr(), &mut answer), VALUE);
    }
    check("", answer.is_null(), "no text written", "one was")
}

fn nulls(f: &Env) -> Verdict {
    let mut answer = null();
    refused!(f, piPluginGetBackendOption(null_mut(), c"-O0".as_ptr(), &mut answer), PLATFORM);
    refused!(f, piPluginGetBackendOption(f.platform, null(), &mut answer), VALUE);
    refused!(f, piPluginGetBackendOption(f.platform, c"-O0".as_ptr(), null_mut()), VALUE);
    check("", answer.is_null(), "no text written", "one was")
}

fn compile_fast(f: &Env) -> Verdict {
    if f.backend == Backend::Cuda {
        let mut answer = null();
        refused!(
            f,
            piPluginGetBackendOption(f.platform, c"-ftarget-compile-fast".as_ptr(), &mut answer),
            VALUE
        );
        return Ok(());
    }
    let answer = option(f, c"-ftarget-compile-fast")?;
    check("", answer.starts_with("-igc_opts '") && answer.ends_with('\''), "-igc_opts '...'", answer)
}
