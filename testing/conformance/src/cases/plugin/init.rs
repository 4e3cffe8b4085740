//! `piPluginInit`, tested through the loader: the table that it fills, and requests for other versions.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use libloading::os::unix::Library;
use sycl_pi_core::*;

use crate::case::{Case, alone, case};
use crate::env::Env;
use crate::outcome::{Failure, Verdict, check};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("LD-01", "piPluginInit", symbol),
    case("LD-02", "piPluginInit", full_table),
    alone("LD-03", "piPluginInit", other_versions),
    case("LD-07", "piextPluginGetOpaqueData", nothing_dies),
];

type Init = unsafe extern "C" fn(*mut c_void) -> pi_result;

/// Skips the case for adapters. Other cases check how they hand over their tables.
fn handshake_of_pi() -> Verdict {
    if skip::is_through_ur() { Err(Failure::skip(skip::NO_COUNTERPART)) } else { Ok(()) }
}

fn init(f: &Env) -> Verdict<Init> {
    handshake_of_pi()?;
    let library =
        // SAFETY: the library is already loaded, so that this finds it again.
        unsafe { Library::new(&f.path) }.map_err(|error| Failure::fail("", "an open library", error))?;
    // SAFETY: the symbol has this signature in every plugin.
    let symbol = unsafe { library.get::<Init>(b"piPluginInit\0") };
    let symbol = symbol.map(|symbol| *symbol).map_err(|error| Failure::fail("", "the symbol", error));
    std::mem::forget(library);
    symbol
}

fn symbol(f: &Env) -> Verdict {
    init(f).map(|_| ())
}

fn full_table(f: &Env) -> Verdict {
    handshake_of_pi()?;
    let expected = table::names_by_slot(f.version).count();
    let missing = expected - f.pi.function_count();
    check(
        "",
        missing == 0,
        format!("{expected} functions in the table"),
        format!("{missing} of them are null"),
    )
}

/// Unknown versions: refused, or at least answered without a table beyond the structure's end.
fn other_versions(f: &Env) -> Verdict {
    let init = init(f)?;
    for text in ["99.1", "1.0", "", "15", "15.4x", "nonsense text", "15.47.1.2.3.4.5.6.7"] {
        let mut room = [0_u64; 1024];
        let words = text.as_bytes().chunks(8);
        for (word, chunk) in room.iter_mut().zip(words) {
            let mut bytes = [0; 8];
            bytes.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
            *word = u64::from_ne_bytes(bytes);
        }
        // SAFETY: far more room than any version's structure, aligned, and starting with a NUL-terminated string.
        let code = unsafe { init(room.as_mut_ptr().cast()) };
        let beyond = room.iter().skip(256).all(|word| *word == 0);
        check(&format!("piPluginInit({text:?})"), beyond, "nothing written past the structure", "it was")?;
        if f.strict {
            let refused = code != PI_SUCCESS;
            check(&format!("piPluginInit({text:?})"), refused, "a refusal", "PI_SUCCESS")?;
        }
    }
    Ok(())
}

/// Calls that few backends implement return a code, and no process crashes.
fn nothing_dies(f: &Env) -> Verdict {
    let (context, queue) = (f.context()?, f.queue()?);
    let mut pointer = null_mut();
    // Their results are not specified.
    let _ = call!(f, piextPluginGetOpaqueData(null_mut(), &mut pointer));
    let _ = call!(f, piextPluginGetOpaqueData(null_mut(), null_mut()));
    let _ = call!(f, piextPluginGetOpaqueData(std::ptr::dangling_mut(), &mut pointer));
    let _ = call!(f, piextMemImageFree(context, f.device, null_mut()));
    let _ = call!(f, piextMemUnsampledImageHandleDestroy(context, f.device, 0));
    let _ = call!(f, piextMemSampledImageHandleDestroy(context, f.device, 0));
    let _ = call!(f, piextMemMipmapFree(context, f.device, null_mut()));
    let _ = call!(f, piextMemReleaseInterop(context, f.device, 0));
    let _ = call!(f, piextDestroyExternalSemaphore(context, f.device, 0));
    let _ = call!(f, piextWaitExternalSemaphore(queue, 0, 0, null(), null_mut()));
    let _ = call!(f, piextSignalExternalSemaphore(queue, 0, 0, null(), null_mut()));
    let _ = call!(f, piextEnablePeerAccess(f.device, f.device));
    let _ = call!(f, piextDisablePeerAccess(f.device, f.device));
    Ok(())
}
