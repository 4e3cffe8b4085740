//! An adapter's calls compared with the driver's.

use std::ffi::{CStr, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_cuda::fixture;
use testing_ur_host::{Adapter, Calls, Layout};

use crate::driver::{Driver, Own};
use crate::marks::Pool;
use crate::measure::{self, Case};

/// Calls a function of the adapter, which must succeed.
macro_rules! ur {
    ($function:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: live handles, and null where that is allowed. Memory that is read or written outlives the command.
        assert_eq!(unsafe { $function($($arg),*) }, 0, stringify!($function))
    };
    ($calls:ident.$function:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: live handles, and null where that is allowed. Memory that is read or written outlives the command.
        assert_eq!(unsafe { $calls.$function($($arg),*) }, 0, stringify!($function))
    };
}

const ADAPTER: &str = "adapter";
/// The number of work-items in a launch, all in one work-group.
const ITEMS: usize = 32;
static SIZE: [usize; 3] = [ITEMS, 1, 1];
/// The kernel's number argument.
static FACTOR: i32 = 3;

/// The adapter's objects. None is released, because the process then exits.
struct Objects {
    device: ur_device_handle_t,
    context: ur_context_handle_t,
    queue: ur_queue_handle_t,
    program: ur_program_handle_t,
    /// A kernel with three arguments: a number and two addresses.
    kernel: ur_kernel_handle_t,
    from: *mut c_void,
    to: *mut c_void,
}

impl Objects {
    fn new(calls: &Calls) -> Self {
        let (mut adapter, mut platform, mut device) = (null_mut(), null_mut(), null_mut());
        ur!(calls.urAdapterGet(1, &mut adapter, null_mut()));
        ur!(calls.urPlatformGet(adapter, 1, &mut platform, null_mut()));
        ur!(calls.urDeviceGet(platform, UR_DEVICE_TYPE_ALL, 1, &mut device, null_mut()));
        let (mut context, mut queue) = (null_mut(), null_mut());
        ur!(calls.urContextCreate(1, &device, null(), &mut context));
        ur!(calls.urQueueCreate(context, device, null(), &mut queue));
        let (mut program, mut kernel) = (null_mut(), null_mut());
        let image = fixture::image("kernels");
        let (mut size, mut start) = (image.len(), image.as_ptr());
        let (sizes, starts) = (&raw mut size, &raw mut start);
        ur!(calls.urProgramCreateWithBinary(context, 1, &mut device, sizes, starts, null(), &mut program));
        ur!(calls.urProgramBuild(context, program, null()));
        ur!(calls.urKernelCreate(program, c"scale".as_ptr(), &mut kernel));
        let memory = || {
            let mut memory = null_mut();
            ur!(calls.urUSMDeviceAlloc(context, device, null(), null_mut(), 4 * ITEMS, &mut memory));
            memory
        };
        let (from, to) = (memory(), memory());
        Self { device, context, queue, program, kernel, from, to }
    }

    fn device_name(&self, calls: &Calls) -> String {
        let mut text = [0_u8; 256];
        let place = text.as_mut_ptr().cast();
        ur!(calls.urDeviceGetInfo(self.device, UR_DEVICE_INFO_NAME, 256, place, null_mut()));
        CStr::from_bytes_until_nul(&text).unwrap().to_string_lossy().into_owned()
    }

    /// Returns a launch with its three arguments, in the way of the layout's runtimes.
    fn launch(&'static self, calls: &'static Calls) -> Box<dyn Fn(*mut ur_event_handle_t)> {
        let (queue, kernel) = (self.queue, self.kernel);
        if calls.layout() < Layout::V2026_1_1 {
            let set_value = calls.urKernelSetArgValue.unwrap();
            let set_pointer = calls.urKernelSetArgPointer.unwrap();
            let launch = calls.urEnqueueKernelLaunch_until_2025_3.expect("the layout is of 2025.3");
            return Box::new(move |event| {
                let size = SIZE.as_ptr();
                ur!(set_value(kernel, 0, 4, null(), (&raw const FACTOR).cast()));
                ur!(set_pointer(kernel, 1, null(), self.from));
                ur!(set_pointer(kernel, 2, null(), self.to));
                ur!(launch(queue, kernel, 1, null(), size, size, 0, null(), 0, null(), event));
            });
        }
        let launch = calls.urEnqueueKernelLaunchWithArgsExp.unwrap();
        Box::new(move |event| {
            let size = SIZE.as_ptr();
            let value = ur_exp_kernel_arg_value_t { value: (&raw const FACTOR).cast() };
            let address = |pointer: *mut c_void| ur_exp_kernel_arg_value_t { pointer };
            let argument = |index, type_, size, value| ur_exp_kernel_arg_properties_t {
                stype: UR_STRUCTURE_TYPE_EXP_KERNEL_ARG_PROPERTIES,
                pNext: null_mut(),
                type_,
                index,
                size,
                value,
            };
            let arguments = [
                argument(0, UR_EXP_KERNEL_ARG_TYPE_VALUE, 4, value),
                argument(1, UR_EXP_KERNEL_ARG_TYPE_POINTER, 8, address(self.from)),
                argument(2, UR_EXP_KERNEL_ARG_TYPE_POINTER, 8, address(self.to)),
            ];
            let list = arguments.as_ptr();
            ur!(launch(queue, kernel, 1, null(), size, size, 3, list, null(), 0, null(), event));
        })
    }
}

/// Performs what the command line requests. Returns each number as JSON.
pub(crate) fn run(
    driver: &'static Driver,
    adapter: &Path,
    layout: Layout,
    repeated: Option<(&str, usize)>,
) -> Vec<String> {
    // SAFETY: an adapter, named by the person who measures it.
    let adapter = unsafe { Adapter::open(adapter) }.unwrap();
    let calls: &'static Calls = Box::leak(Box::new(adapter.connect(layout).unwrap().calls));
    let objects: &'static Objects = Box::leak(Box::new(Objects::new(calls)));
    let mut native = 0;
    ur!(calls.urContextGetNativeHandle(objects.context, &mut native));
    let own = Own::new(driver, std::ptr::with_exposed_provenance_mut(native));
    let (stream, queue) = (own.stream, objects.queue);
    let finish = calls.urQueueFinish.unwrap();
    let drain = || {
        cu!(driver.cuStreamSynchronize(stream));
        ur!(finish(queue));
    };
    let mut cases = launches(driver, calls, objects, &own);
    cases.extend(copies(driver, calls, objects, &own));
    if let Some((way, count)) = repeated {
        measure::repeat(&mut cases, way, count);
        drain();
        return Vec::new();
    }
    let (name, version) = (objects.device_name(calls), driver.version());
    measure::run(&format!("{name}, driver {version}, layout {}", layout.name()), &mut cases, &drain)
}

fn launches(
    driver: &'static Driver,
    calls: &'static Calls,
    objects: &'static Objects,
    own: &Own,
) -> Vec<Case<'static>> {
    let (stream, function) = (own.stream, driver.function(own.module, c"scale"));
    let raw_launch = move || {
        let (mut from, mut to) = (objects.from, objects.to);
        let number = (&raw const FACTOR).cast_mut().cast();
        let mut arguments = [number, (&raw mut from).cast(), (&raw mut to).cast()];
        let (items, list) = (ITEMS as u32, arguments.as_mut_ptr());
        cu!(driver.cuLaunchKernel(function, 1, 1, 1, items, 1, 1, 0, stream, list, null_mut()));
    };
    let (release, finish, queue) =
        (calls.urEventRelease.unwrap(), calls.urQueueFinish.unwrap(), objects.queue);
    let released = || {
        let launch = objects.launch(calls);
        move || {
            let mut event = null_mut();
            launch(&mut event);
            ur!(release(event));
        }
    };
    // Each launch's event is released after the next launch.
    let held = || {
        let (launch, mut held) = (objects.launch(calls), null_mut() as ur_event_handle_t);
        move || {
            let mut event = null_mut();
            launch(&mut event);
            if !held.is_null() {
                ur!(release(held));
            }
            held = event;
        }
    };
    let without = objects.launch(calls);
    let (before, and_released) = (objects.launch(calls), released());
    let pool = Pool::new(driver, 2, 64);
    vec![
        Case {
            name: "launch with 3 arguments",
            count: 50,
            driver: Box::new(raw_launch),
            whose: ADAPTER,
            ways: vec![
                ("no event", Box::new(move || without(null_mut()))),
                ("event, released at once", Box::new(released())),
                ("event, held until the next", Box::new(held())),
            ],
        },
        // As a comparison, the driver alone: an event of a pool is recorded after each launch.
        Case {
            name: "launch with 3 arguments + event recorded",
            count: 50,
            driver: Box::new(move || {
                raw_launch();
                cu!(driver.cuEventRecord(pool.next(), stream));
            }),
            whose: ADAPTER,
            ways: vec![
                ("event recorded, released at once", Box::new(released())),
                ("event recorded, held until the next", Box::new(held())),
            ],
        },
        Case {
            name: "launch with 3 arguments + finish",
            count: 50,
            driver: Box::new(move || {
                raw_launch();
                cu!(driver.cuStreamSynchronize(stream));
            }),
            whose: ADAPTER,
            ways: vec![
                (
                    "queue finished",
                    Box::new(move || {
                        before(null_mut());
                        ur!(finish(queue));
                    }),
                ),
                (
                    "event released, queue finished",
                    Box::new(move || {
                        and_released();
                        ur!(finish(queue));
                    }),
                ),
            ],
        },
    ]
}

