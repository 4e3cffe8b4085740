//! Ways to mark a point in a stream after a launch with the driver alone, which give the minimum cost of a held event.

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::driver::{Driver, Handle};
use crate::measure::{Case, Way};

/// The number of events that are used in turn, like those of a pool.
const POOL: usize = 64;
/// Flags of `cuEventCreate`.
const BLOCKING_SYNC: c_uint = 1;
const DISABLE_TIMING: c_uint = 2;
/// `CU_LAUNCH_ATTRIBUTE_...`: the type of an event in a launch's attributes.
const PROGRAMMATIC_EVENT: c_uint = 7;
const LAUNCH_COMPLETION_EVENT: c_uint = 12;
/// `CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM`.
const PER_THREAD: u64 = 2;

/// `CUlaunchAttribute`.
#[repr(C)]
struct Attribute {
    id: c_uint,
    pad: c_uint,
    event: Handle,
    flags: [c_int; 14],
}

/// `CUlaunchConfig`.
#[repr(C)]
struct Config {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: Handle,
    attributes: *mut Attribute,
    count: c_uint,
}

/// Returns the plain launch, and the same with a mark after it.
///
/// Skips functions that a driver lacks.
pub(crate) fn case(driver: &'static Driver, function: Handle, stream: Handle) -> Case<'static> {
    let launch = move || {
        cu!(driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, null_mut(), null_mut()));
    };
    let record = move |flags: c_uint, count: usize, how: Record| -> Box<dyn FnMut()> {
        let pool = Pool::new(driver, flags, count);
        Box::new(move || {
            launch();
            // SAFETY: a live event and a live stream.
            assert_eq!(unsafe { how(pool.next(), stream) }, 0);
        })
    };
    let plain = driver.cuEventRecord;
    let mut ways: Vec<Way<'static>> = vec![
        ("cuEventRecord, one event", record(DISABLE_TIMING, 1, plain)),
        ("cuEventRecord, 64 in turn", record(DISABLE_TIMING, POOL, plain)),
        ("the same, CU_EVENT_BLOCKING_SYNC", record(DISABLE_TIMING | BLOCKING_SYNC, POOL, plain)),
        ("the same, with times", record(0, POOL, plain)),
    ];
    if let Some(per_thread) = driver.per_thread_record() {
        ways.push(("the same, per-thread default stream", record(DISABLE_TIMING, POOL, per_thread)));
    }
    if let Some(with_flags) = driver.find::<WithFlags>(c"cuEventRecordWithFlags") {
        let pool = Pool::new(driver, DISABLE_TIMING, POOL);
        ways.push((
            "cuEventRecordWithFlags, 64 in turn",
            Box::new(move || {
                launch();
                // SAFETY: a live event and a live stream. 0 means no flags.
                assert_eq!(unsafe { with_flags(pool.next(), stream, 0) }, 0);
            }),
        ));
    }
    if let Some(launch_ex) = driver.find::<LaunchEx>(c"cuLaunchKernelEx") {
        let ex = move |id: Option<c_uint>| -> Box<dyn FnMut()> {
            let pool = Pool::new(driver, DISABLE_TIMING, POOL);
            Box::new(move || {
                let event = pool.next();
                let mut attribute = Attribute { id: id.unwrap_or(0), pad: 0, event, flags: [0; 14] };
                let config = Config {
                    grid: [1; 3],
                    block: [32, 1, 1],
                    shared: 0,
                    stream,
                    attributes: &raw mut attribute,
                    count: id.is_some().into(),
                };
                // SAFETY: the attribute outlives the call, and the kernel has no arguments.
                assert_eq!(unsafe { launch_ex(&config, function, null_mut(), null_mut()) }, 0);
            })
        };
        ways.push(("cuLaunchKernelEx, no event", ex(None)));
        ways.push(("cuLaunchKernelEx, programmatic event", ex(Some(PROGRAMMATIC_EVENT))));
        ways.push(("cuLaunchKernelEx, event of the start", ex(Some(LAUNCH_COMPLETION_EVENT))));
    }
    if let Some(query) = driver.find::<Query>(c"cuStreamQuery") {
        ways.push((
            "cuStreamQuery, no event",
            Box::new(move || {
                launch();
                // Whether it is ready does not matter here. SAFETY: a live stream.
                unsafe { query(stream) };
            }),
        ));
    }
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    ways.push((
        "8 atomic additions, no event",
        Box::new(move || {
            launch();
            for _ in 0..8 {
                COUNTER.fetch_add(1, Ordering::Relaxed);
            }
        }),
    ));
    Case { name: "launch + mark, driver alone", count: 50, driver: Box::new(launch), ways, whose: "driver" }
}

type Record = unsafe extern "C" fn(Handle, Handle) -> c_uint;
type Query = unsafe extern "C" fn(Handle) -> c_uint;
type WithFlags = unsafe extern "C" fn(Handle, Handle, c_uint) -> c_uint;
type LaunchEx = unsafe extern "C" fn(*const Config, Handle, *mut Handle, *mut Handle) -> c_uint;
type GetProc = unsafe extern "C" fn(*const c_char, *mut *const c_void, c_int, u64, *mut c_int) -> c_uint;

impl Driver {
    /// Returns the variant of `cuEventRecord` for per-thread default streams.
    fn per_thread_record(&self) -> Option<Record> {
        let get = self.find::<GetProc>(c"cuGetProcAddress_v2")?;
        let (mut address, mut status) = (std::ptr::null(), 0);
        // SAFETY: a NUL-terminated text, and room for the address and the status.
        let code = unsafe { get(c"cuEventRecord".as_ptr(), &mut address, 12000, PER_THREAD, &mut status) };
        (code == 0 && !address.is_null())
            // SAFETY: the driver's address of a function with the signature of `cuEventRecord`, and not null.
            .then(|| unsafe { std::mem::transmute::<*const c_void, Record>(address) })
    }
}

/// Events that are used in turn.
pub(crate) struct Pool {
    events: Vec<Handle>,
    at: Cell<usize>,
}

impl Pool {
    pub(crate) fn new(driver: &Driver, flags: c_uint, count: usize) -> Self {
        let event = |_| {
            let mut event = null_mut();
            cu!(driver.cuEventCreate(&mut event, flags));
            event
        };
        Self { events: (0..count).map(event).collect(), at: Cell::new(0) }
    }

    pub(crate) fn next(&self) -> Handle {
        let at = (self.at.get() + 1) % self.events.len();
        self.at.set(at);
        self.events[at]
    }
}
