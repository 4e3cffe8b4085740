//! An OpenCL driver that returns at once and does nothing. All instructions outside it are the overhead before the
//! driver.
#![expect(unsafe_code, reason = "a driver made of C functions")]
#![allow(non_snake_case, clippy::missing_safety_doc, missing_docs)]

use std::ffi::{CStr, c_char, c_void};

type Obj = *mut c_void;

/// The driver's dispatch table (cl_khr_icd), with which every object starts.
#[repr(transparent)]
struct Table([*const c_void; 149]);
// SAFETY: never written.
unsafe impl Sync for Table {}

/// A function that is never called.
extern "C" fn absent() -> i32 {
    -59
}

macro_rules! table {
    ($($slot:literal $name:ident)*) => {{
        let mut slots = [absent as *const c_void; 149];
        $(slots[$slot] = $name as *const c_void;)*
        Table(slots)
    }};
}

/// The indices are those of `cl_icd.h`.
#[rustfmt::skip]
static DISPATCH: Table = table! {
    0 clGetPlatformIDs  1 clGetPlatformInfo  2 clGetDeviceIDs  3 clGetDeviceInfo  4 clCreateContext
    6 clRetainContext  7 clReleaseContext  8 clGetContextInfo  9 clCreateCommandQueue  10 clRetainCommandQueue
    11 clReleaseCommandQueue  12 clGetCommandQueueInfo  14 clCreateBuffer  17 clRetainMemObject
    18 clReleaseMemObject  20 clGetMemObjectInfo  21 clGetImageInfo  22 clCreateSampler  23 clRetainSampler
    24 clReleaseSampler  25 clGetSamplerInfo  26 clCreateProgramWithSource  27 clCreateProgramWithBinary
    28 clRetainProgram  29 clReleaseProgram  30 clBuildProgram  32 clGetProgramInfo  33 clGetProgramBuildInfo
    34 clCreateKernel  36 clRetainKernel  37 clReleaseKernel  38 clSetKernelArg  39 clGetKernelInfo
    40 clGetKernelWorkGroupInfo  41 clWaitForEvents  42 clGetEventInfo  43 clRetainEvent  44 clReleaseEvent
    45 clGetEventProfilingInfo  46 clFlush  47 clFinish  48 clEnqueueReadBuffer  49 clEnqueueWriteBuffer
    50 clEnqueueCopyBuffer  51 clEnqueueReadImage  52 clEnqueueWriteImage  53 clEnqueueCopyImage
    56 clEnqueueMapBuffer  58 clEnqueueUnmapMemObject  59 clEnqueueNDRangeKernel  61 clEnqueueNativeKernel
    65 clGetExtensionFunctionAddress  81 clSetEventCallback  82 clCreateSubBuffer  84 clCreateUserEvent
    85 clSetUserEventStatus  86 clEnqueueReadBufferRect  87 clEnqueueWriteBufferRect
    88 clEnqueueCopyBufferRect  93 clCreateSubDevices  94 clRetainDevice  95 clReleaseDevice  96 clCreateImage
    98 clCompileProgram  99 clLinkProgram  102 clEnqueueFillBuffer  103 clEnqueueFillImage
    105 clEnqueueMarkerWithWaitList  106 clEnqueueBarrierWithWaitList
    107 clGetExtensionFunctionAddressForPlatform  123 clCreateCommandQueueWithProperties
    134 clSetKernelArgSVMPointer  135 clSetKernelExecInfo  138 clCreateProgramWithIL
    140 clGetDeviceAndHostTimer  141 clGetHostTimer  142 clGetKernelSubGroupInfo
    145 clSetProgramSpecializationConstant  148 clSetContextDestructorCallback
};

#[repr(transparent)]
struct Object([*const Table; 8]);
// SAFETY: never written.
unsafe impl Sync for Object {}
/// A platform, a device, and a single object for everything else. An adapter identifies its handles by the objects'
/// addresses.
static OBJECTS: [Object; 3] = [const { Object([&raw const DISPATCH; 8]) }; 3];

fn platform() -> Obj {
    (&raw const OBJECTS[0]).cast_mut().cast()
}

fn device() -> Obj {
    (&raw const OBJECTS[1]).cast_mut().cast()
}

fn object() -> Obj {
    (&raw const OBJECTS[2]).cast_mut().cast()
}

macro_rules! nothing {
    ($($name:ident)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> i32 {
            0
        }
    )* };
}

