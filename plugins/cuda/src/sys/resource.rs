//! Descriptors with unions: resources of surfaces and textures, imported memory and semaphores.

use std::ffi::c_int;

use cudarc::driver::sys::*;

/// Creates a zeroed value. Use it only for the driver's plain structures, whose fields contain no `enum` without a 0.
macro_rules! zeroed {
    ($ty:ty) => {
        // SAFETY: the fields are numbers, addresses, and enums that have a 0.
        unsafe { std::mem::zeroed::<$ty>() }
    };
}

/// Returns the resource for an array.
pub(crate) fn of_array(array: CUarray) -> CUDA_RESOURCE_DESC {
    let mut desc = zeroed!(CUDA_RESOURCE_DESC);
    desc.resType = CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
    desc.res.array.hArray = array;
    desc
}

/// Returns the resource for a mipmap.
pub(crate) fn of_mipmap(mipmap: CUmipmappedArray) -> CUDA_RESOURCE_DESC {
    let mut desc = zeroed!(CUDA_RESOURCE_DESC);
    desc.resType = CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    desc.res.mipmap.hMipmappedArray = mipmap;
    desc
}

/// Returns the resource for rows of memory. A single row is a linear resource.
pub(crate) fn of_memory(
    start: CUdeviceptr,
    format: CUarray_format,
    channels: u32,
    (width, height, pitch): (usize, usize, usize),
    pixel: usize,
) -> CUDA_RESOURCE_DESC {
    let mut desc = zeroed!(CUDA_RESOURCE_DESC);
    if height > 1 {
        desc.resType = CUresourcetype::CU_RESOURCE_TYPE_PITCH2D;
        desc.res.pitch2D.devPtr = start;
        desc.res.pitch2D.format = format;
        desc.res.pitch2D.numChannels = channels;
        desc.res.pitch2D.width = width;
        desc.res.pitch2D.height = height;
        desc.res.pitch2D.pitchInBytes = pitch;
    } else {
        desc.resType = CUresourcetype::CU_RESOURCE_TYPE_LINEAR;
        desc.res.linear.devPtr = start;
        desc.res.linear.format = format;
        desc.res.linear.numChannels = channels;
        desc.res.linear.sizeInBytes = width * pixel;
    }
    desc
}

/// Describes memory behind a file descriptor.
pub(crate) fn memory_of_fd(fd: c_int, size: usize) -> CUDA_EXTERNAL_MEMORY_HANDLE_DESC {
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC {
        type_: CUexternalMemoryHandleType::CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
        handle: CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st__bindgen_ty_1 { fd },
        size: size as u64,
        flags: 0,
        reserved: [0; 16],
    }
}

/// Describes a semaphore behind a file descriptor.
pub(crate) fn semaphore_of_fd(fd: c_int) -> CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC {
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC {
        type_: CUexternalSemaphoreHandleType::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD,
        handle: CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st__bindgen_ty_1 { fd },
        flags: 0,
        reserved: [0; 16],
    }
}

/// Returns the default parameters of a wait.
pub(crate) fn plain_wait() -> CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS {
    zeroed!(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS)
}

/// Returns the default parameters of a signal.
pub(crate) fn plain_signal() -> CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS {
    zeroed!(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS)
}

/// Returns the allocation properties of a device's physical memory. Exportable memory can have file descriptors.
pub(crate) fn physical_memory(location: CUmemLocation, exportable: bool) -> CUmemAllocationProp {
    CUmemAllocationProp {
        type_: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: if exportable {
            CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
        } else {
            CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE
        },
        location,
        ..zeroed!(CUmemAllocationProp)
    }
}

/// Returns an empty IPC handle of memory, to be written by the driver.
pub(crate) fn no_ipc_handle() -> CUipcMemHandle {
    zeroed!(CUipcMemHandle)
}

/// Returns the bytes of an IPC handle of memory.
pub(crate) fn ipc_bytes(handle: &CUipcMemHandle) -> [u8; size_of::<CUipcMemHandle>()] {
    handle.reserved.map(|byte| byte.cast_unsigned())
}

/// Returns the IPC handle with the given bytes, or `None` if their number is wrong.
pub(crate) fn ipc_handle(bytes: &[u8]) -> Option<CUipcMemHandle> {
    let bytes: [u8; size_of::<CUipcMemHandle>()] = bytes.try_into().ok()?;
    Some(CUipcMemHandle { reserved: bytes.map(|byte| byte.cast_signed()) })
}

/// Returns an empty IPC handle of an event, to be written by the driver.
pub(crate) fn no_event_name() -> CUipcEventHandle {
    zeroed!(CUipcEventHandle)
}

/// Returns the bytes of an IPC handle of an event.
pub(crate) fn event_name_bytes(name: &CUipcEventHandle) -> [u8; size_of::<CUipcEventHandle>()] {
    name.reserved.map(|byte| byte.cast_unsigned())
}

/// Returns the IPC handle with the given bytes, or `None` if their number is wrong.
pub(crate) fn event_name(bytes: &[u8]) -> Option<CUipcEventHandle> {
    let bytes: [u8; size_of::<CUipcEventHandle>()] = bytes.try_into().ok()?;
    Some(CUipcEventHandle { reserved: bytes.map(|byte| byte.cast_signed()) })
}

/// Writes a property of an image to the caller's memory.
pub(crate) fn write_value<T>(room: *mut std::ffi::c_void, value: T) -> usize {
    if !room.is_null() {
        // SAFETY: there is room for the value of this query, as the interface requires.
        unsafe { room.cast::<T>().write_unaligned(value) };
    }
    size_of::<T>()
}

/// Returns a color's four components as 32-bit words.
pub(crate) fn color_words(color: *const std::ffi::c_void) -> [u32; 4] {
    // SAFETY: the stub refuses null, and the interface requires four components of four bytes.
    unsafe { color.cast::<[u32; 4]>().read_unaligned() }
}

/// Returns an empty array shape, to be written by the driver.
pub(crate) fn no_shape() -> CUDA_ARRAY3D_DESCRIPTOR {
    let format = CUarray_format::CU_AD_FORMAT_FLOAT;
    CUDA_ARRAY3D_DESCRIPTOR { Width: 0, Height: 0, Depth: 0, Format: format, NumChannels: 0, Flags: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_memory_are_a_plane_and_one_row_is_a_line() {
        let of = |height| of_memory(0x1000, CUarray_format::CU_AD_FORMAT_HALF, 2, (10, height, 64), 4);
        let plane = of(2);
        assert_eq!(plane.resType, CUresourcetype::CU_RESOURCE_TYPE_PITCH2D);
        // SAFETY: this is the member that the type identifies.
        let pitched = unsafe { plane.res.pitch2D };
        assert_eq!((pitched.devPtr, pitched.numChannels), (0x1000, 2));
        assert_eq!((pitched.width, pitched.height, pitched.pitchInBytes), (10, 2, 64));
        for height in [0, 1] {
            let line = of(height);
            assert_eq!(line.resType, CUresourcetype::CU_RESOURCE_TYPE_LINEAR);
            // SAFETY: this is the member that the type identifies.
            let linear = unsafe { line.res.linear };
            assert_eq!((linear.devPtr, linear.numChannels, linear.sizeInBytes), (0x1000, 2, 40));
        }
    }
}
