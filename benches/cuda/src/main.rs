//! Time of the plugin's calls beside plain calls of the driver, in one process, by alternate sampling.
//!
//! Prints a table; writes JSON to the file that the first argument names. `--repeat WAY N` only does one of the plugin's
//! ways, N times and untimed, for tools that count instructions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark fails by panicking, and prints its table"
)]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::time::Instant;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use sycl_pi_core::*;
use testing_cuda::{Fixture, fixture, ok, table};

type Handle = *mut c_void;

/// Calls a function of the driver, which must succeed.
macro_rules! cu {
    ($driver:ident.$name:ident($($arg:expr),*)) => {
        // SAFETY: as `driver!` declares it; live handles; what is read or written outlives the command.
        assert_eq!(unsafe { ($driver.$name)($($arg),*) }, 0, stringify!($name))
    };
}

/// Calls a function of the plugin's table, which must succeed.
macro_rules! pi {
    ($function:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: live handles, and null where that is allowed; what is read or written outlives the command.
        assert_eq!(unsafe { $function($($arg),*) }, 0, stringify!($function))
    };
}

mod marks;

use marks::Pool;

macro_rules! driver {
    ($($name:ident($($ty:ty),*);)*) => {
        /// The driver's functions that are timed.
        #[allow(non_snake_case)]
        struct Driver {
            library: Library,
            $($name: unsafe extern "C" fn($($ty),*) -> c_uint,)*
        }

        impl Driver {
            fn open() -> Self {
                // SAFETY: a CUDA driver may be loaded into any process, from any thread.
                let library = unsafe { Library::open(Some("libcuda.so.1"), RTLD_NOW | RTLD_LOCAL) }.unwrap();
                // SAFETY: `driver!` lists each function with its signature; the library stays beside them.
                Self { $($name: *unsafe { library.get(concat!(stringify!($name), "\0")) }.unwrap(),)* library }
            }

            /// A function that not every driver has.
            fn find<F: Copy>(&self, name: &CStr) -> Option<F> {
                // SAFETY: callers name the function's own signature; the library is never closed.
                unsafe { self.library.get::<F>(name.to_bytes_with_nul()) }.ok().map(|symbol| *symbol)
            }
        }
    };
}

driver! {
    cuInit(c_uint);
    cuCtxSetCurrent(Handle);
    cuStreamCreate(*mut Handle, c_uint);
    cuStreamSynchronize(Handle);
    cuModuleLoadData(*mut Handle, *const c_void);
    cuModuleGetFunction(*mut Handle, Handle, *const c_char);
    cuModuleGetGlobal_v2(*mut u64, *mut usize, Handle, *const c_char);
    cuLaunchKernel(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut Handle, *mut Handle);
    cuMemcpyAsync(u64, u64, usize, Handle);
    cuEventCreate(*mut Handle, c_uint);
    cuEventRecord(Handle, Handle);
    cuEventDestroy_v2(Handle);
    cuCtxGetCurrent(*mut Handle);
    cuDriverGetVersion(*mut c_int);
}

/// Another way to do it, the plugin's mostly, and what to do.
type Way<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// One thing to time: how often in a row, the driver's way, and other ways.
struct Case<'a> {
    name: &'static str,
    count: usize,
    driver: Box<dyn FnMut() + 'a>,
    ways: Vec<Way<'a>>,
    /// Whose ways those are.
    whose: &'static str,
}

fn time(count: usize, work: &mut dyn FnMut(), after: &dyn Fn()) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        work();
    }
    let nanoseconds = start.elapsed().as_nanos() as f64 / count as f64;
    after();
    nanoseconds
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

const PLUGIN: &str = "plugin";

/// Rounds that count; in each, everything is done `count` times, the driver's way and the plugin's in turns.
const ROUNDS: usize = 301;

