//! Tests of the Unified Runtime adapter's functions that PI lacks, such as virtual memory, host tasks and bindless
//! images.

use std::ffi::{CStr, c_void};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

use sycl_ur_core::*;
use testing_ur_host::{Host, ok, structures};

use super::Case;
use crate::fixture::{image, is_software};
use crate::software::{function, inject, live};

pub(crate) const CASES: &[Case] = &[
    ("ur_virtual_memory_is_backed_written_and_read", virtual_memory),
    ("ur_a_mapping_without_its_access_is_not_left_behind", mapping_without_access),
    ("ur_host_tasks_and_native_commands_run", host_commands),
    ("ur_bindless_images_are_filled_and_read_back", bindless),
    ("ur_a_pool_reuses_device_memory", pool),
    ("ur_memory_is_shared_with_another_process", memory_between_processes),
    ("ur_a_failure_with_a_text_is_no_warning", last_error),
    ("two_devices_have_registers_for_a_program_of_the_second_alone", registers_of_second),
];

pub(super) const COUNT: usize = 256;

/// Returns the adapter at the last layout with single setters of arguments.
pub(super) fn host() -> Host {
    open(Layout::V2026_1_1)
}

/// Returns a context of both devices.
pub(super) fn pair(host: Host) -> (ur_context_handle_t, [ur_device_handle_t; 2]) {
    let (mut platform, mut devices, mut context) = (null_mut::<c_void>(), [null_mut(); 2], null_mut());
    let room = (&raw mut platform).cast();
    // SAFETY: live handles, and room for the results.
    unsafe {
        let query = UR_DEVICE_INFO_PLATFORM;
        ok(host.calls.urDeviceGetInfo(host.device, query, 8, room, null_mut()));
        let (platform, list) = (platform.cast(), devices.as_mut_ptr());
        ok(host.calls.urDeviceGet(platform, UR_DEVICE_TYPE_ALL, 2, list, null_mut()));
        ok(host.calls.urContextCreate(2, devices.as_ptr(), null(), &mut context));
    }
    (context, devices)
}

/// Returns the adapter at the newest layout.
pub(super) fn newest() -> Host {
    open(Layout::NEWEST)
}

/// Returns the adapter at a layout: `PI_TEST_UR_ADAPTER`, or the one next to the plugin. There is one loader per
/// layout, as an adapter supports only a few loaders.
pub(super) fn open(layout: Layout) -> Host {
    static HOSTS: Mutex<Vec<(Layout, Host)>> = Mutex::new(Vec::new());
    let mut hosts = HOSTS.lock().unwrap();
    if let Some((_, host)) = hosts.iter().find(|(known, _)| *known == layout) {
        return *host;
    }
    // SAFETY: the test names the file, and trusts it.
    let host = unsafe { Host::open(&adapter_file(), layout) };
    hosts.push((layout, host));
    host
}

pub(super) fn adapter_file() -> PathBuf {
    std::env::var_os("PI_TEST_UR_ADAPTER")
        .map_or_else(|| testing_support::plugin_file().with_file_name("libur_adapter_cuda.so"), PathBuf::from)
}

/// Returns the kernel that adds 1 to each number.
pub(super) fn increment(host: Host) -> ur_kernel_handle_t {
    kernel(host, "kernels", c"increment")
}

/// Returns a kernel of an image.
pub(super) fn kernel(host: Host, name_of_image: &str, name: &CStr) -> ur_kernel_handle_t {
    let binary = image(name_of_image);
    let (mut length, mut start, mut device) = (binary.len(), binary.as_ptr(), host.device);
    let (mut program, mut kernel) = (null_mut(), null_mut());
    // SAFETY: live handles, a binary of that length, and room for the new objects.
    unsafe {
        ok(host.calls.urProgramCreateWithBinary(
            host.context,
            1,
            &mut device,
            &mut length,
            &mut start,
            null(),
            &mut program,
        ));
        ok(host.calls.urProgramBuild(host.context, program, null()));
        ok(host.calls.urKernelCreate(program, name.as_ptr(), &mut kernel));
    }
    kernel
}

