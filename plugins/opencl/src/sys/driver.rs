//! What is known of the driver behind an object: its version, its functions.
//!
//! Every OpenCL object starts with a pointer to its driver's dispatch table (cl_khr_icd), so two objects of one driver
//! share that word. It is the key here: one load and one comparison instead of a question to the driver at each call.

use std::ffi::{CStr, c_void};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use opencl_sys::*;
use parking_lot::RwLock;
use sycl_pi_backend::{Error, Result, cold_error, fence, last_error};
use sycl_pi_backend::types::ErrorCode;

use super::dispatch;
use super::functions::{Cl, Ext};
use super::jump;
use super::library::{self, Library, library};
use super::{Context, Device, Event, Kernel, Mem, Platform, Program, Queue, cl};

/// What tells drivers apart at each call.
#[repr(C)]
struct Key {
    /// The first word of all its objects, the address of the driver's functions.
    dispatch: *const c_void,
    /// The platform that it was first seen through.
    platform: cl_platform_id,
}
// SAFETY: two addresses to compare with.
unsafe impl Sync for Key {}
// SAFETY: as above.
unsafe impl Send for Key {}

/// A driver, as one of its platforms describes it.
#[repr(C)]
pub(crate) struct Driver {
    /// First, so that [`LAST`] is a driver's address too.
    key: Key,
    /// Whether some things must not be done by two threads at once (see [`super::waits`], [`super::usm`]).
    pub(super) needs_turns: bool,
    /// The functions for its objects: its own, or those of the OpenCL library.
    pub(super) cl: Cl,
    /// The OpenCL version of the platform: (3, 0).
    pub(crate) version: Version,
    /// The extension functions.
    pub(crate) ext: Ext,
    usm: bool,
    /// Whether it has all functions that entry points jump to.
    can_jump: bool,
    /// Whether it is PoCL, which takes some calls that it cannot stand.
    pub(crate) is_pocl: bool,
    /// Bytes of the platform's answers, from `CL_PLATFORM_PROFILE` on; none where it has none. They never change.
    platform_answers: [Option<NonZeroUsize>; 5],
    /// Whether its objects start with their dispatch pointer. If not, no loader loads it: it is the library itself.
    is_icd: bool,
}

/// An OpenCL version, to compare with a pair of numbers: one comparison at each call that needs it.
#[derive(Clone, Copy)]
pub(crate) struct Version(u32);

impl Version {
    const fn new((major, minor): (u32, u32)) -> Self {
        Self(major << 16 | minor)
    }
}

impl PartialEq<(u32, u32)> for Version {
    fn eq(&self, other: &(u32, u32)) -> bool {
        self.0 == Self::new(*other).0
    }
}

impl PartialOrd<(u32, u32)> for Version {
    fn partial_cmp(&self, other: &(u32, u32)) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(&Self::new(*other).0)
    }
}

impl Driver {
    /// The functions for its objects.
    #[inline(always)]
    pub(crate) fn cl(&self) -> &Cl {
        &self.cl
    }

    /// Whether the driver has cl_intel_unified_shared_memory. Without it, shared virtual memory stands in.
    #[inline(always)]
    pub(crate) fn has_usm(&self) -> bool {
        self.usm
    }
}

/// No driver: no object of any starts with this address, and no platform lies there.
static NONE: Key = Key { dispatch: (&raw const NONE).cast(), platform: (&raw const NONE).cast_mut().cast() };
/// The key of the driver that was asked last, nearly always the only one: a whole [`Driver`], or [`NONE`] before the
/// first and after tear-down.
static LAST: AtomicPtr<Key> = AtomicPtr::new((&raw const NONE).cast_mut());
/// The same for entry points that are a jump (see [`super::jump`]): [`NONE`] also where the driver lacks one of the functions,
/// and when somebody asks for texts.
static OPEN_TO_JUMPS: AtomicPtr<Key> = AtomicPtr::new((&raw const NONE).cast_mut());
/// Every driver seen. They are few and live as long as the process.
static DRIVERS: RwLock<Vec<&'static Driver>> = RwLock::new(Vec::new());

/// The first word of an object.
#[inline(always)]
fn first_word(object: *mut c_void) -> *const c_void {
    // SAFETY: a live OpenCL object, which starts with its dispatch pointer or at least with a word.
    unsafe { object.cast::<*const c_void>().read() }
}

/// The driver asked last, if `is_it` says so of its key.
#[inline(always)]
fn last(is_it: impl FnOnce(&Key) -> bool) -> Option<&'static Driver> {
    driver_at(&LAST, is_it)
}