macro_rules! create {
    ($($name:ident($($arg:ident)*);)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: usize,)* code: *mut i32) -> Obj {
            $(let _ = $arg;)*
            if !code.is_null() {
                // SAFETY: room for a code.
                unsafe { code.write(0) };
            }
            object()
        }
    )* };
}

macro_rules! enqueue {
    ($($name:ident($($arg:ident)*);)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: usize,)* event: *mut Obj) -> i32 {
            $(let _ = $arg;)*
            if !event.is_null() {
                // SAFETY: room for an event.
                unsafe { event.write(object()) };
            }
            0
        }
    )* };
}

macro_rules! info {
    ($($name:ident($($arg:ident)*);)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: usize,)* param: u32, size: usize, value: *mut c_void, size_ret: *mut usize) -> i32 {
            $(let _ = $arg;)*
            // SAFETY: passed on.
            unsafe { answer(param, size, value, size_ret) }
        }
    )* };
}

/// Returns texts for versions and names, numbers that plugins depend on, and an object for everything else.
unsafe fn answer(param: u32, size: usize, value: *mut c_void, size_ret: *mut usize) -> i32 {
    let [platform, device, object] =
        [platform(), device(), object()].map(|handle| (handle as usize).to_ne_bytes());
    let cpu = 2_u64.to_ne_bytes();
    let one = 1_u32.to_ne_bytes();
    let shared = 0x4199_u32.to_ne_bytes();
    let sizes = [64_u8; 24];
    let bytes: &[u8] = match param {
        // Versions of platform and device, the C language's version.
        0x0901 | 0x102f | 0x103d => b"OpenCL 3.0 nothing\0",
        // Names, vendors, the ICD suffix, the driver's version.
        0x0902 | 0x0903 | 0x0920 | 0x102b | 0x102c | 0x102d => b"0\0",
        // Extensions.
        0x0904 | 0x1030 => b"cl_khr_icd cl_intel_unified_shared_memory\0",
        0x1000 => &cpu,
        // CL_CONTEXT_NUM_DEVICES, CL_PROGRAM_NUM_DEVICES.
        0x1083 | 0x1162 => &one,
        // CL_DEVICE_PLATFORM.
        0x1031 => &platform,
        // The devices of a context, a queue and a program.
        0x1081 | 0x1091 | 0x1163 => &device,
        // CL_MEM_ALLOC_TYPE_INTEL.
        0x419a => &shared,
        // CL_DEVICE_MAX_WORK_ITEM_SIZES.
        0x1005 => &sizes,
        _ => &object,
    };
    // SAFETY: a buffer of the stated size, and room for a size.
    unsafe {
        if !value.is_null() {
            // Byte by byte, because a call of the C library would count as the plugin's.
            for (index, byte) in bytes.iter().take(size).enumerate() {
                value.cast::<u8>().add(index).write_volatile(*byte);
            }
        }
        if !size_ret.is_null() {
            size_ret.write(bytes.len());
        }
    }
    0
}

nothing! {
    clBuildProgram clCompileProgram clRetainDevice clReleaseDevice clRetainContext clReleaseContext
    clRetainCommandQueue clReleaseCommandQueue clRetainEvent clReleaseEvent clRetainKernel clReleaseKernel
    clRetainMemObject clReleaseMemObject clRetainProgram clReleaseProgram clRetainSampler clReleaseSampler
    clSetContextDestructorCallback clSetEventCallback clSetKernelArg clSetKernelArgSVMPointer clSetKernelExecInfo
    clSetProgramSpecializationConstant clSetUserEventStatus clWaitForEvents clFinish clFlush clGetDeviceAndHostTimer
    clGetHostTimer clMemBlockingFreeINTEL clSetKernelArgMemPointerINTEL
}

create! {
    clCreateContext(a b c d e);
    clCreateCommandQueue(a b c);
    clCreateCommandQueueWithProperties(a b c);
    clCreateBuffer(a b c d);
    clCreateSubBuffer(a b c d);
    clCreateImage(a b c d e);
    clCreateSampler(a b c d);
    clCreateProgramWithSource(a b c d);
    clCreateProgramWithBinary(a b c d e f);
    clCreateProgramWithIL(a b c);
    clLinkProgram(a b c d e f g h);
    clCreateKernel(a b);
    clCreateUserEvent(a);
    clHostMemAllocINTEL(a b c d);
    clDeviceMemAllocINTEL(a b c d e);
    clSharedMemAllocINTEL(a b c d e);
}