fn copies(
    driver: &'static Driver,
    calls: &'static Calls,
    objects: &'static Objects,
    own: &Own,
) -> Vec<Case<'static>> {
    static VALUES: [u8; 64] = [7; 64];
    let (stream, variable, queue, program) = (own.stream, own.variable, objects.queue, objects.program);
    let (dst, src) = (objects.to, objects.from);
    let (to, from) = (dst.expose_provenance() as u64, src.expose_provenance() as u64);
    let host: *const c_void = VALUES.as_ptr().cast();
    let copy = calls.urEnqueueUSMMemcpy.unwrap();
    let write = calls.urEnqueueDeviceGlobalVariableWrite.unwrap();
    let finish = calls.urQueueFinish.unwrap();
    vec![
        Case {
            name: "64-byte device copy + finish",
            count: 50,
            driver: Box::new(move || {
                cu!(driver.cuMemcpyAsync(to, from, 64, stream));
                cu!(driver.cuStreamSynchronize(stream));
            }),
            whose: ADAPTER,
            ways: vec![(
                "copy, queue finished",
                Box::new(move || {
                    ur!(copy(queue, 0, dst, src, 64, 0, null(), null_mut()));
                    ur!(finish(queue));
                }),
            )],
        },
        Case {
            name: "64-byte variable write + finish",
            count: 50,
            driver: Box::new(move || {
                cu!(driver.cuMemcpyAsync(variable, host.expose_provenance() as u64, 64, stream));
                cu!(driver.cuStreamSynchronize(stream));
            }),
            whose: ADAPTER,
            ways: vec![
                (
                    "write, blocking",
                    Box::new(move || {
                        let name = c"table".as_ptr();
                        ur!(write(queue, program, name, 1, 64, 0, host, 0, null(), null_mut()));
                    }),
                ),
                (
                    "write, queue finished",
                    Box::new(move || {
                        let name = c"table".as_ptr();
                        ur!(write(queue, program, name, 0, 64, 0, host, 0, null(), null_mut()));
                        ur!(finish(queue));
                    }),
                ),
            ],
        },
    ]
}