/// The driver that one of the two places above names, if `is_it` says so of its key.
#[inline(always)]
fn driver_at(place: &AtomicPtr<Key>, is_it: impl FnOnce(&Key) -> bool) -> Option<&'static Driver> {
    let key = place.load(Ordering::Acquire);
    // SAFETY: such a place points to `NONE` or to a leaked driver's first field.
    if !is_it(unsafe { &*key }) {
        return None;
    }
    // SAFETY: what is asked for is no key of `NONE`, so this is a driver's key, stored as a pointer to all of it.
    Some(unsafe { &*key.cast::<Driver>() })
}

/// The driver of an object, if entry points may jump to its functions.
#[inline(always)]
pub(super) fn open_to_jumps(object: *mut c_void) -> Option<&'static Driver> {
    let dispatch = first_word(object);
    driver_at(&OPEN_TO_JUMPS, |key| key.dispatch == dispatch)
}

/// The functions for an object, if its driver is the one that was asked last.
#[inline(always)]
pub(super) fn direct(object: *mut c_void) -> Option<&'static Cl> {
    asked_last(object).map(|driver| &driver.cl)
}

/// The driver of an object, if it is the one that was asked last.
#[inline(always)]
pub(super) fn asked_last(object: *mut c_void) -> Option<&'static Driver> {
    let dispatch = first_word(object);
    last(|key| key.dispatch == dispatch)
}

/// As [`direct`], for a platform.
#[inline(always)]
pub(super) fn direct_platform(platform: cl_platform_id) -> Option<&'static Cl> {
    last(|key| key.platform == platform).map(|driver| &driver.cl)
}

/// The functions for an object of another driver; the library's where the driver is not known yet. None after tear-down
/// and without a library.
#[cold]
pub(super) extern "C" fn elsewhere(object: *mut c_void) -> Option<&'static Cl> {
    let find = || {
        let library = library().ok()?;
        match known(first_word(object)) {
            Some(driver) => {
                remember(driver);
                Some(&driver.cl)
            }
            None => Some(&library.cl),
        }
    };
    catch_unwind(find).ok().flatten()
}

/// As [`elsewhere`], for a platform, through which its driver becomes known.
#[cold]
pub(super) extern "C" fn elsewhere_platform(platform: cl_platform_id) -> Option<&'static Cl> {
    let find = || {
        let library = library().ok()?;
        let known = DRIVERS.read().iter().find(|driver| driver.key.platform == platform).copied();
        let driver = match known {
            Some(driver) => driver,
            // A platform that cannot be asked is one for the library to answer for.
            None => match describe(library, platform).map(keep) {
                Ok(driver) => driver,
                Err(_) => return Some(&library.cl),
            },
        };
        remember(driver);
        Some(&driver.cl)
    };
    catch_unwind(find).ok().flatten()
}

/// The driver of an object, if an object of it was asked before. None after tear-down.
pub(super) fn known_driver(object: *mut c_void) -> Option<&'static Driver> {
    library().ok()?;
    known(first_word(object))
}

/// The driver whose objects start with that word.
fn known(dispatch: *const c_void) -> Option<&'static Driver> {
    DRIVERS.read().iter().find(|driver| driver.key.dispatch == dispatch || !driver.is_icd).copied()
}

/// Keeps a driver for the rest of the process. Two threads may have asked for one at the same time.
fn keep(driver: Driver) -> &'static Driver {
    let mut drivers = DRIVERS.write();
    match drivers.iter().find(|known| known.key.platform == driver.key.platform) {
        Some(known) => known,
        None => {
            let driver: &'static Driver = Box::leak(Box::new(driver));
            drivers.push(driver);
            driver
        }
    }
}

/// The next call asks this driver first, unless tear-down came in between.
fn remember(driver: &'static Driver) {
    let key = std::ptr::from_ref(driver).cast_mut().cast();
    LAST.store(key, Ordering::SeqCst);
    if driver.can_jump {
        OPEN_TO_JUMPS.store(key, Ordering::SeqCst);
    } else {
        stop_jumps();
    }
    if last_error::is_wanted() {
        stop_jumps();
    }
    if fence::is_torn_down() {
        forget();
    }
}

/// No driver was asked last: the next call looks for its driver, and finds none after tear-down.
pub(crate) fn forget() {
    library::forget();
    LAST.store((&raw const NONE).cast_mut(), Ordering::SeqCst);
    stop_jumps();
}

/// No entry point jumps, until another driver is asked.
pub(super) fn stop_jumps() {
    OPEN_TO_JUMPS.store((&raw const NONE).cast_mut(), Ordering::SeqCst);
}

