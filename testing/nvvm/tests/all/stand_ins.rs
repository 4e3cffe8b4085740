//! The fake libnvvm and the software CUDA driver, called like NVIDIA's libraries.
#![expect(unsafe_code, reason = "C functions of two libraries that are made to be called by tests")]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::io::Write;
use std::mem::{MaybeUninit, zeroed};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use cudarc::driver::sys::{
    CUDA_ARRAY3D_DESCRIPTOR, CUDA_MEMCPY3D, CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC, CUaddress_mode, CUarray,
    CUarray_format, CUcontext, CUdeviceptr, CUfilter_mode, CUfunction, CUmemorytype, CUmodule,
    CUresourcetype, CUstream, CUtexObject,
};
use sycl_pi_dynload::{DriverLibrary, FromDriver, driver_functions};

/// A handle of libnvvm.
type Program = *mut c_void;

driver_functions! {
    /// The functions used from libnvvm, the CUDA driver, and its fake.
    struct Functions {
        unsafe fn nvvmCreateProgram(program: *mut Program) -> c_int;
        unsafe fn nvvmDestroyProgram(program: *mut Program) -> c_int;
        unsafe fn nvvmAddModuleToProgram(program: Program, text: *const c_char, size: usize, name: *const c_char) -> c_int;
        unsafe fn nvvmCompileProgram(program: Program, count: c_int, options: *const *const c_char) -> c_int;
        unsafe fn nvvmGetCompiledResultSize(program: Program, size: *mut usize) -> c_int;
        unsafe fn nvvmGetCompiledResult(program: Program, text: *mut c_char) -> c_int;
        unsafe fn nvvmGetProgramLogSize(program: Program, size: *mut usize) -> c_int;
        unsafe fn nvvmGetProgramLog(program: Program, text: *mut c_char) -> c_int;
        unsafe fn cuInit(flags: c_uint) -> c_int;
        unsafe fn cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: c_int) -> c_int;
        unsafe fn cuCtxSetCurrent(context: CUcontext) -> c_int;
        unsafe fn cuCtxSynchronize() -> c_int;
        unsafe fn cuModuleLoadData(module: *mut CUmodule, image: *const c_void) -> c_int;
        unsafe fn cuModuleUnload(module: CUmodule) -> c_int;
        unsafe fn cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char) -> c_int;
        unsafe fn cuLaunchKernel(function: CUfunction, gx: c_uint, gy: c_uint, gz: c_uint, x: c_uint, y: c_uint, z: c_uint,
            shared: c_uint, stream: CUstream, arguments: *mut *mut c_void, more: *mut *mut c_void) -> c_int;
        unsafe fn cuMemAlloc_v2(address: *mut CUdeviceptr, size: usize) -> c_int;
        unsafe fn cuMemFree_v2(address: CUdeviceptr) -> c_int;
        unsafe fn cuMemcpyAsync(to: CUdeviceptr, from: CUdeviceptr, size: usize, stream: CUstream) -> c_int;
        unsafe fn cuMemcpy3D_v2(copy: *const CUDA_MEMCPY3D) -> c_int;
        unsafe fn cuArray3DCreate_v2(array: *mut CUarray, shape: *const CUDA_ARRAY3D_DESCRIPTOR) -> c_int;
        unsafe fn cuArrayDestroy(array: CUarray) -> c_int;
        unsafe fn cuTexObjectCreate(texture: *mut CUtexObject, what: *const CUDA_RESOURCE_DESC,
            sampling: *const CUDA_TEXTURE_DESC, view: *const c_void) -> c_int;
        unsafe fn cuTexObjectDestroy(texture: CUtexObject) -> c_int;
        unsafe fn softwareCudaFail(faults: *const c_char) -> ();
    }
}

impl FromDriver<Functions> for c_int {
    type Answer = Result<()>;

    fn answer(function: &'static str, code: Self) -> Self::Answer {
        ensure!(code == 0, "{function} answers {code}");
        Ok(())
    }

    fn missing(function: &'static str) -> Self::Answer {
        Err(anyhow!("{function} is missing"))
    }
}

impl FromDriver<Functions> for () {
    type Answer = ();