/// Returns whether the device has virtual memory.
pub(super) fn has_virtual_memory() -> bool {
    host().has(UR_DEVICE_INFO_VIRTUAL_MEMORY_SUPPORT)
}

fn virtual_memory() {
    let host = host();
    let (calls, context) = (host.calls, host.context);
    let (mut size, mut start, mut physical, mut flags) = (0_usize, null_mut(), null_mut(), 0_u32);
    let nine = 9_u32;
    // SAFETY: live handles, and memory that outlives the calls.
    unsafe {
        ok(calls.urVirtualMemGranularityGetInfo(
            context,
            host.device,
            1,
            UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM,
            8,
            (&raw mut size).cast(),
            null_mut(),
        ));
        ok(calls.urVirtualMemReserve(context, null(), size, &mut start));
        ok(calls.urPhysicalMemCreate(context, host.device, size, null(), &mut physical));
        let access = UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE;
        ok(calls.urVirtualMemMap(context, start, size, physical, 0, access));
        let room = (&raw mut flags).cast();
        ok(calls.urVirtualMemGetInfo(
            context,
            start,
            size,
            UR_VIRTUAL_MEM_INFO_ACCESS_MODE,
            4,
            room,
            null_mut(),
        ));
        assert_eq!(flags, access);
        let pattern = (&raw const nine).cast();
        ok(calls.urEnqueueUSMFill(host.queue, start, 4, pattern, COUNT * 4, 0, null(), null_mut()));
        assert_eq!(host.numbers(start, COUNT), [9; COUNT]);
        ok(calls.urVirtualMemUnmap(context, start, size));
        ok(calls.urPhysicalMemRelease(physical));
        ok(calls.urVirtualMemFree(context, start, size));
    }
}

fn mapping_without_access() {
    let host = host();
    let (calls, context, access) = (host.calls, host.context, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE);
    let (mut size, mut start, mut physical) = (0_usize, null_mut(), null_mut());
    let (query, room) = (UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, (&raw mut size).cast());
    // SAFETY: live handles, and room for the results.
    unsafe {
        ok(calls.urVirtualMemGranularityGetInfo(context, host.device, 1, query, 8, room, null_mut()));
        ok(calls.urVirtualMemReserve(context, null(), size, &mut start));
        ok(calls.urPhysicalMemCreate(context, host.device, size, null(), &mut physical));
        inject("cuMemSetAccess:1:1");
        assert_ne!(calls.urVirtualMemMap(context, start, size, physical, 0, access), UR_RESULT_SUCCESS);
        inject("");
        ok(calls.urVirtualMemMap(context, start, size, physical, 0, access));
        ok(calls.urVirtualMemUnmap(context, start, size));
        ok(calls.urPhysicalMemRelease(physical));
        ok(calls.urVirtualMemFree(context, start, size));
    }
}

/// # Safety
/// `data` must point to a number that nothing else uses during the call.
unsafe extern "C" fn add_one(data: *mut c_void) {
    // SAFETY: the number that the test passes.
    unsafe { *data.cast::<u32>() += 1 };
}

/// # Safety
/// `data` must point to a number that nothing else uses during the call.
unsafe extern "C" fn add_two(_: ur_queue_handle_t, data: *mut c_void) {
    // SAFETY: the number that the test passes.
    unsafe { *data.cast::<u32>() += 2 };
}

fn host_commands() {
    let host = host();
    let (calls, mut number, mut events) = (host.calls, 0_u32, [null_mut(); 2]);
    let data: *mut c_void = (&raw mut number).cast();
    // SAFETY: live handles, and data that outlives the task.
    unsafe {
        let queue = host.queue;
        ok(calls.urEnqueueHostTaskExp(queue, Some(add_one), data, null(), 0, null(), &mut events[0]));
        ok(calls.urEventWait(1, &events[0]));
        assert_eq!(data.cast::<u32>().read(), 1);
        ok(calls.urEnqueueNativeCommandExp(
            queue,
            Some(add_two),
            data,
            0,
            null(),
            null(),
            1,
            &events[0],
            &mut events[1],
        ));
        ok(calls.urEventWait(1, &events[1]));
        assert_eq!(data.cast::<u32>().read(), 3);
        ok(calls.urDeviceWaitExp(host.device));
    }
}

