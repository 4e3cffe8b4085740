//! The operations: each through a plugin's table, and as a program without PI would call the driver.

mod context;
mod device;
mod enqueue;
mod event;
mod kernel;
mod mem;
mod program;
mod queue;
mod usm;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use anyhow::Result;
use sycl_pi_loader::Table;

use crate::Which;
use crate::driver::Driver;
use crate::objects::Objects;
use crate::output::Call;
use crate::plugins::{self, Plugins};

/// Runs the operation that many times.
pub(crate) type Operation = Box<dyn FnMut(usize)>;

/// One operation on each side: our plugin, the vendor's, the driver alone.
pub(crate) struct Case {
    pub(crate) call: Call,
    pub(crate) sides: [Operation; 3],
}

/// Declares an operation: entry points and calls of PI, functions and calls of OpenCL. It is left out if this PI version or this
/// driver lacks one of the functions.
macro_rules! case {
    ($bench:ident, $name:literal, [$($pi:ident)*] $with_pi:expr, [$($cl:ident)*] $with_cl:expr) => {
        $crate::cases::case!(@ $bench, $name, false, [$($pi)*] $with_pi, [$($cl)*] $with_cl)
    };
    ($bench:ident, queued $name:literal, [$($pi:ident)*] $with_pi:expr, [$($cl:ident)*] $with_cl:expr) => {
        $crate::cases::case!(@ $bench, $name, true, [$($pi)*] $with_pi, [$($cl)*] $with_cl)
    };
    (@ $bench:ident, $name:literal, $queued:literal, [$($pi:ident)*] $with_pi:expr, [$($cl:ident)*] $with_cl:expr) => {
        let table = |table: &sycl_pi_loader::Table| -> Option<$crate::cases::Operation> {
            $(#[allow(non_snake_case)] let $pi = table.$pi?;)*
            // SAFETY: live objects of the driver, and memory of the stated size.
            Some($crate::cases::repeat(move || unsafe { $with_pi }))
        };
        let driver = |driver: &$crate::driver::Driver| -> Option<$crate::cases::Operation> {
            $(#[allow(non_snake_case)] let $cl = driver.$cl?;)*
            let _ = driver;
            // SAFETY: as above.
            Some($crate::cases::repeat(move || unsafe { $with_cl }))
        };
        $bench.add($name, &[$(stringify!($pi)),*], $queued, table, driver);
    };
}
use case;

/// The plugins, the driver, its objects, and all operations on them.
pub(crate) struct Bench {
    plugins: Plugins,
    driver: Driver,
    pub(crate) objects: &'static Objects,
    only: Option<String>,
    pub(crate) cases: Vec<Case>,
}

impl Bench {
    /// Loads the plugins, opens the driver and creates the objects.
    pub(crate) fn start(which: &Which) -> Result<Self> {
        let mut driver = Driver::open()?;
        let objects = Box::leak(Box::new(Objects::new(&mut driver)?));
        let plugins = plugins::load(which)?;
        let mut bench = Bench { plugins, driver, objects, only: which.only.clone(), cases: Vec::new() };
        for family in [
            device::add,
            context::add,
            queue::add,
            mem::add,
            usm::add,
            program::add,
            kernel::add,
            event::add,
            enqueue::add,
        ] {
            family(&mut bench);
        }
        Ok(bench)
    }

    /// The PI version of both plugins.
    pub(crate) fn pi(&self) -> String {
        self.plugins.vendor.version.text().to_owned()
    }

    /// Device and driver, in words.
    pub(crate) fn device(&self) -> String {
        self.objects.description.clone()
    }

    /// Waits until the commands of a batch are complete.
    pub(crate) fn finish(&self) {
        let finish = self.driver.clFinish.expect("the objects needed it too");
        // SAFETY: a live queue.
        ok(unsafe { finish(self.objects.queue) });
    }

    fn add(
        &mut self,
        name: &'static str,
        entry_points: &[&str],
        queued: bool,
        table: impl Fn(&Table) -> Option<Operation>,
        driver: impl Fn(&Driver) -> Option<Operation>,
    ) {
        if self.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            return;
        }
        let Plugins { ours, vendor } = &self.plugins;
        let (Some(ours), Some(vendor), Some(bare)) =
            (table(ours.table()), table(vendor.table()), driver(&self.driver))
        else {
            return;
        };
        let entry_points = entry_points.iter().map(ToString::to_string).collect();
        let call = Call { name: name.to_owned(), entry_points, queued };
        self.cases.push(Case { call, sides: [ours, vendor, bare] });
    }
}

fn repeat(mut operation: impl FnMut() + 'static) -> Operation {
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
fn ok(code: i32) {
    if code != 0 {
        failed(code);
    }
}

#[cold]
#[inline(never)]
fn failed(code: i32) {
    if PROBING.load(Ordering::Relaxed) {
        PROBED.store(code, Ordering::Relaxed);
    } else {
        panic!("{}: a call answered {code}", CURRENT.lock().unwrap());
    }
}

static PROBING: AtomicBool = AtomicBool::new(false);
static PROBED: AtomicI32 = AtomicI32::new(0);

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
unsafe extern "C" fn nothing(object: *mut std::ffi::c_void, out: *mut usize) -> i32 {
    // SAFETY: the caller's contract.
    unsafe { out.write(object as usize) };
    0
}