fn main() {
    let driver: &'static Driver = Box::leak(Box::new(Driver::open()));
    cu!(driver.cuInit(0));
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let (src, dst) = (fixture.device_memory(64), fixture.device_memory(64));
    let table = table();
    let mut native = 0;
    ok!(piextContextGetNativeHandle(fixture.context, &mut native));
    let context = std::ptr::with_exposed_provenance_mut::<c_void>(native);
    cu!(driver.cuCtxSetCurrent(context));
    let mut stream = null_mut();
    cu!(driver.cuStreamCreate(&mut stream, 1));
    let mut module = null_mut();
    let image = CString::new(fixture::image("kernels"));
    let bytes = fixture::image("kernels");
    let start = image.as_ref().map_or(bytes.as_ptr().cast(), |text| text.as_ptr().cast());
    cu!(driver.cuModuleLoadData(&mut module, start));
    let mut function = null_mut();
    cu!(driver.cuModuleGetFunction(&mut function, module, c"noop".as_ptr()));
    let (mut variable, mut size) = (0, 0);
    cu!(driver.cuModuleGetGlobal_v2(&mut variable, &mut size, module, c"table".as_ptr()));
    let (queue, raw_kernel) = (fixture.queue, kernel.raw);
    let values = [7_u8; 64];
    let host = values.as_ptr();
    let (global, local) = (32_usize, 32_usize);
    let (to, from) = (dst.start.expose_provenance() as u64, src.start.expose_provenance() as u64);

    let launch = table.piEnqueueKernelLaunch.unwrap();
    let copy = table.piextUSMEnqueueMemcpy.unwrap();
    let write = table.piextEnqueueDeviceGlobalVariableWrite.unwrap();
    let marker = table.piEnqueueEventsWait.unwrap();
    let wait = table.piEventsWait.unwrap();
    let release = table.piEventRelease.unwrap();
    let finish = table.piQueueFinish.unwrap();

    let run = move |event: *mut pi_event| {
        pi!(launch(queue, raw_kernel, 1, null(), &global, &local, 0, null(), event));
    };
    let wait_and_release = move |event: pi_event| {
        pi!(wait(1, &event));
        pi!(release(event));
    };
    let raw_launch =
        move || cu!(driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, null_mut(), null_mut()));
    // The event of one launch is released behind the next.
    let hold = || {
        let mut held: pi_event = null_mut();
        Box::new(move || {
            let mut event = null_mut();
            run(&mut event);
            if !held.is_null() {
                pi!(release(held));
            }
            held = event;
        })
    };
    let pool = Pool::new(driver, 2, 64);
    let mut cases = vec![
        Case {
            name: "launch",
            count: 50,
            driver: Box::new(raw_launch),
            whose: PLUGIN,
            ways: vec![
                ("no event", Box::new(move || run(null_mut()))),
                (
                    "event, released at once",
                    Box::new(move || {
                        let mut event = null_mut();
                        run(&mut event);
                        pi!(release(event));
                    }),
                ),
                ("event, held until the next", hold()),
            ],
        },
        // The same done without any plugin: an event of a pool is recorded behind each launch.
        Case {
            name: "launch + event recorded",
            count: 50,
            driver: Box::new(move || {
                raw_launch();
                cu!(driver.cuEventRecord(pool.next(), stream));
            }),
            whose: PLUGIN,
            ways: vec![("event, held until the next", hold())],
        },
        marks::case(driver, function, stream),
        Case {
            name: "launch + wait",
            count: 50,
            driver: Box::new(move || {
                raw_launch();
                cu!(driver.cuStreamSynchronize(stream));
            }),
            whose: PLUGIN,
            ways: vec![
                (
                    "event waited for",
                    Box::new(move || {
                        let mut event = null_mut();
                        run(&mut event);
                        wait_and_release(event);
                    }),
                ),
                (
                    "queue finished",
                    Box::new(move || {
                        run(null_mut());
                        pi!(finish(queue));
                    }),
                ),
            ],
        },
        Case {
            name: "64-byte device copy + wait",
            count: 50,
            driver: Box::new(move || {
                cu!(driver.cuMemcpyAsync(to, from, 64, stream));
                cu!(driver.cuStreamSynchronize(stream));
            }),
            whose: PLUGIN,
            ways: vec![(
                "copy, event waited for",
                Box::new(|| {
                    let mut event = null_mut();
                    let (dst, src) = (dst.start, src.start);
                    pi!(copy(queue, 0, dst, src, 64, 0, null(), &mut event));
                    wait_and_release(event);
                }),
            )],
        },
        Case {
            name: "64-byte variable write + wait",
            count: 50,
            driver: Box::new(move || {
                cu!(driver.cuMemcpyAsync(variable, host.expose_provenance() as u64, 64, stream));
                cu!(driver.cuStreamSynchronize(stream));
            }),
            whose: PLUGIN,
            ways: vec![
                (
                    "blocking",
                    Box::new(|| {
                        let name = c"table".as_ptr();
                        pi!(write(queue, program.raw, name, 1, 64, 0, host.cast(), 0, null(), null_mut()));
                    }),
                ),
                (
                    "write, event waited for",
                    Box::new(|| {
                        let mut event = null_mut();
                        let name = c"table".as_ptr();
                        pi!(write(queue, program.raw, name, 0, 64, 0, host.cast(), 0, null(), &mut event));
                        wait_and_release(event);
                    }),
                ),
            ],
        },
        Case {
            name: "event create + record + destroy",
            count: 50,
            driver: Box::new(move || {
                let mut event = null_mut();
                cu!(driver.cuEventCreate(&mut event, 2));
                cu!(driver.cuEventRecord(event, stream));
                cu!(driver.cuEventDestroy_v2(event));
            }),
            whose: PLUGIN,
            ways: vec![(
                "marker, released",
                Box::new(move || {
                    let mut event = null_mut();
                    pi!(marker(queue, 0, null(), &mut event));
                    pi!(release(event));
                }),
            )],
        },
        Case {
            name: "current context asked",
            count: 500,
            driver: Box::new(move || {
                let mut current = null_mut();
                cu!(driver.cuCtxGetCurrent(&mut current));
            }),
            ways: Vec::new(),
            whose: PLUGIN,
        },
    ];
    let drain = || {
        cu!(driver.cuStreamSynchronize(stream));
        pi!(finish(queue));
    };
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, word, way, count] = &arguments[..]
        && word == "--repeat"
    {
        let ways = cases.iter_mut().flat_map(|case| &mut case.ways);
        let (_, work) = ways.into_iter().find(|(name, _)| name == way).expect("a way of the plugin's");
        (0..count.parse::<usize>().unwrap()).for_each(|_| work());
        drain();
        std::process::exit(0);
    }
    let mut version = 0;
    cu!(driver.cuDriverGetVersion(&mut version));
    let name = device_name(fixture.device);
    println!(
        "{name}, driver {version}; nanoseconds per call, medians of {ROUNDS} rounds; added is the median of each round's difference"
    );
    let mut json = Vec::new();
    for case in &mut cases {
        let mut of_driver = Vec::new();
        let mut of_plugin = vec![Vec::new(); case.ways.len()];
        let mut added = of_plugin.clone();
        for round in 0..ROUNDS + 3 {
            let base = time(case.count, &mut case.driver, &drain);
            if round >= 3 {
                of_driver.push(base);
            }
            for (index, (_, work)) in case.ways.iter_mut().enumerate() {
                let value = time(case.count, work, &drain);
                if round >= 3 {
                    of_plugin[index].push(value);
                    added[index].push(value - base);
                }
            }
        }
        let base = median(&mut of_driver);
        println!("{:34} driver {base:9.1}", case.name);
        json.push(format!("{{\"case\":\"{}\",\"way\":\"driver\",\"ns\":{base:.1}}}", case.name));
        for (index, (way, _)) in case.ways.iter().enumerate() {
            let (value, more) = (median(&mut of_plugin[index]), median(&mut added[index]));
            println!("{:34} {} {value:9.1}  {more:+8.1}  {way}", "", case.whose);
            json.push(format!(
                "{{\"case\":\"{}\",\"way\":\"{way}\",\"ns\":{value:.1},\"added\":{more:.1}}}",
                case.name
            ));
        }
    }
    let bandwidth = bandwidth(&fixture, driver, stream);
    println!("256 MiB pinned to device: driver {:.2} GB/s, plugin {:.2} GB/s", bandwidth.0, bandwidth.1);
    json.push(format!(
        "{{\"case\":\"256 MiB pinned to device\",\"driver\":{:.3},\"plugin\":{:.3}}}",
        bandwidth.0, bandwidth.1
    ));
    if let Some(path) = std::env::args_os().nth(1) {
        std::fs::write(path, format!("[{}]\n", json.join(",\n"))).unwrap();
    }
    std::process::exit(0);
}

