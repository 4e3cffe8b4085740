//! The plugin's calls compared with the driver's.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use testing_cuda::{Fixture, ok, table};

use crate::driver::{Driver, Own};
use crate::marks::{self, Pool};
use crate::measure::{self, Case};
use crate::rates;

/// Calls a function of the plugin's table, which must succeed.
macro_rules! pi {
    ($function:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: live handles, and null where that is allowed. Memory that is read or written outlives the command.
        assert_eq!(unsafe { $function($($arg),*) }, 0, stringify!($function))
    };
}

const PLUGIN: &str = "plugin";

/// Performs what the command line requests. Returns each number as JSON.
pub(crate) fn run(driver: &'static Driver, repeated: Option<(&str, usize)>) -> Vec<String> {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let (src, dst) = (fixture.device_memory(64), fixture.device_memory(64));
    let table = table();
    let mut native = 0;
    ok!(piextContextGetNativeHandle(fixture.context, &mut native));
    let context = std::ptr::with_exposed_provenance_mut::<c_void>(native);
    let Own { stream, module, variable } = Own::new(driver, context);
    let function = driver.function(module, c"noop");
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
    // Each launch's event is released after the next launch.
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
        // As a comparison, the driver alone: an event of a pool is recorded after each launch.
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
    if let Some((way, count)) = repeated {
        measure::repeat(&mut cases, way, count);
        drain();
        return Vec::new();
    }
    let title = format!("{}, driver {}", device_name(fixture.device), driver.version());
    let mut json = measure::run(&title, &mut cases, &drain);
    json.extend(rates::run(&fixture, driver, stream));
    json
}

fn device_name(device: pi_device) -> String {
    let mut text = [0_u8; 256];
    ok!(piDeviceGetInfo(device, PI_DEVICE_INFO_NAME, 256, text.as_mut_ptr().cast(), null_mut()));
    CStr::from_bytes_until_nul(&text).unwrap().to_string_lossy().into_owned()
}