    fn answer(_: &'static str, (): Self) {}

    fn missing(_: &'static str) {}
}

/// Both open libraries, and the context that every thread uses.
struct StandIns {
    functions: Functions,
    /// The context's address.
    context: usize,
    _libraries: [DriverLibrary; 2],
}

/// Returns the libraries' functions, and sets the context on this thread.
fn stand_ins() -> Result<&'static Functions> {
    static OPENED: OnceLock<std::result::Result<StandIns, String>> = OnceLock::new();
    let opened = OPENED.get_or_init(|| open().map_err(|error| format!("{error:#}")));
    let opened = opened.as_ref().map_err(|error| anyhow!("{error}"))?;
    // SAFETY: a context that is never released.
    unsafe { opened.functions.cuCtxSetCurrent(std::ptr::with_exposed_provenance_mut(opened.context))? };
    Ok(&opened.functions)
}

fn open() -> Result<StandIns> {
    let built = testing_support::process::built(&["software-nvvm", "software-cuda"])?;
    let library = |name: &str| {
        let file = built.join(name);
        // SAFETY: a library that is meant to be opened.
        unsafe { DriverLibrary::open_first([file]) }
    };
    let libraries = [library("libsoftware_nvvm.so")?, library("libsoftware_cuda.so")?];
    let mut context: CUcontext = null_mut();
    // SAFETY: the rows have the types of NVIDIA's headers, and the pointers are to local variables.
    let functions = unsafe {
        let functions = Functions::resolve(|name| {
            let mut functions = libraries.iter().map(|library| library.function(name));
            functions.find(|function| !function.is_null()).unwrap_or(null())
        });
        functions.cuInit(0)?;
        functions.cuDevicePrimaryCtxRetain(&raw mut context, 0)?;
        functions
    };
    let context = context.expose_provenance();
    Ok(StandIns { functions, context, _libraries: libraries })
}

/// Compiles NVVM IR without optimization, and returns a NUL-terminated text.
pub(crate) fn compile(ir: &str) -> Result<Vec<u8>> {
    const OPTIONS: [&CStr; 2] = [c"-arch=compute_70", c"-opt=0"];
    let nvvm = stand_ins()?;
    let (mut program, mut size) = (null_mut(), 0);
    // SAFETY: a local program, and room of the reported sizes.
    unsafe {
        nvvm.nvvmCreateProgram(&raw mut program)?;
        nvvm.nvvmAddModuleToProgram(program, ir.as_ptr().cast(), ir.len(), null())?;
        let compiled = nvvm.nvvmCompileProgram(program, 2, OPTIONS.map(CStr::as_ptr).as_ptr());
        let text = if compiled.is_ok() {
            nvvm.nvvmGetCompiledResultSize(program, &raw mut size)?;
            let mut text = vec![0; size];
            nvvm.nvvmGetCompiledResult(program, text.as_mut_ptr().cast())?;
            text
        } else {
            nvvm.nvvmGetProgramLogSize(program, &raw mut size)?;
            let mut text = vec![0; size];
            nvvm.nvvmGetProgramLog(program, text.as_mut_ptr().cast())?;
            text
        };
        nvvm.nvvmDestroyProgram(&raw mut program)?;
        compiled.with_context(|| String::from_utf8_lossy(&text).into_owned())?;
        Ok(text)
    }
}

/// A loaded module.
#[derive(Debug)]
pub(crate) struct Module(CUmodule);

impl Module {
    /// Loads a NUL-terminated text.
    pub(crate) fn load(ptx: &[u8]) -> Result<Self> {
        let mut module = null_mut();
        // SAFETY: a text with its NUL.
        unsafe { stand_ins()?.cuModuleLoadData(&raw mut module, ptx.as_ptr().cast())? };
        Ok(Self(module))
    }

    /// Launches a kernel with the bytes of its arguments, and waits.
    pub(crate) fn launch(
        &self,
        kernel: &CString,
        [gx, gy, gz]: [u32; 3],
        [x, y, z]: [u32; 3],
        arguments: &mut [Vec<u8>],
    ) -> Result<()> {
        let cuda = stand_ins()?;
        let mut places: Vec<*mut c_void> =
            arguments.iter_mut().map(|bytes| bytes.as_mut_ptr().cast()).collect();
        let (mut function, places) = (null_mut(), places.as_mut_ptr());
        // SAFETY: a live module, and an address for each argument.
        unsafe {
            cuda.cuModuleGetFunction(&raw mut function, self.0, kernel.as_ptr())?;
            let launched =
                cuda.cuLaunchKernel(function, gx, gy, gz, x, y, z, 0, null_mut(), places, null_mut());
            let _limit = Limit::start(kernel);
            launched.and_then(|()| cuda.cuCtxSynchronize()).inspect_err(|_| {
                // Errors of one kernel must not make other tests fail.
                cuda.softwareCudaFail(c"".as_ptr());
            })
        }
    }
}

/// While it lives, a kernel may run for a minute. A kernel that never ends cannot be stopped, so that the whole
/// program is ended.
struct Limit {
    /// Dropping it notifies the waiting thread.
    _over: Sender<()>,
}

impl Limit {
    fn start(kernel: &CString) -> Self {
        let (over, waits) = channel();
        let kernel = kernel.clone();
        std::thread::spawn(move || {
            if waits.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
                let _ = writeln!(std::io::stderr(), "the kernel {kernel:?} does not end");
                std::process::abort();
            }
        });
        Self { _over: over }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: this object owns the module.
        let _ = stand_ins().and_then(|all| unsafe { all.cuModuleUnload(self.0) });
    }
}