/// Objects whose platform can be asked for.
pub(crate) trait Rooted: Sized {
    /// The platform, asked from the driver.
    fn platform(&self) -> Result<cl_platform_id>;

    /// The driver of this object, if it is the one that was asked last.
    #[inline(always)]
    fn known_driver(&self) -> Option<&'static Driver> {
        asked_last(core::ptr::from_ref(self).cast_mut().cast())
    }

    /// The driver of this object.
    #[inline(always)]
    fn driver(&self) -> Result<&'static Driver> {
        match self.known_driver() {
            Some(driver) => Ok(driver),
            None => find(self),
        }
    }
}

/// A C function for the sake of the stubs, as [`cold_error`] is.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this file only")]
extern "C" fn find<T: Rooted>(object: &T) -> Result<&'static Driver> {
    let find = || {
        let library = library()?;
        let driver = match known(first_word(core::ptr::from_ref(object).cast_mut().cast())) {
            Some(driver) => driver,
            // Asked without the lock: drivers may take their time.
            None => keep(describe(library, object.platform()?)?),
        };
        remember(driver);
        Ok(driver)
    };
    let unknown =
        || cold_error(|| Error::new(ErrorCode::UNKNOWN, "the driver of this object could not be asked"));
    catch_unwind(AssertUnwindSafe(find)).unwrap_or_else(|panic| {
        // The payload's own destructor may panic too.
        std::mem::forget(panic);
        Err(unknown())
    })
}

fn describe(library: &'static Library, platform: cl_platform_id) -> Result<Driver> {
    let ask = |name| {
        let mut size = 0;
        library.cl.clGetPlatformInfo(platform, name, 0, null_mut(), &mut size)?;
        let mut text = vec![0_u8; size + 1];
        library.cl.clGetPlatformInfo(platform, name, size, text.as_mut_ptr().cast(), null_mut())?;
        Ok(CStr::from_bytes_until_nul(&text).unwrap_or_default().to_owned())
    };
    let version = parse_version(&ask(CL_PLATFORM_VERSION)?);
    let extensions = ask(CL_PLATFORM_EXTENSIONS)?;
    let is_pocl = ask(CL_PLATFORM_NAME)?.to_bytes() == b"Portable Computing Language";
    let needs_turns = is_intel_cpu(library, platform, &ask(CL_PLATFORM_VENDOR)?);
    let is_icd = extensions.to_bytes().split(|byte| *byte == b' ').any(|name| name == b"cl_khr_icd");
    let dispatch = if is_icd { first_word(platform) } else { NONE.dispatch };
    let table = if is_icd { dispatch::table(library, dispatch, platform, version) } else { None };
    let way = if table.is_some() { "directly" } else { "through the library" };
    log::info!("driver of platform {platform:p}: OpenCL {}.{}, called {way}", version.0, version.1);
    let cl = Cl::resolve(|name| {
        let own = table.as_ref().map_or(std::ptr::null(), |table| table.function(name));
        if own.is_null() { library.function(name) } else { own }
    });
    let ext = Ext::resolve(|name| library.cl.extension_function(platform, name));
    let usm = ext.has("clHostMemAllocINTEL")
        || ext.has("clDeviceMemAllocINTEL")
        || ext.has("clSharedMemAllocINTEL");
    let size = |index| {
        let mut size = 0;
        let asked =
            library.cl.clGetPlatformInfo(platform, CL_PLATFORM_PROFILE + index, 0, null_mut(), &mut size);
        asked.ok().and(NonZeroUsize::new(size))
    };
    let platform_answers = [0, 1, 2, 3, 4].map(size);
    let version = Version::new(version);
    let key = Key { dispatch, platform };
    // A table has all functions that are none of its own.
    let can_jump = jump::FUNCTIONS.iter().all(|name| cl.has(name) && (!usm || ext.has(name)));
    Ok(Driver { key, needs_turns, cl, version, ext, usm, can_jump, is_pocl, platform_answers, is_icd })
}

/// Whether it is Intel's runtime for processors, or its emulation of FPGAs, which is the same one.
fn is_intel_cpu(library: &Library, platform: cl_platform_id, vendor: &CStr) -> bool {
    let kinds = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR;
    let mut count = 0;
    let asked = library.cl.clGetDeviceIDs(platform, kinds, 0, null_mut(), &mut count);
    asked.is_ok() && count > 0 && vendor.to_bytes().starts_with(b"Intel")
}

