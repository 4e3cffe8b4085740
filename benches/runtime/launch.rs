//! Measures the calling thread's time of a launch with three pointers, alternately through the table and through the
//! runtime.

use std::ffi::c_void;
use std::path::Path;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::{Plugin, Table};
use sycl_pi_runtime::{
    Arg, CacheConfig, Caches, Context, Kernel, NdRange, Queue, QueueOptions, Registry, Runtime, SpecValues,
    Usm, UsmKind,
};

use crate::Measured;

const KERNEL: &str = "__sycl_kernel_vadd";
const ROUNDS: usize = 401;
const BATCH: usize = 200;

/// Returns both sides, then the difference of each pair of rounds.
pub(crate) fn run(plugin: &Path, images: &Path) -> Vec<Measured> {
    let code = std::fs::read(images.join("vadd_free.spv")).unwrap();
    let properties = std::fs::read_to_string(images.join("vadd_free.props.json")).unwrap();
    let by_table = ByTable::new(plugin, &code);
    let by_runtime = ByRuntime::new(plugin, &code, &properties);
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for round in 0..ROUNDS + 10 {
        let (table, runtime) = if round % 2 == 0 {
            let table = by_table.batch();
            (table, by_runtime.batch())
        } else {
            let runtime = by_runtime.batch();
            (by_table.batch(), runtime)
        };
        // The first rounds warm caches and the driver's pools.
        if round >= 10 {
            times[0].push(table);
            times[1].push(runtime);
            times[2].push(runtime - table);
        }
    }
    let [table, runtime, more] = times;
    vec![
        Measured::of("launch by the table", table),
        Measured::of("launch by the runtime", runtime),
        Measured::of("what the runtime adds", more),
    ]
}

/// Returns the calling thread's own time, without that of other threads and processes.
fn timed(mut operation: impl FnMut()) -> f64 {
    let start = thread_time();
    (0..BATCH).for_each(|_| operation());
    (thread_time() - start) / BATCH as f64
}

fn thread_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn open(plugin: &Path) -> Plugin {
    // SAFETY: a PI plugin, named by the person who measures it.
    unsafe { Plugin::open(plugin) }.unwrap()
}

struct ByTable {
    table: &'static Table,
    queue: pi_queue,
    kernel: pi_kernel,
    memory: [*mut c_void; 3],
}

impl ByTable {
    /// All objects are kept until the process ends.
    fn new(plugin: &Path, code: &[u8]) -> Self {
        let plugin: &'static Plugin = Box::leak(Box::new(open(plugin)));
        let table = &plugin.table();
        let device = plugin.platforms().unwrap()[0].devices().unwrap()[0].handle();
        let (mut context, mut queue, mut program, mut kernel) =
            (null_mut(), null_mut(), null_mut(), null_mut());
        let mut memory = [null_mut(); 3];
        let mut flags: [pi_queue_properties; 3] = [PI_QUEUE_FLAGS, 0, 0];
        // SAFETY: live objects, and memory for the answers.
        unsafe {
            table.piContextCreate(null(), 1, &device, None, null_mut(), &mut context).unwrap();
            table.piextQueueCreate(context, device, flags.as_mut_ptr(), &mut queue).unwrap();
            let code = sycl_pi_image::spirv::Module::parse(code).unwrap();
            let code = sycl_pi_image::spirv::portable(&code).unwrap().unwrap_or(code).to_bytes().unwrap();
            table.piProgramCreate(context, code.as_ptr().cast(), code.len(), &mut program).unwrap();
            table.piProgramBuild(program, 1, &device, c"".as_ptr(), None, null_mut()).unwrap();
            let name = std::ffi::CString::new(KERNEL).unwrap();
            table.piKernelCreate(program, name.as_ptr(), &mut kernel).unwrap();
            for block in &mut memory {
                table.piextUSMDeviceAlloc(block, context, device, null_mut(), 64, 4).unwrap();
            }
        }
        Self { table, queue, kernel, memory }
    }

    fn batch(&self) -> f64 {
        let nanoseconds = timed(|| {
            let mut event = null_mut();
            // SAFETY: live objects, three addresses, and one work-item.
            unsafe {
                for (index, address) in self.memory.iter().enumerate() {
                    let address = (&raw const *address).cast();
                    self.table.piextKernelSetArgPointer(self.kernel, index as u32, 8, address).unwrap();
                }
                let (queue, kernel, size) = (self.queue, self.kernel, [1_usize; 3].as_ptr());
                let table = self.table;
                table
                    .piEnqueueKernelLaunch(queue, kernel, 1, null(), size, null(), 0, null(), &mut event)
                    .unwrap();
                self.table.piEventRelease(event).unwrap();
            }
        });
        // SAFETY: a live queue.
        unsafe { self.table.piQueueFinish(self.queue) }.unwrap();
        nanoseconds
    }
}

struct ByRuntime {
    queue: Queue,
    kernel: Kernel,
    memory: [Usm<f32>; 3],
}

impl ByRuntime {
    fn new(plugin: &Path, code: &[u8], properties: &str) -> Self {
        let registry = Registry::new();
        let image = sycl_pi_image::text::read_json("vadd_free", properties, code).unwrap();
        // SAFETY: the image was compiled by DPC++ and matches its properties.
        unsafe { registry.add(image) }.unwrap();
        // SAFETY: a PI plugin, named by the person who measures it.
        let device = unsafe { sycl_pi_runtime::Plugin::open(plugin) }.unwrap().first_device().unwrap();
        let context = Context::new(std::slice::from_ref(&device)).unwrap();
        let queue = Queue::new(&context, &device, QueueOptions::default()).unwrap();
        let caches = Caches::new(&CacheConfig::default().with_persistent(false));
        let runtime = Runtime::with_caches(&context, &registry, &caches);
        let kernel = runtime.kernel(&device, KERNEL, &SpecValues::new()).unwrap();
        let memory = [(); 3].map(|()| Usm::new(&context, &device, UsmKind::Device, 16).unwrap());
        Self { queue, kernel, memory }
    }

    fn batch(&self) -> f64 {
        let [a, b, c] = &self.memory;
        let nanoseconds = timed(|| {
            let args = [Arg::usm(a), Arg::usm(b), Arg::usm(c)];
            // SAFETY: the kernel adds the first numbers of two allocations into the third.
            drop(unsafe { self.kernel.launch(&self.queue, NdRange::single(), &args) }.unwrap());
        });
        self.queue.finish().unwrap();
        nanoseconds
    }
}
