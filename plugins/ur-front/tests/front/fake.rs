//! A backend that notes each call with what the front makes of the caller's arguments, and answers every query.

use std::cell::RefCell;
use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::sync::LazyLock;

use sycl_pi_backend::api::*;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{
    Backend, Counted, Dependencies, Error, Fill, Info, LaunchProperties, ListOut, NdRange, New, Properties,
    Result, Shared, SyncPointDependencies, counted_kinds, native_command_behind_barrier,
};
use sycl_ur_core::*;
use sycl_ur_front::handle::{Origin, UrHandle, UrObject, adopt};

pub(crate) struct Fake;

pub(crate) struct Platform;
pub(crate) struct Device;
pub(crate) struct Context(Shared<Device>);
pub(crate) struct Queue(Shared<Context>);
pub(crate) struct Mem;
pub(crate) struct Program;
pub(crate) struct Kernel;
pub(crate) struct Event;
pub(crate) struct Sampler;
pub(crate) struct CommandBuffer;

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
    /// The error that the next call returns.
    static FAILS: RefCell<Option<ErrorCode>> = const { RefCell::new(None) };
    /// Queries of devices that are answered with 0.
    static LACKS: RefCell<Vec<DeviceInfo>> = const { RefCell::new(Vec::new()) };
    /// Queries of devices that are refused.
    static REFUSES: RefCell<Vec<DeviceInfo>> = const { RefCell::new(Vec::new()) };
}