/// Device memory.
pub(crate) struct Memory(CUdeviceptr);

impl Memory {
    pub(crate) fn with(bytes: &[u8]) -> Result<Self> {
        let cuda = stand_ins()?;
        let mut address = 0;
        // SAFETY: memory of at least that size.
        unsafe {
            cuda.cuMemAlloc_v2(&raw mut address, bytes.len().max(1))?;
            cuda.cuMemcpyAsync(address, bytes.as_ptr().expose_provenance() as u64, bytes.len(), null_mut())?;
        }
        Ok(Self(address))
    }

    pub(crate) fn address(&self) -> u64 {
        self.0
    }

    pub(crate) fn read(&self, size: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0_u8; size];
        let (cuda, to) = (stand_ins()?, bytes.as_mut_ptr().expose_provenance() as u64);
        // SAFETY: memory of at least that size.
        unsafe {
            cuda.cuMemcpyAsync(to, self.0, size, null_mut())?;
            cuda.cuCtxSynchronize()?;
        }
        Ok(bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: this object owns the memory.
        let _ = stand_ins().and_then(|all| unsafe { all.cuMemFree_v2(self.0) });
    }
}

/// A texture with four numbers of 32 bits for each texel. Coordinates beyond the edge are clamped to the edge.
pub(crate) struct Texture {
    array: CUarray,
    /// The argument for a kernel.
    pub(crate) handle: CUtexObject,
}

impl Texture {
    /// Creates a texture of these sizes, optionally with coordinates between 0 and 1, and with interpolation
    /// between texels.
    pub(crate) fn new(size: [u32; 3], normalized: bool, linear: bool, texels: &[u8]) -> Result<Self> {
        const NORMALIZED: c_uint = 2;
        let cuda = stand_ins()?;
        let [width, height, depth] = size.map(|size| size as usize);
        let shape = CUDA_ARRAY3D_DESCRIPTOR {
            Width: width,
            Height: height,
            Depth: depth,
            Format: CUarray_format::CU_AD_FORMAT_FLOAT,
            NumChannels: 4,
            Flags: 0,
        };
        let (mut array, mut handle) = (null_mut(), 0);
        // SAFETY: zeros are valid for all other members, and there are texels for the whole array.
        unsafe {
            cuda.cuArray3DCreate_v2(&raw mut array, &raw const shape)?;
            let mut copy = MaybeUninit::<CUDA_MEMCPY3D>::zeroed();
            let place = copy.as_mut_ptr();
            (*place).srcMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
            (*place).srcHost = texels.as_ptr().cast();
            (*place).srcPitch = width * 16;
            (*place).srcHeight = height;
            (*place).dstMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
            (*place).dstArray = array;
            (*place).WidthInBytes = width * 16;
            (*place).Height = height;
            (*place).Depth = depth;
            cuda.cuMemcpy3D_v2(place)?;
            let mut what: CUDA_RESOURCE_DESC = zeroed();
            what.resType = CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
            what.res.array.hArray = array;
            let mut sampling: CUDA_TEXTURE_DESC = zeroed();
            sampling.addressMode = [CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP; 3];
            sampling.filterMode = if linear {
                CUfilter_mode::CU_TR_FILTER_MODE_LINEAR
            } else {
                CUfilter_mode::CU_TR_FILTER_MODE_POINT
            };
            sampling.flags = if normalized { NORMALIZED } else { 0 };
            cuda.cuTexObjectCreate(&raw mut handle, &raw const what, &raw const sampling, null())?;
        }
        Ok(Self { array, handle })
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        let Ok(all) = stand_ins() else { return };
        // SAFETY: this object owns them.
        let _ = unsafe { (all.cuTexObjectDestroy(self.handle), all.cuArrayDestroy(self.array)) };
    }
}