/// "OpenCL 3.0 LINUX" is (3, 0). What cannot be read counts as 1.2, the least that every driver has.
pub(crate) fn parse_version(text: &CStr) -> (u32, u32) {
    let text = text.to_string_lossy();
    let number = text.strip_prefix("OpenCL ").unwrap_or(&text);
    let mut parts = number.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor),
        _ => (1, 2),
    }
}

impl Platform {
    /// The platform's driver and the bytes of an answer of it, where they are known.
    #[inline(always)]
    pub(crate) fn answer_size(&self, name: cl_platform_info) -> Option<(&'static Driver, NonZeroUsize)> {
        let driver = last(|key| key.platform == self.cl())?;
        let index = name.wrapping_sub(CL_PLATFORM_PROFILE) as usize;
        Some((driver, *driver.platform_answers.get(index)?.as_ref()?))
    }
}

impl Rooted for Platform {
    fn platform(&self) -> Result<cl_platform_id> {
        Ok(self.cl())
    }
}

impl Rooted for Device {
    fn platform(&self) -> Result<cl_platform_id> {
        let mut platform: cl_platform_id = null_mut();
        let room = (&raw mut platform).cast::<c_void>();
        cl().clGetDeviceInfo(self.cl(), CL_DEVICE_PLATFORM, size_of::<cl_platform_id>(), room, null_mut())?;
        Ok(platform)
    }
}

impl Rooted for Context {
    fn platform(&self) -> Result<cl_platform_id> {
        let devices = self.devices()?;
        match devices.first() {
            Some(device) => device.platform(),
            None => Err(super::driver_error("clGetContextInfo", CL_INVALID_CONTEXT)),
        }
    }
}

impl Context {
    /// The context's devices.
    pub(crate) fn devices(&self) -> Result<Vec<&Device>> {
        let cl = cl();
        let mut bytes = 0;
        cl.clGetContextInfo(self.cl(), CL_CONTEXT_DEVICES, 0, null_mut(), &mut bytes)?;
        let mut devices: Vec<cl_device_id> = vec![null_mut(); bytes / size_of::<cl_device_id>()];
        cl.clGetContextInfo(self.cl(), CL_CONTEXT_DEVICES, bytes, devices.as_mut_ptr().cast(), null_mut())?;
        // SAFETY: live devices, kept by the context.
        Ok(devices.into_iter().filter_map(|device| unsafe { device.cast::<Device>().as_ref() }).collect())
    }
}

macro_rules! rooted_in_context {
    ($($object:ident $query:ident $param:ident;)*) => { $(
        impl $object {
            /// The object's context.
            pub(crate) fn context(&self) -> Result<&Context> {
                let mut context: cl_context = null_mut();
                let room = (&raw mut context).cast::<c_void>();
                cl().$query(self.cl(), $param, size_of::<cl_context>(), room, null_mut())?;
                // SAFETY: a live context, kept by the object.
                unsafe { context.cast::<Context>().as_ref() }
                    .ok_or_else(|| super::driver_error(stringify!($query), CL_INVALID_CONTEXT))
            }
        }

        impl Rooted for $object {
            fn platform(&self) -> Result<cl_platform_id> {
                self.context()?.platform()
            }
        }
    )* };
}

rooted_in_context! {
    Queue clGetCommandQueueInfo CL_QUEUE_CONTEXT;
    Event clGetEventInfo CL_EVENT_CONTEXT;
    Mem clGetMemObjectInfo CL_MEM_CONTEXT;
    Program clGetProgramInfo CL_PROGRAM_CONTEXT;
    Kernel clGetKernelInfo CL_KERNEL_CONTEXT;
}

#[cfg(test)]
mod tests {
    use super::{Version, parse_version};

    #[test]
    fn versions_are_in_order() {
        let version = Version::new((2, 1));
        for not_newer in [(1, 2), (2, 0), (2, 1)] {
            assert!(version >= not_newer, "{not_newer:?}");
        }
        for newer in [(2, 2), (3, 0)] {
            assert!(version < newer, "{newer:?}");
        }
    }

    #[test]
    fn a_version_text_gives_its_two_numbers() {
        assert_eq!(parse_version(c"OpenCL 3.0 LINUX"), (3, 0));
        assert_eq!(parse_version(c"OpenCL 2.0 pocl 3.1+debian  Linux"), (2, 0));
    }

    #[test]
    fn an_unreadable_version_counts_as_1_2() {
        assert_eq!(parse_version(c"OpenCL"), (1, 2));
        assert_eq!(parse_version(c""), (1, 2));
    }
}
