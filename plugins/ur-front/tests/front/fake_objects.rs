//! Memory objects, programs, samplers and symbols of the backend in `fake`.

use std::ffi::{CStr, c_char, c_void};

use sycl_pi_backend::api::*;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Info, New, Properties, Result};

use crate::fake::{Fake, Mem, Program, Sampler, address, asked, note};

impl MemApi for Fake {
    fn mem_buffer_create(
        _: &Self::Context, flags: MemFlags, size: usize, host_ptr: HostPtr, _: Properties<'_, u64>,
    ) -> Result<New<Self::Mem>> {
        note(format!("{flags:?} {size} {}", host_ptr.addr()))?;
        Ok(Counted::create(Mem(size)))
    }

    fn mem_image_info(_: &Self::Mem, name: ImageInfo, info: Info<'_>) -> Result<()> {
        asked(&name, info)
    }

    fn mem_buffer_partition(_: &Self::Mem, flags: MemFlags, region: BufferRegion) -> Result<New<Self::Mem>> {
        note(format!("part {flags:?} {} bytes from {} on", region.size, region.origin))?;
        Ok(Counted::create(Mem(region.size)))
    }

    fn mem_native_handle(_: &Self::Mem, device: Option<&Self::Device>) -> Result<NativeHandle> {
        note(format!("native of a device {}", device.is_some()))?;
        Ok(0x60)
    }

    fn mem_create_with_native_handle(
        native: NativeHandle, _: &Self::Context, owned: bool,
    ) -> Result<New<Self::Mem>> {
        note(format!("native buffer {native} owned {owned}"))?;
        Ok(Counted::create(Mem(0)))
    }

    fn mem_image_create_with_native_handle(
        native: NativeHandle, _: &Self::Context, owned: bool, format: Option<&ImageFormat>,
        desc: Option<&ImageDesc>,
    ) -> Result<New<Self::Mem>> {
        let (channels, width) = (format.map(|format| format.channel_type), desc.map(|desc| desc.width));
        note(format!("native image {native} owned {owned} {channels:?} {width:?}"))?;
        Ok(Counted::create(Mem(0)))
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

    fn program_compile(
        _: &Self::Program, target: BuildTarget<'_, Self::Device>, _: &[&Self::Program], _: &[*const c_char],
    ) -> Result<()> {
        note(format!("compile for {} {:?}", target.devices.len(), target.options))
    }

    fn program_build(_: &Self::Program, target: BuildTarget<'_, Self::Device>) -> Result<()> {
        note(format!("build for {} {:?}", target.devices.len(), target.options))
    }

    /// A failed link leaves a program with its log.
    fn program_link(
        _: &Self::Context, target: BuildTarget<'_, Self::Device>, programs: &[&Self::Program],
        failed: &mut Option<New<Self::Program>>,
    ) -> Result<New<Self::Program>> {
        let (devices, options) = (target.devices.len(), target.options);
        let linked = note(format!("link {} for {devices} {options:?}", programs.len()));
        linked.inspect_err(|_| *failed = Some(Counted::create(Program)))?;
        Ok(Counted::create(Program))
    }

    fn program_set_specialization_constant(_: &Self::Program, id: u32, value: &[u8]) -> Result<()> {
        note(format!("constant {id} {value:?}"))
    }

    fn program_create_with_native_handle(
        native: NativeHandle, _: &Self::Context, owned: bool,
    ) -> Result<New<Self::Program>> {
        note(format!("native program {native} owned {owned}"))?;
        Ok(Counted::create(Program))
    }
}

impl SamplerApi for Fake {
    fn sampler_create(_: &Self::Context, properties: SamplerProperties) -> Result<New<Self::Sampler>> {
        note(format!("{properties:?}"))?;
        Ok(Counted::create(Sampler))
    }

    fn sampler_create_with_native_handle(
        native: NativeHandle, _: &Self::Context, owned: bool,
    ) -> Result<New<Self::Sampler>> {
        note(format!("native sampler {native} owned {owned}"))?;
        Ok(Counted::create(Sampler))
    }
}

impl SymbolApi for Fake {
    fn device_function_pointer(_: &Self::Device, _: &Self::Program, name: &CStr) -> Result<u64> {
        note(format!("function {name:?}"))?;
        Ok(0x3000)
    }

    fn global_variable_pointer(
        _: &Self::Device, _: &Self::Program, name: &CStr,
    ) -> Result<(usize, *mut c_void)> {
        note(format!("variable {name:?}"))?;
        Ok((24, address(0x4000)))
    }

    fn enqueue_device_global_variable_read(
        _: &Self::Queue, _: &Self::Program, name: &CStr, blocking: bool, count: usize, offset: usize,
        dst: *mut c_void, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("read {count} of {name:?} {offset} to {} blocking {blocking}", dst.addr()))
    }

    fn enqueue_device_global_variable_write(
        _: &Self::Queue, _: &Self::Program, name: &CStr, blocking: bool, count: usize, offset: usize,
        src: *const c_void, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("write {count} of {name:?} {offset} from {} blocking {blocking}", src.addr()))
    }
}
