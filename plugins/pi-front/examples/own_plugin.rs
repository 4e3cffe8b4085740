//! A minimal custom plugin, with one platform and one device that cannot do anything yet.
//!
//! Build it with `cargo build -p sycl-pi-front --example own_plugin`. To list its device, run
//! `PI_PLUGIN_PATH=target/debug/examples/libown_plugin.so pi ls`. Calls that this backend does not implement return
//! "not supported by the Own backend".

use std::sync::LazyLock;

use sycl_pi_backend::api::*;
use sycl_pi_backend::raw::*;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{
    Counted, Error, Info, ListOut, NoObject, Result, Shared, absent_feature, counted_kinds,
};

/// The backend. Its methods have no `self`, because its state is behind the handles of its objects.
struct Own;

struct Platform {
    device: Shared<Device>,
}

struct Device;

counted_kinds! {
    Platform: RawPlatform, INVALID_PLATFORM, "platform";
    Device: RawDevice, INVALID_DEVICE, "device";
}

static PLATFORM: LazyLock<Shared<Platform>> =
    LazyLock::new(|| Counted::share_new(Platform { device: Counted::share_new(Device) }));

impl Objects for Own {
    const BACKEND: &'static str = "Own";
    const INTERFACE: sycl_pi_backend::types::PlatformBackend =
        sycl_pi_backend::types::PlatformBackend::UNKNOWN;
    type Platform = Counted<Platform>;
    type Device = Counted<Device>;
    type Context = NoObject<RawContext>;
    type Queue = NoObject<RawQueue>;
    type Mem = NoObject<RawMem>;
    type Program = NoObject<RawProgram>;
    type Kernel = NoObject<RawKernel>;
    type Event = NoObject<RawEvent>;
    type Sampler = NoObject<RawSampler>;
    type CommandBuffer = NoObject<RawCommandBuffer>;
}

impl PlatformApi for Own {
    fn platforms(out: ListOut<'_, Self::Platform>) -> Result<()> {
        out.fill(&[PLATFORM.handle()]);
        Ok(())
    }

    fn platform_info(_: &Self::Platform, name: PlatformInfo, info: Info<'_>) -> Result<()> {
        match name {
            PlatformInfo::NAME => info.str("Own platform"),
            PlatformInfo::VENDOR => info.str("You"),
            PlatformInfo::VERSION => info.str("Own 1.0"),
            PlatformInfo::PROFILE => info.str("FULL_PROFILE"),
            PlatformInfo::EXTENSIONS => info.str(""),
            PlatformInfo::BACKEND => info.value(PlatformBackend::UNKNOWN),
            _ => Err(Error::invalid_value(format!("param_name: {name:?} is not a platform query"))),
        }
    }
}

impl DeviceApi for Own {
    fn devices(
        platform: &Self::Platform, device_type: DeviceType, out: ListOut<'_, Self::Device>,
    ) -> Result<()> {
        let wanted = device_type.intersects(DeviceType::CPU | DeviceType::DEFAULT);
        if wanted {
            out.fill(&[platform.device.handle()])
        } else {
            out.none()
        }
        Ok(())
    }

    fn device_info(_: &Self::Device, name: DeviceInfo, info: Info<'_>) -> Result<()> {
        match name {
            DeviceInfo::TYPE => info.value(DeviceType::CPU),
            DeviceInfo::NAME => info.str("Own device"),
            DeviceInfo::VENDOR => info.str("You"),
            DeviceInfo::MAX_COMPUTE_UNITS => info.value::<u32>(1),
            DeviceInfo::AVAILABLE => info.bool(true),
            _ => absent_feature(name, info).unwrap_or_else(|| {
                Err(Error::invalid_value(format!("param_name: {name:?} has no answer yet")))
            }),
        }
    }
}

impl ContextApi for Own {}
impl QueueApi for Own {}
impl MemApi for Own {}
impl ProgramApi for Own {}
impl KernelApi for Own {}
impl EventApi for Own {}
impl SamplerApi for Own {}
impl EnqueueApi for Own {}
impl EnqueueImageApi for Own {}
impl UsmApi for Own {}
impl SymbolApi for Own {}
impl PluginApi for Own {
    fn tear_down() -> Result<()> {
        Ok(())
    }
}
impl PeerApi for Own {}
impl CommandBufferApi for Own {}
impl BindlessApi for Own {}
impl VirtualMemApi for Own {}
impl IpcApi for Own {}
impl MemoryExportApi for Own {}
impl Backend for Own {}

sycl_pi_front::export_plugin!(Own, start_log);

fn start_log() {
    sycl_pi_logger::start("libown_plugin");
}