/// libsycl asks for the last error after code 66. The libsycl of 2025.0 takes a success for a warning, and then
/// forgets the failure.
fn last_error() {
    let host = host();
    let (kernel, mut adapter) = (kernel(host, "local", c"reverse"), null_mut());
    let (mut text, mut native) = (null(), 0);
    let memory = host.memory(0, 64);
    // SAFETY: live handles, and room for what is written.
    let (launched, asked, text) = unsafe {
        ok(host.calls.urKernelSetArgPointer(kernel, 0, null(), memory));
        ok(host.calls.urKernelSetArgLocal(kernel, 1, 1 << 30, null()));
        ok(host.calls.urKernelSetArgLocal(kernel, 2, 4 * 64, null()));
        let (queue, size) = (host.queue, 64);
        let launched = host.calls.urEnqueueKernelLaunch(
            queue,
            kernel,
            1,
            null(),
            &size,
            &size,
            null(),
            0,
            null(),
            null_mut(),
        );
        ok(host.calls.urAdapterGet(1, &mut adapter, null_mut()));
        let asked = host.calls.urAdapterGetLastError(adapter, &mut text, &mut native);
        (launched, asked, CStr::from_ptr(text).to_string_lossy())
    };
    assert_eq!((launched, asked), (UR_RESULT_ERROR_ADAPTER_SPECIFIC, UR_RESULT_ERROR_ADAPTER_SPECIFIC));
    assert!(text.contains("urEnqueueKernelLaunch: ") && text.contains("of local memory"), "{text}");
}

fn bindless() {
    const WIDTH: usize = 16;
    const HEIGHT: usize = 8;
    let host = host();
    let (calls, context, device) = (host.calls, host.context, host.device);
    let format = ur_image_format_t {
        channelOrder: UR_IMAGE_CHANNEL_ORDER_R,
        channelType: UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
    };
    let desc = ur_image_desc_t { width: WIDTH, height: HEIGHT, ..structures::IMAGE };
    let nowhere = ur_rect_offset_t { x: 0, y: 0, z: 0 };
    let mut region = ur_exp_image_copy_region_t {
        stype: UR_STRUCTURE_TYPE_EXP_IMAGE_COPY_REGION,
        pNext: null(),
        srcOffset: nowhere,
        dstOffset: nowhere,
        copyExtent: ur_rect_region_t { width: WIDTH as u64, height: HEIGHT as u64, depth: 1 },
    };
    let numbers: Vec<u32> = (0..(WIDTH * HEIGHT) as u32).collect();
    let mut back = vec![0_u32; numbers.len()];
    let (mut memory, mut image, mut supported) = (0, 0, 7_u8);
    let (mut told, mut width) = ([u32::MAX; 2], 0_usize);
    // SAFETY: live handles, and memory of the image's size.
    unsafe {
        ok(calls.urBindlessImagesGetImageMemoryHandleTypeSupportExp(
            context,
            device,
            &desc,
            &format,
            UR_EXP_IMAGE_MEM_TYPE_OPAQUE_HANDLE,
            &mut supported,
        ));
        assert_eq!(supported, 1);
        ok(calls.urBindlessImagesImageAllocateExp(context, device, &format, &desc, &mut memory));
        ok(calls
            .urBindlessImagesUnsampledImageCreateExp(context, device, memory, &format, &desc, &mut image));
        assert_ne!(image, 0);
        let there = std::ptr::with_exposed_provenance_mut::<c_void>(memory);
        let (up, down) = (UR_EXP_IMAGE_COPY_FLAG_HOST_TO_DEVICE, UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_HOST);
        let (from, to) = (numbers.as_ptr().cast(), back.as_mut_ptr().cast());
        ok(calls.urBindlessImagesImageCopyExp(
            host.queue,
            from,
            there,
            &desc,
            &desc,
            &format,
            &format,
            &mut region,
            up,
            UR_EXP_IMAGE_COPY_INPUT_TYPES_MEM_TO_IMAGE,
            0,
            null(),
            null_mut(),
        ));
        ok(calls.urBindlessImagesImageCopyExp(
            host.queue,
            there,
            to,
            &desc,
            &desc,
            &format,
            &format,
            &mut region,
            down,
            UR_EXP_IMAGE_COPY_INPUT_TYPES_IMAGE_TO_MEM,
            0,
            null(),
            null_mut(),
        ));
        ok(calls.urQueueFinish(host.queue));
        let room = told.as_mut_ptr().cast();
        ok(calls.urBindlessImagesImageGetInfoExp(context, memory, UR_IMAGE_INFO_FORMAT, room, null_mut()));
        let room = (&raw mut width).cast();
        ok(calls.urBindlessImagesImageGetInfoExp(context, memory, UR_IMAGE_INFO_WIDTH, room, null_mut()));
        ok(calls.urBindlessImagesUnsampledImageHandleDestroyExp(context, device, image));
        ok(calls.urBindlessImagesImageFreeExp(context, device, memory));
    }
    assert_eq!(back, numbers);
    assert_eq!(told, [UR_IMAGE_CHANNEL_ORDER_R, UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32]);
    assert_eq!(width, WIDTH);
}

