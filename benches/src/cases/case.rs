//! An operation on each side, and how it is declared.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use crate::driver::Driver;
use crate::objects::Objects;
use crate::output::Call;

/// Runs the operation that many times.
pub(crate) type Operation = Box<dyn FnMut(usize)>;

/// One operation on each side: our library, the vendor's, the driver alone.
pub(crate) struct Case {
    pub(crate) call: Call,
    pub(crate) sides: [Operation; 3],
}

/// Declares an operation: entry points and calls of the interface, functions and calls of OpenCL. It is left out if
/// this version of the interface or this driver lacks one of the functions. `handles;` names what stands beside the
/// table of a side. `system` says that the operation enters the system.
macro_rules! case {
    ($cases:ident, $name:literal, $($rest:tt)*) => {
        $crate::cases::case!(@ $cases, _, $name, false, $($rest)*)
    };
    ($cases:ident, system $name:literal, $($rest:tt)*) => {
        $crate::cases::case!(@ $cases, _, $name, true, $($rest)*)
    };
    ($cases:ident, $handles:ident; $name:literal, $($rest:tt)*) => {
        $crate::cases::case!(@ $cases, $handles, $name, false, $($rest)*)
    };
    ($cases:ident, $handles:ident; system $name:literal, $($rest:tt)*) => {
        $crate::cases::case!(@ $cases, $handles, $name, true, $($rest)*)
    };
    (@ $cases:ident, $handles:pat, $name:literal, $enters_system:literal, [$($entry:ident)*] $with_table:expr, [$($cl:ident)*] $with_cl:expr) => {
        $cases.add(
            $name,
            &[$(stringify!($entry)),*],
            $enters_system,
            |&(table, $handles)| {
                $(#[allow(non_snake_case)] let $entry = table.$entry?;)*
                // SAFETY: live objects of the driver, or handles of them, and memory of the stated size.
                Some($crate::cases::repeat(move || unsafe { $with_table }))
            },
            |driver| {
                $(#[allow(non_snake_case)] let $cl = driver.$cl?;)*
                let _ = driver;
                // SAFETY: as above.
                Some($crate::cases::repeat(move || unsafe { $with_cl }))
            },
        );
    };
}
pub(super) use case;

/// The operations of one interface while they are put together. `S` is a side, with its table and the handles that it
/// needs.
pub(super) struct Cases<S> {
    pub(super) ours: S,
    pub(super) vendor: S,
    pub(super) driver: &'static Driver,
    pub(super) objects: &'static Objects,
    pub(super) only: Option<String>,
    pub(super) list: Vec<Case>,
}

impl<S> Cases<S> {
    pub(super) fn add(
        &mut self,
        name: &'static str,
        entry_points: &[&str],
        enters_system: bool,
        side: impl Fn(&S) -> Option<Operation>,
        driver: impl Fn(&Driver) -> Option<Operation>,
    ) {
        if self.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            return;
        }
        let (Some(ours), Some(vendor), Some(bare)) =
            (side(&self.ours), side(&self.vendor), driver(self.driver))
        else {
            return;
        };
        let entry_points = entry_points.iter().map(ToString::to_string).collect();
        let call = Call { name: name.to_owned(), entry_points, enters_system };
        self.list.push(Case { call, sides: [ours, vendor, bare] });
    }
}

pub(super) fn repeat(mut operation: impl FnMut() + 'static) -> Operation {
    Box::new(move |times| {
        for _ in 0..times {
            operation();
        }
    })
}

static CURRENT: Mutex<String> = Mutex::new(String::new());

/// Names the operation for the message of a call that fails.
pub(crate) fn set_current(name: &str) {
    name.clone_into(&mut CURRENT.lock().unwrap());
}

/// Checks a result code.
#[inline(always)]
pub(super) fn ok(code: impl Into<i64>) {
    let code = code.into();
    if code != 0 {
        failed(code);
    }
}

#[cold]
#[inline(never)]
fn failed(code: i64) {
    if PROBING.load(Ordering::Relaxed) {
        PROBED.store(code, Ordering::Relaxed);
    } else {
        panic!("{}: a call answered {code}", CURRENT.lock().unwrap());
    }
}

static PROBING: AtomicBool = AtomicBool::new(false);
static PROBED: AtomicI64 = AtomicI64::new(0);

/// Runs an operation once. Returns whether it succeeds.
pub(crate) fn works(operation: &mut Operation) -> bool {
    PROBED.store(0, Ordering::Relaxed);
    PROBING.store(true, Ordering::Relaxed);
    operation(1);
    PROBING.store(false, Ordering::Relaxed);
    PROBED.load(Ordering::Relaxed) == 0
}

/// Replaces the driver for a call that needs none.
///
/// # Safety
///
/// `out` points to a writable number.
#[inline(never)]
pub(super) unsafe extern "C" fn nothing(object: *mut std::ffi::c_void, out: *mut usize) -> i32 {
    // SAFETY: the caller's contract.
    unsafe { out.write(object as usize) };
    0
}
