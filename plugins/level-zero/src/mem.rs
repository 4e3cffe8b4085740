//! Memory objects: buffers, sub-buffers and images.

use core::ffi::c_void;

use sycl_pi_backend::api::{HostPtr, MemApi};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Properties, Result};

use crate::LevelZero;
use crate::driver::MemoryLocation;
use crate::objects::{Buffer, ContextHandle, DeviceHandle, Image, Mem, MemContent, MemHandle, raw_handle};
use crate::sys::Address;

fn create(context: &ContextHandle, content: MemContent) -> New<MemHandle> {
    Counted::create(Mem::new(context, content, None))
}

impl MemApi for LevelZero {
    fn mem_buffer_create(
        context: &ContextHandle,
        flags: MemFlags,
        size: usize,
        host_ptr: HostPtr,
        _: Properties<'_, u64>,
    ) -> Result<New<MemHandle>> {
        // The properties concern the channels and banks of FPGAs.
        let buffer = Buffer::new(context, flags, size, Address::new(host_ptr))?;
        Ok(create(context, MemContent::Buffer(buffer)))
    }

    fn mem_image_create(
        context: &ContextHandle,
        _: MemFlags,
        format: &ImageFormat,
        desc: &ImageDesc,
        host_ptr: HostPtr,
    ) -> Result<New<MemHandle>> {
        let image = Image::new(context, format, desc, Address::new(host_ptr))?;
        Ok(create(context, MemContent::Image(image)))
    }

    fn mem_info(mem: &MemHandle, name: MemInfo, info: Info<'_>) -> Result<()> {
        match (name, &mem.content) {
            (MemInfo::CONTEXT, _) => info.value(raw_handle(&mem.context)),
            (MemInfo::SIZE, MemContent::Buffer(buffer)) => info.value(buffer.size),
            (MemInfo::SIZE, MemContent::Image(image)) => info.value(image.bytes()),
            _ => Err(Error::unknown_query("memory", name)),
        }
    }

    fn mem_image_info(image: &MemHandle, name: ImageInfo, info: Info<'_>) -> Result<()> {
        image.image()?.info(name, info)
    }

    fn mem_buffer_partition(
        buffer: &MemHandle,
        flags: MemFlags,
        region: BufferRegion,
    ) -> Result<New<MemHandle>> {
        if !(MemFlags::ACCESS_RW | MemFlags::ACCESS_READ_ONLY).contains(flags) {
            return Err(Error::invalid_value(format!("flags {flags:#x} of a sub-buffer")));
        }
        if region.size == 0 {
            return Err(Error::empty_sub_buffer());
        }
        let part = buffer.buffer()?.part(region.origin, region.size)?;
        Ok(Counted::create(Mem::new(&buffer.context, MemContent::Buffer(part), Some(buffer))))
    }

    fn mem_native_handle(mem: &MemHandle, _: Option<&DeviceHandle>) -> Result<NativeHandle> {
        Ok(mem.argument())
    }

    fn mem_create_with_native_handle(
        native: NativeHandle,
        context: &ContextHandle,
        owned: bool,
    ) -> Result<New<MemHandle>> {
        let address = Address::from_number(native);
        let found = if native == 0 { None } else { context.find_allocation(address)? };
        let Some(found) = found else {
            return Err(Error::new(
                ErrorCode::INVALID_MEM_OBJECT,
                format!("{native:#x} is not a USM allocation of the context"),
            ));
        };
        let size = found.size - (native - found.base);
        let on_host = !matches!(found.location, MemoryLocation::Device(_));
        Ok(create(context, MemContent::Buffer(Buffer::native(context, address, size, on_host, owned))))
    }

    fn mem_image_create_with_native_handle(
        native: NativeHandle,
        context: &ContextHandle,
        owned: bool,
        format: Option<&ImageFormat>,
        desc: Option<&ImageDesc>,
    ) -> Result<New<MemHandle>> {
        let (Some(format), Some(desc)) = (format, desc) else {
            return Err(Error::invalid_value(
                "a native image of the context needs its format and its descriptor",
            ));
        };
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_MEM_OBJECT, "an image"));
        }
        let address: *mut c_void = Address::from_number(native).get();
        let image = Image::native(context, format, desc, crate::sys::ze_image_handle_t(address), owned)?;
        Ok(create(context, MemContent::Image(image)))
    }
}