fn pool() {
    let host = host();
    let calls = host.calls;
    let mut limits = ur_usm_pool_limits_desc_t {
        stype: UR_STRUCTURE_TYPE_USM_POOL_LIMITS_DESC,
        pNext: null(),
        maxPoolableSize: 0,
        minDriverAllocSize: 1 << 20,
    };
    let mut desc = ur_usm_pool_desc_t {
        stype: UR_STRUCTURE_TYPE_USM_POOL_DESC,
        pNext: (&raw mut limits).cast(),
        flags: UR_USM_POOL_FLAG_USE_NATIVE_MEMORY_POOL_EXP | UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK,
    };
    let (mut pool, mut one, mut two) = (null_mut(), null_mut(), null_mut());
    // SAFETY: live handles, and room for what is made.
    unsafe {
        ok(calls.urUSMPoolCreateExp(host.context, host.device, &mut desc, &mut pool));
        ok(calls.urEnqueueUSMDeviceAllocExp(
            host.queue,
            pool,
            COUNT * 4,
            null(),
            0,
            null(),
            &mut one,
            null_mut(),
        ));
        assert_eq!(host.numbers(one, COUNT), [0; COUNT]);
        ok(calls.urEnqueueUSMFreeExp(host.queue, pool, one, 0, null(), null_mut()));
        ok(calls.urEnqueueUSMDeviceAllocExp(
            host.queue,
            pool,
            COUNT * 4,
            null(),
            0,
            null(),
            &mut two,
            null_mut(),
        ));
        assert_eq!(one, two);
        ok(calls.urEnqueueUSMFreeExp(host.queue, pool, two, 0, null(), null_mut()));
        ok(calls.urUSMPoolDestroyExp(host.context, host.device, pool));
    }
}

/// The name of the child's task that opens memory of its parent, and the variable with the memory's name.
pub(crate) const OTHER_PROCESS: &str = "other process";
const MEMORY: &str = "PI_TEST_IPC_MEMORY";

fn memory_between_processes() {
    let host = host();
    let (calls, start) = (host.calls, host.memory(0, COUNT));
    // SAFETY: inside the memory.
    let half = unsafe { start.byte_add(COUNT / 2 * 4) };
    let (mut name, mut size) = (null_mut(), 0);
    // SAFETY: live handles, memory that outlives the calls, and room for the results.
    let name = unsafe {
        ok(calls.urIPCGetMemHandleExp(host.context, half, &mut name, &mut size));
        let bytes = std::slice::from_raw_parts(name.cast::<u8>(), size).to_vec();
        ok(calls.urIPCPutMemHandleExp(host.context, name));
        assert_eq!(calls.urIPCPutMemHandleExp(host.context, name), UR_RESULT_ERROR_INVALID_VALUE);
        bytes
    };
    let text: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{}", super::child::run(OTHER_PROCESS, &[(MEMORY, text)]).trim());
    let expected = [[0; COUNT / 2], [7; COUNT / 2]].concat();
    assert_eq!(host.numbers(start, COUNT), expected);
    // SAFETY: live handles; the memory is freed once.
    ok(unsafe { calls.urUSMFree(host.context, start) });
}