enqueue! {
    clEnqueueNDRangeKernel(a b c d e f g h);
    clEnqueueNativeKernel(a b c d e f g h i);
    clEnqueueMarkerWithWaitList(a b c);
    clEnqueueBarrierWithWaitList(a b c);
    clEnqueueReadBuffer(a b c d e f g h);
    clEnqueueReadBufferRect(a b c d e f g h i j k l m);
    clEnqueueWriteBuffer(a b c d e f g h);
    clEnqueueWriteBufferRect(a b c d e f g h i j k l m);
    clEnqueueCopyBuffer(a b c d e f g h);
    clEnqueueCopyBufferRect(a b c d e f g h i j k l);
    clEnqueueFillBuffer(a b c d e f g h);
    clEnqueueUnmapMemObject(a b c d e);
    clEnqueueReadImage(a b c d e f g h i j);
    clEnqueueWriteImage(a b c d e f g h i j);
    clEnqueueCopyImage(a b c d e f g h);
    clEnqueueFillImage(a b c d e f g);
    clEnqueueMemcpyINTEL(a b c d e f g);
    clEnqueueMemFillINTEL(a b c d e f g);
    clEnqueueMemsetINTEL(a b c d e f);
}

info! {
    clGetPlatformInfo(a);
    clGetDeviceInfo(a);
    clGetContextInfo(a);
    clGetCommandQueueInfo(a);
    clGetMemObjectInfo(a);
    clGetImageInfo(a);
    clGetSamplerInfo(a);
    clGetProgramInfo(a);
    clGetProgramBuildInfo(a b);
    clGetKernelInfo(a);
    clGetKernelWorkGroupInfo(a b);
    clGetEventInfo(a);
    clGetEventProfilingInfo(a);
    clGetMemAllocInfoINTEL(a b);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetKernelSubGroupInfo(
    _: Obj,
    _: Obj,
    param: u32,
    _: usize,
    _: *const c_void,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> i32 {
    // SAFETY: passed on.
    unsafe { answer(param, size, value, size_ret) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clEnqueueMapBuffer(
    _: Obj,
    _: Obj,
    _: u32,
    _: u64,
    _: usize,
    _: usize,
    _: u32,
    _: *const Obj,
    event: *mut Obj,
    code: *mut i32,
) -> Obj {
    // SAFETY: null or room.
    unsafe {
        if !event.is_null() {
            event.write(object());
        }
        if !code.is_null() {
            code.write(0);
        }
    }
    object()
}

unsafe fn one(object: Obj, entries: u32, list: *mut Obj, count: *mut u32) -> i32 {
    // SAFETY: null or room.
    unsafe {
        if entries > 0 && !list.is_null() {
            list.write(object);
        }
        if !count.is_null() {
            count.write(1);
        }
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetPlatformIDs(entries: u32, list: *mut Obj, count: *mut u32) -> i32 {
    // SAFETY: passed on.
    unsafe { one(platform(), entries, list, count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetDeviceIDs(
    _: Obj,
    _: u64,
    entries: u32,
    list: *mut Obj,
    count: *mut u32,
) -> i32 {
    // SAFETY: passed on.
    unsafe { one(device(), entries, list, count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clCreateSubDevices(
    _: Obj,
    _: Obj,
    entries: u32,
    list: *mut Obj,
    count: *mut u32,
) -> i32 {
    // SAFETY: passed on.
    unsafe { one(device(), entries, list, count) }
}

/// An ICD loader calls this first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clIcdGetPlatformIDsKHR(entries: u32, list: *mut Obj, count: *mut u32) -> i32 {
    // SAFETY: passed on.
    unsafe { one(platform(), entries, list, count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *const c_void {
    // SAFETY: passed on.
    unsafe { clGetExtensionFunctionAddressForPlatform(object(), name) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetExtensionFunctionAddressForPlatform(
    _: Obj,
    name: *const c_char,
) -> *const c_void {
    macro_rules! find {
        ($($name:ident)*) => {
            // SAFETY: NUL-terminated.
            match unsafe { CStr::from_ptr(name) }.to_bytes() {
                $(bytes if bytes == stringify!($name).as_bytes() => $name as *const c_void,)*
                _ => std::ptr::null(),
            }
        };
    }
    find! {
        clIcdGetPlatformIDsKHR clHostMemAllocINTEL clDeviceMemAllocINTEL clSharedMemAllocINTEL clMemBlockingFreeINTEL clGetMemAllocInfoINTEL
        clSetKernelArgMemPointerINTEL clEnqueueMemcpyINTEL clEnqueueMemFillINTEL clEnqueueMemsetINTEL
    }
}
