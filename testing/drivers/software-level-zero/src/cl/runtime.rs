//! The runtime's library, its device, and queues.

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use opencl_sys::*;

use super::functions::Functions;

type GlobalPointer =
    unsafe extern "C" fn(cl_device_id, cl_program, *const c_char, *mut usize, *mut *mut c_void) -> cl_int;
type FunctionPointer = unsafe extern "C" fn(cl_device_id, cl_program, *const c_char, *mut u64) -> cl_int;

/// `CL_DEVICE_SUB_GROUP_SIZES_INTEL`.
const SUB_GROUP_SIZES: u32 = 0x4108;

/// The runtime and its only device.
pub(crate) struct Runtime {
    pub(crate) functions: Functions,
    pub(crate) device: cl_device_id,
    pub(crate) context: cl_context,
    pub(crate) global_pointer: Option<GlobalPointer>,
    pub(crate) function_pointer: Option<FunctionPointer>,
    /// The reported properties.
    pub(crate) extensions: String,
    pub(crate) version: Vec<u8>,
    pub(crate) local_memory: u64,
    pub(crate) max_group: usize,
    pub(crate) sub_group_sizes: Vec<usize>,
    pub(crate) images: bool,
}

// SAFETY: OpenCL objects may be used from any thread, except for kernels, which are locked.
unsafe impl Send for Runtime {}
// SAFETY: the same as above.
unsafe impl Sync for Runtime {}

static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();

/// Returns the runtime, or why there is none.
pub(crate) fn runtime() -> Result<&'static Runtime, &'static str> {
    RUNTIME.get_or_init(open).as_ref().map_err(String::as_str)
}

fn open() -> Result<Runtime, String> {
    const NAME: &str = "libOpenCL.so.1";
    // SAFETY: OpenCL libraries are made to be opened.
    let library = unsafe { Library::open(Some(NAME), RTLD_NOW | RTLD_LOCAL) }
        .map_err(|error| format!("no OpenCL library: {error}"))?;
    let functions = Functions::resolve(|name| {
        // SAFETY: the symbol is a function, whose type `Functions` knows.
        unsafe { library.get::<*const c_void>(name.as_bytes()) }.map_or(std::ptr::null(), |s| *s)
    })
    .map_err(|missing| format!("{NAME} has no {missing}"))?;
    // Never unloaded, because threads of the runtime live as long as the process.
    std::mem::forget(library);
    let (platform, device) =
        find_device(&functions).ok_or("no OpenCL device takes SPIR-V (CL_DEVICE_IL_VERSION)")?;
    let mut code = 0;
    let context = functions.clCreateContext(
        std::ptr::null(),
        1,
        &device,
        std::ptr::null_mut(),
        std::ptr::null_mut(),
        &mut code,
    );
    if code != CL_SUCCESS {
        return Err(format!("clCreateContext answered {code}"));
    }
    let extension = |name: &CStr| functions.clGetExtensionFunctionAddressForPlatform(platform, name.as_ptr());
    let global = extension(c"clGetDeviceGlobalVariablePointerINTEL");
    let function = extension(c"clGetDeviceFunctionPointerINTEL");
    let global_pointer = (!global.is_null()).then(|| {
        // SAFETY: the type is that of the extension's specification.
        unsafe { std::mem::transmute::<_, GlobalPointer>(global) }
    });
    let function_pointer = (!function.is_null()).then(|| {
        // SAFETY: the type is that of the extension's specification.
        unsafe { std::mem::transmute::<_, FunctionPointer>(function) }
    });
    let sizes = info(&functions, device, SUB_GROUP_SIZES);
    Ok(Runtime {
        global_pointer,
        function_pointer,
        extensions: String::from_utf8_lossy(&info(&functions, device, CL_DEVICE_EXTENSIONS)).into_owned(),
        version: info(&functions, device, CL_DRIVER_VERSION),
        local_memory: number(&functions, device, CL_DEVICE_LOCAL_MEM_SIZE),
        max_group: number(&functions, device, CL_DEVICE_MAX_WORK_GROUP_SIZE) as usize,
        sub_group_sizes: sizes
            .chunks_exact(8)
            .filter_map(|chunk| chunk.try_into().ok().map(usize::from_ne_bytes))
            .collect(),
        images: number(&functions, device, CL_DEVICE_IMAGE_SUPPORT) as u32 != 0,
        functions,
        device,
        context,
    })
}

fn find_device(functions: &Functions) -> Option<(cl_platform_id, cl_device_id)> {
    let mut platforms = [std::ptr::null_mut(); 16];
    let mut found = 0;
    functions.clGetPlatformIDs(16, platforms.as_mut_ptr(), &mut found);
    for platform in platforms.iter().take(found as usize) {
        let mut devices = [std::ptr::null_mut(); 16];
        let mut found = 0;
        functions.clGetDeviceIDs(*platform, CL_DEVICE_TYPE_CPU, 16, devices.as_mut_ptr(), &mut found);
        for device in devices.iter().take(found.min(16) as usize) {
            let version = info(functions, *device, CL_DEVICE_IL_VERSION);
            if version.windows(6).any(|word| word == b"SPIR-V") {
                return Some((*platform, *device));
            }
        }
    }
    None
}

fn info(functions: &Functions, device: cl_device_id, what: u32) -> Vec<u8> {
    let mut size = 0;
    functions.clGetDeviceInfo(device, what, 0, std::ptr::null_mut(), &mut size);
    let mut bytes = vec![0; size];
    functions.clGetDeviceInfo(device, what, size, bytes.as_mut_ptr().cast(), &mut size);
    bytes
}

fn number(functions: &Functions, device: cl_device_id, what: u32) -> u64 {
    let mut value = 0_u64;
    functions.clGetDeviceInfo(device, what, 8, (&raw mut value).cast(), std::ptr::null_mut());
    value
}

/// An in-order queue of one thread.
pub(crate) struct ClQueue(pub(crate) cl_command_queue);

// SAFETY: OpenCL queues may be used from any thread.
unsafe impl Send for ClQueue {}

impl ClQueue {
    /// Creates a queue on the runtime's device.
    pub(crate) fn new(runtime: &Runtime) -> Result<Self, cl_int> {
        let mut code = 0;
        let queue = runtime.functions.clCreateCommandQueueWithProperties(
            runtime.context,
            runtime.device,
            std::ptr::null(),
            &mut code,
        );
        if code == CL_SUCCESS { Ok(Self(queue)) } else { Err(code) }
    }

    /// Waits for everything that was enqueued.
    pub(crate) fn finish(&self, runtime: &Runtime) -> cl_int {
        runtime.functions.clFinish(self.0)
    }
}

impl Drop for ClQueue {
    fn drop(&mut self) {
        if let Ok(runtime) = runtime() {
            runtime.functions.clReleaseCommandQueue(self.0);
        }
    }
}