/// Notes a call. Fails if the test asks for that.
fn note(text: String) -> Result<()> {
    NOTES.with_borrow_mut(|notes| notes.push(text));
    match FAILS.take() {
        Some(code) => Err(Error::new(code, "as the test asks")),
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
    FAILS.set(Some(code));
}

/// The devices of this thread lack these features from now on.
pub(crate) fn lack(features: &[DeviceInfo]) {
    LACKS.set(features.to_vec());
}

/// The devices of this thread do not know these queries from now on.
pub(crate) fn refuse(queries: &[DeviceInfo]) {
    REFUSES.set(queries.to_vec());
}

/// Notes a query, and answers it with a number.
fn asked(name: &dyn std::fmt::Debug, info: Info<'_>) -> Result<()> {
    note(format!("{name:?}"))?;
    info.value::<u32>(1)
}

impl Objects for Fake {
    const BACKEND: &'static str = "Fake";
    const INTERFACE: PlatformBackend = PlatformBackend::NATIVE_CPU;
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

impl DeviceApi for Fake {
    fn devices(_: &Self::Platform, device_type: DeviceType, out: ListOut<'_, Self::Device>) -> Result<()> {
        static DEVICES: LazyLock<[Shared<Device>; 2]> =
            LazyLock::new(|| [Counted::share_new(Device), Counted::share_new(Device)]);
        note(format!("{device_type:?}"))?;
        out.fill(&[DEVICES[0].handle(), DEVICES[1].handle()]);
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
        _: NativeHandle, _: &[&Self::Device], _: bool,
    ) -> Result<New<Self::Context>> {
        Ok(Counted::create(Context(Counted::share_new(Device))))
    }
}

impl QueueApi for Fake {
    fn queue_create(
        context: &Self::Context, _: &Self::Device, properties: QueueProperties,
    ) -> Result<New<Self::Queue>> {
        note(format!("create {:?} {:?}", properties.flags, properties.compute_index))?;
        Ok(Counted::create(Queue(context.share())))
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

    fn queue_create_with_native_handle(
        native: NativeHandle, desc: i32, context: &Self::Context, device: Option<&Self::Device>, owned: bool,
        properties: QueueProperties,
    ) -> Result<New<Self::Queue>> {
        let (device, flags) = (device.is_some(), properties.flags);
        note(format!("native {native} kind {desc} device {device} owned {owned} {flags:?}"))?;
        Ok(Counted::create(Queue(context.share())))
    }
}

impl MemApi for Fake {
    fn mem_buffer_create(
        _: &Self::Context, flags: MemFlags, size: usize, host_ptr: HostPtr, _: Properties<'_, u64>,
    ) -> Result<New<Self::Mem>> {
        note(format!("{flags:?} {size} {}", host_ptr.addr()))?;
        Ok(Counted::create(Mem))
    }

    fn mem_image_info(_: &Self::Mem, name: ImageInfo, info: Info<'_>) -> Result<()> {
        asked(&name, info)
    }
}

impl ProgramApi for Fake {
    fn program_create_with_il(_: &Self::Context, il: &[u8]) -> Result<New<Self::Program>> {
        note(format!("{il:?}"))?;
        Ok(Counted::create(Program))
    }

    fn program_create_with_binary(
        _: &Self::Context, devices: &[&Self::Device], binaries: &[&[u8]], metadata: &[ProgramMetadata<'_>],
        _: Option<&mut [ErrorCode]>,
    ) -> Result<New<Self::Program>> {
        let metadata: Vec<_> =
            metadata.iter().map(|one| (one.name.escape_ascii().to_string(), one.bytes)).collect();
        note(format!("{} devices {binaries:?} {metadata:?}", devices.len()))?;
        Ok(Counted::create(Program))
    }

    fn program_info(_: &Self::Program, name: ProgramInfo, info: Info<'_>) -> Result<()> {
        asked(&name, info)
    }

    fn program_set_specialization_constant(_: &Self::Program, id: u32, value: &[u8]) -> Result<()> {
        note(format!("constant {id} {value:?}"))
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

    fn kernel_info(_: &Self::Kernel, name: KernelInfo, info: Info<'_>) -> Result<()> {
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

    fn kernel_set_exec_info(_: &Self::Kernel, name: KernelExecInfo, value: &[u8]) -> Result<()> {
        note(format!("{name:?} {value:?}"))
    }
}

impl EventApi for Fake {
    fn event_create_reusable(
        _: &Self::Context, _: &Self::Device, is_shared: bool,
    ) -> Result<New<Self::Event>> {
        note(format!("reusable event, shared {is_shared}"))?;
        Ok(Counted::create(Event))
    }

    fn enqueue_event_signal(_: &Self::Queue, _: &Self::Event, waits: &[&Self::Event]) -> Result<()> {
        note(format!("signal after {}", waits.len()))
    }
}

impl SamplerApi for Fake {
    fn sampler_create(_: &Self::Context, properties: SamplerProperties) -> Result<New<Self::Sampler>> {
        note(format!("{properties:?}"))?;
        Ok(Counted::create(Sampler))
    }
}

impl EnqueueApi for Fake {
    fn enqueue_kernel_launch(
        _: &Self::Queue, _: &Self::Kernel, range: NdRange<'_>, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("launch {:?}", range.global))
    }

    fn enqueue_kernel_launch_with_properties(
        _: &Self::Queue, _: &Self::Kernel, _: NdRange<'_>, properties: &LaunchProperties,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("{properties:?}"))
    }

    fn enqueue_events_wait(_: &Self::Queue, dependencies: Dependencies<'_, Self::Event>) -> Result<()> {
        note(format!("wait for {}", dependencies.waits.len()))?;
        drop_unwanted(dependencies.event.put(Counted::create(Event)));
        Ok(())
    }

    fn enqueue_events_wait_with_barrier(
        _: &Self::Queue, dependencies: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("barrier after {}", dependencies.waits.len()))?;
        drop_unwanted(dependencies.event.put(Counted::create(Event)));
        Ok(())
    }

    fn enqueue_native_command(
        queue: &Self::Queue, run: &mut dyn FnMut(), dependencies: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        native_command_behind_barrier::<Self>(queue, run, dependencies)
    }

    fn enqueue_mem_buffer_map(
        _: &Self::Queue, _: &Self::Mem, _: bool, flags: MapFlags, offset: usize, size: usize,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<*mut c_void> {
        note(format!("map {flags:?} {offset} {size}"))?;
        Ok(address(offset))
    }
}

impl EnqueueImageApi for Fake {}

impl UsmApi for Fake {
    fn usm_device_alloc(
        _: &Self::Context, _: &Self::Device, request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        let pairs: Vec<_> = request.properties.pairs().collect();
        note(format!("allocate {} at {} {pairs:?}", request.size, request.alignment))?;
        Ok(NonNull::new(address(0x1000)).unwrap())
    }

    fn usm_free(_: &Self::Context, _: NonNull<c_void>) -> Result<()> {
        note("free".into())
    }

    fn enqueue_usm_prefetch(
        _: &Self::Queue, _: *const c_void, size: usize, flags: UsmMigrationFlags,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("prefetch {size} {:?}", flags.bits()))
    }

    fn enqueue_usm_fill_2d(
        _: &Self::Queue, _: *mut c_void, pitch: usize, fill: Fill<'_>, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("fill {:?} pitch {pitch} {}x{}", fill.pattern(), fill.width(), fill.height()))
    }

    fn usm_host_register(_: &Self::Context, _: *mut c_void, size: usize) -> Result<()> {
        note(format!("register {size}"))
    }
}

impl SymbolApi for Fake {}

impl PluginApi for Fake {
    fn tear_down() -> Result<()> {
        Ok(())
    }
}

impl PeerApi for Fake {
    fn peer_access_info(
        _: &Self::Device, _: &Self::Device, attr: PeerAttribute, info: Info<'_>,
    ) -> Result<()> {
        asked(&attr, info)
    }
}

impl CommandBufferApi for Fake {
    fn command_buffer_create(_: &Self::Context, _: &Self::Device) -> Result<New<Self::CommandBuffer>> {
        Ok(Counted::create(CommandBuffer))
    }

    fn command_buffer_record(
        _: &Self::CommandBuffer, command: Command<'_, Self>, dependencies: SyncPointDependencies<'_>,
    ) -> Result<()> {
        note(format!("record {command:?} after {:?}", dependencies.waits))?;
        dependencies.put(7);
        Ok(())
    }

    fn command_buffer_update(_: &Self::CommandBuffer, updates: &[LaunchUpdate<'_, Self>]) -> Result<()> {
        updates.iter().try_for_each(|update| {
            let args: Vec<_> = update.args.iter().map(|(index, arg)| format!("{index} {arg:?}")).collect();
            let global = update.range.map(|range| range.global);
            note(format!("{} {:?} {args:?} {global:?}", update.point, update.kernel.is_some()))
        })
    }
}

impl BindlessApi for Fake {
    fn bindless_image_sampler_create(
        _: &Self::Context, properties: SamplerProperties, clamp: (f32, f32), anisotropy: f32,
    ) -> Result<New<Self::Sampler>> {
        note(format!("{properties:?} {clamp:?} {anisotropy}"))?;
        Ok(Counted::create(Sampler))
    }

    fn mem_image_copy(_: &Self::Queue, copy: ImageCopy<'_>, _: Dependencies<'_, Self::Event>) -> Result<()> {
        let ImageCopy { direction, format, host_extent, host_row_pitch, src_offset, dst_offset, .. } = copy;
        let (channels, shapes) = (format.channel_type, (copy.src_desc.width, copy.dst_desc.width));
        note(format!("{direction:?} {channels:?} {shapes:?}"))?;
        note(format!("host {host_extent:?} pitch {host_row_pitch} from {src_offset:?} to {dst_offset:?}"))
    }

    fn bindless_image_info(_: ImageMemHandle, name: ImageInfo, value: *mut c_void) -> Result<usize> {
        note(format!("{name:?}"))?;
        // SAFETY: the front has room for eight bytes.
        unsafe { value.cast::<u64>().write_unaligned(9) };
        Ok(8)
    }

    fn bindless_image_support(
        _: &Self::Device, wanted: BindlessUse, is_usm: bool, _: &ImageFormat, desc: &ImageDesc,
    ) -> Result<bool> {
        note(format!("{wanted:?} usm {is_usm} {:?}", desc.image_type))?;
        Ok(true)
    }

    fn mem_image_free(_: &Self::Context, _: &Self::Device, _: ImageMemHandle) -> Result<()> {
        note("free image".into())
    }

    fn wait_external_semaphore(
        _: &Self::Queue, semaphore: InteropSemaphoreHandle, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("wait for semaphore {semaphore}"))
    }
}

impl VirtualMemApi for Fake {
    fn virtual_mem_granularity(
        _: &Self::Context, _: &Self::Device, size: usize, recommended: bool,
    ) -> Result<usize> {
        note(format!("granularity {size} {recommended}"))?;
        Ok(4096)
    }

    fn virtual_mem_map(
        _: &Self::Context, _: *const c_void, size: usize, _: PhysicalMemHandle, offset: usize,
        access: VirtualMemAccess,
    ) -> Result<()> {
        note(format!("map {size} at {offset} {access:?}"))
    }

    fn virtual_mem_set_access(
        _: &Self::Context, _: *const c_void, size: usize, access: VirtualMemAccess,
    ) -> Result<()> {
        note(format!("access {size} {access:?}"))
    }

    fn physical_mem_create(_: &Self::Context, _: &Self::Device, size: usize) -> Result<PhysicalMemHandle> {
        note(format!("physical {size}"))?;
        Ok(5)
    }

    fn physical_mem_destroy(_: &Self::Context, _: PhysicalMemHandle) -> Result<()> {
        Ok(())
    }
}

impl IpcApi for Fake {
    fn ipc_physical_mem_create(
        _: &Self::Context, _: &Self::Device, size: usize,
    ) -> Result<PhysicalMemHandle> {
        note(format!("shared physical {size}"))?;
        Ok(6)
    }
}

impl MemoryExportApi for Fake {
    fn exportable_mem_alloc(
        _: &Self::Context, _: &Self::Device, alignment: usize, size: usize,
    ) -> Result<NonNull<c_void>> {
        note(format!("export {size} at {alignment}"))?;
        Ok(NonNull::new(address(0x2000)).unwrap())
    }
}

impl Backend for Fake {}

/// Releases an event that the caller does not want.
fn drop_unwanted(event: Option<New<Counted<Event>>>) {
    if let Some(event) = event {
        // SAFETY: a new reference, which is released once.
        unsafe { event.into_raw().cast::<Counted<Event>>().as_ref().unwrap().release() };
    }
}

/// An address that nothing reads.
pub(crate) fn address(number: usize) -> *mut c_void {
    std::ptr::without_provenance_mut(number)
}

/// The handles of a loader: one of each object.
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
    let queue = Counted::create(Queue(context.share()));
    std::mem::forget(context);
    noted();
    Handles {
        platform: handle(Counted::create(Platform), layout),
        device: handle(Counted::create(Device), layout),
        context: handle(Counted::create(Context(Counted::share_new(Device))), layout),
        queue: handle(queue, layout),
        mem: handle(Counted::create(Mem), layout),
        program: handle(Counted::create(Program), layout),
        kernel: handle(Counted::create(Kernel), layout),
        sampler: handle(Counted::create(Sampler), layout),
        event: handle(Counted::create(Event), layout),
    }
}