/// Opens the parent's memory, which begins in the middle of an allocation, and writes to it.
pub(crate) fn in_another_process() {
    let text = std::env::var(MEMORY).unwrap();
    let digits: Vec<char> = text.chars().collect();
    let mut name: Vec<u8> = digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap())
        .collect();
    let host = host();
    let (calls, mut start, seven) = (host.calls, null_mut(), 7_u32);
    // SAFETY: live handles, memory that outlives the calls, and room for the results.
    unsafe {
        let data = name.as_mut_ptr().cast();
        let short = calls.urIPCOpenMemHandleExp(host.context, host.device, data, 5, &mut start);
        assert_eq!(short, UR_RESULT_ERROR_INVALID_VALUE);
        ok(calls.urIPCOpenMemHandleExp(host.context, host.device, data, name.len(), &mut start));
        // The last bytes hold the memory's offset in its allocation. An offset at the allocation's end is invalid.
        let (mut size, room) = (0_usize, UR_USM_ALLOC_INFO_SIZE);
        ok(calls.urUSMGetMemAllocInfo(host.context, start, room, 8, (&raw mut size).cast(), null_mut()));
        ok(calls.urIPCCloseMemHandleExp(host.context, start));
        let place = name.len() - 8;
        for (at, expected) in [(size, UR_RESULT_ERROR_INVALID_VALUE), (size - 4, UR_RESULT_SUCCESS)] {
            let mut moved = name.clone();
            moved[place..].copy_from_slice(&(at as u64).to_le_bytes());
            let (data, size) = (moved.as_mut_ptr().cast(), moved.len());
            let before = if is_software() { live() } else { 0 };
            assert_eq!(
                calls.urIPCOpenMemHandleExp(host.context, host.device, data, size, &mut start),
                expected
            );
            // Refused memory is closed again.
            if is_software() {
                assert_eq!(live() - before, i64::from(expected == UR_RESULT_SUCCESS));
            }
        }
        ok(calls.urIPCCloseMemHandleExp(host.context, start));
        ok(calls.urIPCOpenMemHandleExp(host.context, host.device, data, name.len(), &mut start));
        assert_eq!(host.numbers(start, COUNT / 2), [0; COUNT / 2]);
        let (pattern, size) = ((&raw const seven).cast(), COUNT / 2 * 4);
        ok(calls.urEnqueueUSMFill(host.queue, start, 4, pattern, size, 0, null(), null_mut()));
        ok(calls.urQueueFinish(host.queue));
        ok(calls.urIPCCloseMemHandleExp(host.context, start));
        assert_ne!(calls.urIPCCloseMemHandleExp(host.context, start), UR_RESULT_SUCCESS);
    }
}

fn registers_of_second() {
    let host = newest();
    let (calls, (context, [_, second])) = (host.calls, pair(host));
    let binary = image("kernels");
    let (mut length, mut start, mut device) = (binary.len(), binary.as_ptr(), second);
    let (mut program, mut kernel, mut registers) = (null_mut(), null_mut(), 0_u32);
    let (length, start, room) = (&raw mut length, &raw mut start, (&raw mut registers).cast());
    let of_kernel: unsafe extern "C" fn(*mut u32, i32, usize) -> u32 = function("cuFuncGetAttribute");
    let (mut native, mut expected) = (0, 0);
    // SAFETY: live handles, a binary of that length, and room for the results.
    unsafe {
        ok(calls.urProgramCreateWithBinary(context, 1, &mut device, length, start, null(), &mut program));
        ok(calls.urProgramBuild(context, program, null()));
        ok(calls.urKernelCreate(program, c"increment".as_ptr(), &mut kernel));
        ok(calls.urKernelGetInfo(kernel, UR_KERNEL_INFO_NUM_REGS, 4, room, null_mut()));
        ok(calls.urKernelGetNativeHandle(kernel, &mut native));
        // CU_FUNC_ATTRIBUTE_NUM_REGS.
        assert_eq!(of_kernel(&mut expected, 4, native), 0);
        ok(calls.urKernelRelease(kernel));
        ok(calls.urProgramRelease(program));
        ok(calls.urContextRelease(context));
    }
    assert_eq!(registers, expected);
    assert_ne!(registers, 0);
}
