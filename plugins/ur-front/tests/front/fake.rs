//! A backend that notes each call with what the front makes of the caller's arguments, and answers every query.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sycl_pi_backend::api::*;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Backend, Counted, Error, Info, ListOut, NdRange, New, Result, Shared, counted_kinds};
use sycl_ur_core::*;
use sycl_ur_front::handle::{Origin, UrHandle, UrObject, adopt};

pub(crate) struct Fake;

pub(crate) struct Platform;
pub(crate) struct Device;
pub(crate) struct Context(Shared<Device>);
pub(crate) struct Queue(Shared<Context>, QueueFlags);
/// Memory with a number, which is the size of one that a test creates.
pub(crate) struct Mem(pub usize);
pub(crate) struct Program;
pub(crate) struct Kernel;
pub(crate) struct Event(());
pub(crate) struct Sampler;
/// A command buffer with the sync point of its next command.
pub(crate) struct CommandBuffer(pub Mutex<u32>);

counted_kinds! {
    Platform: RawPlatform, INVALID_PLATFORM, "platform";
    Device: RawDevice, INVALID_DEVICE, "device";
    Context: RawContext, INVALID_CONTEXT, "context";
    Queue: RawQueue, INVALID_QUEUE, "queue";
    Mem: RawMem, INVALID_MEM_OBJECT, "memory object";
    Program: RawProgram, INVALID_PROGRAM, "program";
    Kernel: RawKernel, INVALID_KERNEL, "kernel";
    Event: RawEvent, INVALID_EVENT, "event";
    Sampler: RawSampler, INVALID_SAMPLER, "sampler";
    CommandBuffer: RawCommandBuffer, INVALID_COMMAND_BUFFER_KHR, "command buffer";
}