fn device_name(device: pi_device) -> String {
    let mut text = [0_u8; 256];
    ok!(piDeviceGetInfo(device, PI_DEVICE_INFO_NAME, 256, text.as_mut_ptr().cast(), null_mut()));
    CStr::from_bytes_until_nul(&text).unwrap().to_string_lossy().into_owned()
}

/// GB/s of a large copy, by the driver and by the plugin.
fn bandwidth(fixture: &Fixture, driver: &Driver, stream: Handle) -> (f64, f64) {
    let size = if fixture::is_software() { 1 << 20 } else { 256 << 20 };
    let (host, device) = (fixture.host_memory(size), fixture.device_memory(size));
    let (to, from) = (device.start.expose_provenance() as u64, host.start.expose_provenance() as u64);
    let mut rates = (Vec::new(), Vec::new());
    for _ in 0..11 {
        let start = Instant::now();
        cu!(driver.cuMemcpyAsync(to, from, size, stream));
        cu!(driver.cuStreamSynchronize(stream));
        rates.0.push(size as f64 / start.elapsed().as_nanos() as f64);
        let start = Instant::now();
        fixture.copy(device.start, host.start, size);
        rates.1.push(size as f64 / start.elapsed().as_nanos() as f64);
    }
    (median(&mut rates.0), median(&mut rates.1))
}