thread_local! {
    static NOTES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    /// The error that a call returns, and the number of calls before it.
    static FAILS: RefCell<Option<(usize, ErrorCode)>> = const { RefCell::new(None) };
    /// The number of events.
    static EVENTS: Cell<usize> = const { Cell::new(0) };
    /// Queries of devices that are answered with 0.
    static LACKS: RefCell<Vec<DeviceInfo>> = const { RefCell::new(Vec::new()) };
    /// Queries of devices that are refused.
    static REFUSES: RefCell<Vec<DeviceInfo>> = const { RefCell::new(Vec::new()) };
    /// The bytes with which queries of devices are answered, instead of a 1.
    static ANSWERS: RefCell<Vec<(DeviceInfo, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
}

impl Event {
    pub(crate) fn new() -> Self {
        EVENTS.set(EVENTS.get() + 1);
        Self(())
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        EVENTS.set(EVENTS.get() - 1);
    }
}

/// Notes a call. Fails if the test asks for that.
pub(crate) fn note(text: String) -> Result<()> {
    NOTES.with_borrow_mut(|notes| notes.push(text));
    match FAILS.take() {
        Some((0, code)) => Err(Error::new(code, "as the test asks")),
        Some((before, code)) => {
            FAILS.set(Some((before - 1, code)));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Notes a command that the caller adds to the driver's queue itself.
pub(crate) fn add_native() {
    NOTES.with_borrow_mut(|notes| notes.push("native".into()));
}

/// Returns what was noted since the last call.
pub(crate) fn noted() -> Vec<String> {
    NOTES.take()
}

/// Lets the next call of the backend fail.
pub(crate) fn fail(code: ErrorCode) {
    fail_after(0, code);
}

/// Lets a call of the backend fail, after some that succeed.
pub(crate) fn fail_after(calls: usize, code: ErrorCode) {
    FAILS.set(Some((calls, code)));
}

/// Returns the number of the backend's events.
pub(crate) fn events() -> usize {
    EVENTS.get()
}

/// The devices of this thread lack these features from now on.
pub(crate) fn lack(features: &[DeviceInfo]) {
    LACKS.set(features.to_vec());
}

/// The devices of this thread do not know these queries from now on.
pub(crate) fn refuse(queries: &[DeviceInfo]) {
    REFUSES.set(queries.to_vec());
}

/// The devices of this thread answer these queries with these bytes from now on.
pub(crate) fn answer(answers: &[(DeviceInfo, &[u8])]) {
    ANSWERS.set(answers.iter().map(|(name, bytes)| (*name, bytes.to_vec())).collect());
}

/// Notes a query, and answers it with a number.
pub(crate) fn asked(name: &dyn std::fmt::Debug, info: Info<'_>) -> Result<()> {
    note(format!("{name:?}"))?;
    info.value::<u32>(1)
}

impl Objects for Fake {
    const BACKEND: &'static str = "Fake";
    const INTERFACE: PlatformBackend = PlatformBackend::NATIVE_CPU;
    const HANDLES_ARE_NATIVE: bool = true;
    type Platform = Counted<Platform>;
    type Device = Counted<Device>;
    type Context = Counted<Context>;
    type Queue = Counted<Queue>;
    type Mem = Counted<Mem>;
    type Program = Counted<Program>;
    type Kernel = Counted<Kernel>;
    type Event = Counted<Event>;
    type Sampler = Counted<Sampler>;
    type CommandBuffer = Counted<CommandBuffer>;
}

impl PlatformApi for Fake {}

thread_local! {
    /// The platform's devices.
    static DEVICES: [Shared<Device>; 2] = [Counted::share_new(Device), Counted::share_new(Device)];
    /// The program's own context.
    static CONTEXT: Shared<Context> = Counted::share_new(Context(Counted::share_new(Device)));
}

pub(crate) const IMAGE_FORMAT: ur_image_format_t =
    ur_image_format_t { channelOrder: UR_IMAGE_CHANNEL_ORDER_RGBA, channelType: UR_IMAGE_CHANNEL_TYPE_FLOAT };

/// A plain image of 8 by 4 pixels.
pub(crate) const IMAGE_DESC: ur_image_desc_t = ur_image_desc_t {
    stype: UR_STRUCTURE_TYPE_IMAGE_DESC,
    pNext: std::ptr::null(),
    type_: UR_MEM_TYPE_IMAGE2D,
    width: 8,
    height: 4,
    depth: 0,
    arraySize: 0,
    rowPitch: 0,
    slicePitch: 0,
    numMipLevel: 0,
    numSamples: 0,
};

/// The native handle of the program's own context.
pub(crate) const OWN_CONTEXT: NativeHandle = 3;

/// Returns the number of references to the program's own context.
pub(crate) fn context_references() -> u32 {
    CONTEXT.with(|context| context.reference_count())
}

/// Returns the number of references to the platform's second device.
pub(crate) fn device_references() -> u32 {
    DEVICES.with(|devices| devices[1].reference_count())
}

impl DeviceApi for Fake {
    fn devices(_: &Self::Platform, device_type: DeviceType, out: ListOut<'_, Self::Device>) -> Result<()> {
        note(format!("{device_type:?}"))?;
        DEVICES.with(|[one, two]| out.fill(&[one.handle(), two.handle()]));
        Ok(())
    }

    /// The platform's second device, or another one.
    fn device_create_with_native_handle(
        native: NativeHandle, _: Option<&Self::Platform>, _: bool,
    ) -> Result<New<Self::Device>> {
        match native {
            2 => Ok(DEVICES.with(|devices| devices[1].new_reference())),
            _ => Ok(Counted::create(Device)),
        }
    }

    fn device_partition(
        _: &Self::Device, properties: &[isize], out: ListOut<'_, Self::Device>,
    ) -> Result<()> {
        note(format!("parts {properties:x?}"))?;
        DEVICES.with(|[one, two]| out.fill(&[one.handle(), two.handle()]));
        Ok(())
    }

    fn device_select_binary(_: &Self::Device, targets: &[&CStr]) -> Result<u32> {
        note(format!("{targets:?}"))?;
        Ok(1)
    }

    fn device_info(_: &Self::Device, name: DeviceInfo, info: Info<'_>) -> Result<()> {
        note(format!("{name:?}"))?;
        if REFUSES.with_borrow(|refused| refused.contains(&name)) {
            return Err(Error::unknown_query("device", name));
        }
        let known = ANSWERS.with_borrow(|answers| {
            answers.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes.clone())
        });
        if let Some(bytes) = known {
            return info.bytes(&bytes);
        }
        let lacks = LACKS.with_borrow(|lacks| lacks.contains(&name));
        info.value(u32::from(!lacks))
    }
}

impl ContextApi for Fake {
    fn context_first_device(context: &Self::Context) -> Result<&Self::Device> {
        Ok(&context.0)
    }

    fn context_info(_: &Self::Context, name: ContextInfo, info: Info<'_>) -> Result<()> {
        asked(&name, info)
    }

    fn context_create_with_native_handle(
        native: NativeHandle, devices: &[&Self::Device], owned: bool,
    ) -> Result<New<Self::Context>> {
        note(format!("native context {native} of {} owned {owned}", devices.len()))?;
        match native {
            OWN_CONTEXT => Ok(CONTEXT.with(|context| context.new_reference())),
            _ => Ok(Counted::create(Context(Counted::share_new(Device)))),
        }
    }
}

impl QueueApi for Fake {
    fn queue_create(
        context: &Self::Context, _: &Self::Device, properties: QueueProperties,
    ) -> Result<New<Self::Queue>> {
        note(format!("create {:?} {:?}", properties.flags, properties.compute_index))?;
        Ok(Counted::create(Queue(context.share(), properties.flags)))
    }

    fn queue_flags(queue: &Self::Queue) -> Result<QueueFlags> {
        Ok(queue.1)
    }

    fn queue_context(queue: &Self::Queue) -> Result<&Self::Context> {
        Ok(&queue.0)
    }

    fn queue_device(queue: &Self::Queue) -> Result<&Self::Device> {
        Ok(&queue.0.0)
    }

    fn queue_info(_: &Self::Queue, name: QueueInfo, info: Info<'_>) -> Result<()> {
        asked(&name, info)
    }

    fn queue_finish(_: &Self::Queue) -> Result<()> {
        note("finish".into())
    }

    fn queue_flush(_: &Self::Queue) -> Result<()> {
        note("flush".into())
    }

    fn queue_native_handle(_: &Self::Queue) -> Result<(NativeHandle, i32)> {
        Ok((0x50, 1))
    }

    fn queue_create_with_native_handle(
        native: NativeHandle, desc: i32, context: &Self::Context, device: Option<&Self::Device>, owned: bool,
        properties: QueueProperties,
    ) -> Result<New<Self::Queue>> {
        let (device, flags) = (device.is_some(), properties.flags);
        note(format!("native {native} kind {desc} device {device} owned {owned} {flags:?}"))?;
        Ok(Counted::create(Queue(context.share(), properties.flags)))
    }
}

impl KernelApi for Fake {
    fn kernel_set_arg(_: &Self::Kernel, index: u32, arg: Arg<'_>) -> Result<()> {
        note(format!("{index} {arg:?}"))
    }

    fn kernel_set_arg_pointer(_: &Self::Kernel, index: u32, pointer: *const c_void) -> Result<()> {
        note(format!("{index} Pointer({})", pointer.addr()))
    }

    fn kernel_set_arg_mem_obj(
        _: &Self::Kernel, index: u32, access: Option<MemAccess>, mem: Option<&Self::Mem>,
    ) -> Result<()> {
        note(format!("{index} Mem({access:?}, {})", mem.is_some()))
    }

    fn kernel_set_arg_sampler(_: &Self::Kernel, index: u32, _: &Self::Sampler) -> Result<()> {
        note(format!("{index} Sampler"))
    }

    /// The name has what a text in quotes must not have.
    fn kernel_info(_: &Self::Kernel, name: KernelInfo, info: Info<'_>) -> Result<()> {
        if name == KernelInfo::FUNCTION_NAME {
            return info.c_str(c"say \"a\\b\"");
        }
        asked(&name, info)
    }

    fn kernel_group_info(
        _: &Self::Kernel, _: &Self::Device, name: KernelGroupInfo, info: Info<'_>,
    ) -> Result<()> {
        asked(&name, info)
    }

    fn kernel_sub_group_info(
        _: &Self::Kernel, _: &Self::Device, name: KernelSubGroupInfo, _: &[u8], info: Info<'_>,
    ) -> Result<()> {
        asked(&name, info)
    }

    fn kernel_create_with_native_handle(
        native: NativeHandle, _: &Self::Context, program: Option<&Self::Program>, owned: bool,
    ) -> Result<New<Self::Kernel>> {
        note(format!("native kernel {native} of a program {} owned {owned}", program.is_some()))?;
        Ok(Counted::create(Kernel))
    }

    fn kernel_suggest_local_work_size(
        _: &Self::Kernel, _: &Self::Queue, range: NdRange<'_>,
    ) -> Result<[usize; 3]> {
        note(format!("suggest for {:?}", range.global))?;
        Ok([8, 4, 2])
    }

    fn kernel_suggest_max_cooperative_group_count(
        _: &Self::Kernel, work_items: usize, local_memory: usize,
    ) -> Result<u32> {
        note(format!("groups of {work_items} with {local_memory}"))?;
        Ok(6)
    }

    fn kernel_set_exec_info(_: &Self::Kernel, name: KernelExecInfo, value: &[u8]) -> Result<()> {
        note(format!("{name:?} {value:?}"))
    }
}

impl EventApi for Fake {
    fn event_create_reusable(
        _: &Self::Context, _: &Self::Device, is_shared: bool,
    ) -> Result<New<Self::Event>> {
        note(format!("reusable event, shared {is_shared}"))?;
        Ok(Counted::create(Event::new()))
    }

    fn event_create_with_native_handle(
        native: NativeHandle, context: Option<&Self::Context>, owned: bool,
    ) -> Result<New<Self::Event>> {
        note(format!("native event {native} of a context {} owned {owned}", context.is_some()))?;
        Ok(Counted::create(Event::new()))
    }

    fn event_profiling_info(_: &Self::Event, name: ProfilingInfo, info: Info<'_>) -> Result<()> {
        note(format!("{name:?}"))?;
        info.value(9_u64)
    }

    /// The event reaches every status at once.
    fn event_set_callback(event: &Self::Event, status: EventStatus, notify: EventNotify) -> Result<()> {
        note(format!("callback {status:?}"))?;
        let EventNotify { function, user_data } = notify;
        // SAFETY: the front's function with its data, called once.
        unsafe { function(event.handle(), status, user_data) };
        Ok(())
    }

    fn events_wait(events: &[&Self::Event]) -> Result<()> {
        note(format!("host waits for {}", events.len()))
    }

    fn enqueue_event_signal(_: &Self::Queue, _: &Self::Event, waits: &[&Self::Event]) -> Result<()> {
        note(format!("signal after {}", waits.len()))
    }
}

impl PluginApi for Fake {
    fn tear_down() -> Result<()> {
        Ok(())
    }
}

impl Backend for Fake {}

/// Releases an event that the caller does not want.
pub(crate) fn drop_unwanted(event: Option<New<Counted<Event>>>) {
    if let Some(event) = event {
        // SAFETY: a new reference, which is released once.
        unsafe { event.into_raw().cast::<Counted<Event>>().as_ref().unwrap().release() };
    }
}

/// An address of an allocation, which nothing reads. Each thread has its own, because pools know all of the process.
pub(crate) fn place(number: usize) -> *mut c_void {
    static THREADS: AtomicUsize = AtomicUsize::new(1);
    thread_local! {
        static BASE: usize = THREADS.fetch_add(1, Ordering::Relaxed) << 20;
    }
    address(BASE.with(|base| base + number))
}

/// An address that nothing reads.
pub(crate) fn address(number: usize) -> *mut c_void {
    std::ptr::without_provenance_mut(number)
}

/// The handles of a loader, one of each object.
#[derive(Clone, Copy)]
pub(crate) struct Handles {
    pub platform: ur_platform_handle_t,
    pub device: ur_device_handle_t,
    pub context: ur_context_handle_t,
    pub queue: ur_queue_handle_t,
    pub mem: ur_mem_handle_t,
    pub program: ur_program_handle_t,
    pub kernel: ur_kernel_handle_t,
    pub sampler: ur_sampler_handle_t,
    pub event: ur_event_handle_t,
}

/// Makes objects for a loader of a layout. They live as long as the process.
pub(crate) fn handles(layout: Layout) -> Handles {
    fn handle<T: UrObject>(new: New<T>, layout: Layout) -> UrHandle<T> {
        // Any word that is none of another layout.
        adopt(new, Origin { word: 0x1_0000 * (1 + layout as usize), layout })
    }
    let context = Counted::share_new(Context(Counted::share_new(Device)));
    let queue = Counted::create(Queue(context.share(), QueueFlags::empty()));
    std::mem::forget(context);
    noted();
    Handles {
        platform: handle(Counted::create(Platform), layout),
        device: handle(Counted::create(Device), layout),
        context: handle(Counted::create(Context(Counted::share_new(Device))), layout),
        queue: handle(queue, layout),
        mem: handle(Counted::create(Mem(1)), layout),
        program: handle(Counted::create(Program), layout),
        kernel: handle(Counted::create(Kernel), layout),
        sampler: handle(Counted::create(Sampler), layout),
        event: handle(Counted::create(Event::new()), layout),
    }
}
