//! The way to a driver without the ICD loader in between.
//!
//! Behind an ICD loader (cl_khr_icd) every object starts with a pointer to its driver's table of functions; what the
//! loader exports looks up the table and jumps. Looking it up once per driver instead of once per call saves that. The
//! table is believed only after a look at it, and never where layers (`OPENCL_LAYERS`) want to see the calls.

use std::ffi::{CStr, c_char, c_void};
use std::ops::Range;
use std::ptr::null_mut;

use opencl_sys::*;

use super::library::Library;

/// The functions of a driver's table in their order (`cl_icd.h`); "" stands for extensions, which are found otherwise.
#[rustfmt::skip]
const ORDER: [&str; 149] = [
    // OpenCL 1.0.
    "clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo", "clCreateContext",
    "clCreateContextFromType", "clRetainContext", "clReleaseContext", "clGetContextInfo", "clCreateCommandQueue",
    "clRetainCommandQueue", "clReleaseCommandQueue", "clGetCommandQueueInfo", "clSetCommandQueueProperty",
    "clCreateBuffer", "clCreateImage2D", "clCreateImage3D", "clRetainMemObject", "clReleaseMemObject",
    "clGetSupportedImageFormats", "clGetMemObjectInfo", "clGetImageInfo", "clCreateSampler", "clRetainSampler",
    "clReleaseSampler", "clGetSamplerInfo", "clCreateProgramWithSource", "clCreateProgramWithBinary",
    "clRetainProgram", "clReleaseProgram", "clBuildProgram", "clUnloadCompiler", "clGetProgramInfo",
    "clGetProgramBuildInfo", "clCreateKernel", "clCreateKernelsInProgram", "clRetainKernel", "clReleaseKernel",
    "clSetKernelArg", "clGetKernelInfo", "clGetKernelWorkGroupInfo", "clWaitForEvents", "clGetEventInfo",
    "clRetainEvent", "clReleaseEvent", "clGetEventProfilingInfo", "clFlush", "clFinish", "clEnqueueReadBuffer",
    "clEnqueueWriteBuffer", "clEnqueueCopyBuffer", "clEnqueueReadImage", "clEnqueueWriteImage", "clEnqueueCopyImage",
    "clEnqueueCopyImageToBuffer", "clEnqueueCopyBufferToImage", "clEnqueueMapBuffer", "clEnqueueMapImage",
    "clEnqueueUnmapMemObject", "clEnqueueNDRangeKernel", "clEnqueueTask", "clEnqueueNativeKernel", "clEnqueueMarker",
    "clEnqueueWaitForEvents", "clEnqueueBarrier", "clGetExtensionFunctionAddress",
    // Sharing with OpenGL and Direct3D 10.
    "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
    // OpenCL 1.1.
    "clSetEventCallback", "clCreateSubBuffer", "clSetMemObjectDestructorCallback", "clCreateUserEvent",
    "clSetUserEventStatus", "clEnqueueReadBufferRect", "clEnqueueWriteBufferRect", "clEnqueueCopyBufferRect",
    // Device fission and OpenGL events.
    "", "", "", "",
    // OpenCL 1.2.
    "clCreateSubDevices", "clRetainDevice", "clReleaseDevice", "clCreateImage", "clCreateProgramWithBuiltInKernels",
    "clCompileProgram", "clLinkProgram", "clUnloadPlatformCompiler", "clGetKernelArgInfo", "clEnqueueFillBuffer",
    "clEnqueueFillImage", "clEnqueueMigrateMemObjects", "clEnqueueMarkerWithWaitList", "clEnqueueBarrierWithWaitList",
    "clGetExtensionFunctionAddressForPlatform",
    // Sharing with OpenGL, Direct3D 11, DirectX 9 media, EGL.
    "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
    // OpenCL 2.0.
    "clCreateCommandQueueWithProperties", "clCreatePipe", "clGetPipeInfo", "clSVMAlloc", "clSVMFree",
    "clEnqueueSVMFree", "clEnqueueSVMMemcpy", "clEnqueueSVMMemFill", "clEnqueueSVMMap", "clEnqueueSVMUnmap",
    "clCreateSamplerWithProperties", "clSetKernelArgSVMPointer", "clSetKernelExecInfo",
    // Sub-groups.
    "",
    // OpenCL 2.1.
    "clCloneKernel", "clCreateProgramWithIL", "clEnqueueSVMMigrateMem", "clGetDeviceAndHostTimer", "clGetHostTimer",
    "clGetKernelSubGroupInfo", "clSetDefaultDeviceCommandQueue",
    // OpenCL 2.2.
    "clSetProgramReleaseCallback", "clSetProgramSpecializationConstant",
    // OpenCL 3.0.
    "clCreateBufferWithProperties", "clCreateImageWithProperties", "clSetContextDestructorCallback",
];

/// How many of [`ORDER`] the table of a driver of that version has at least.
fn slots(version: (u32, u32)) -> usize {
    match version {
        (3.., _) => ORDER.len(),
        (2, 2..) => 146,
        (2, 1) => 144,
        (2, _) => 137,
        (1, 2..) => 123,
        (1, 1) => 93,
        _ => 81,
    }
}

/// Whether an OpenCL library is an ICD loader: loaders tell about themselves (cl_loader_info), or hold the folder where
/// drivers are registered.
///
/// A library that stands before the loader, to watch the calls for instance, is none: it hands the loader's answer through,
/// and does not look for drivers itself.
pub(super) fn is_icd_loader(find: impl Fn(&CStr) -> *const c_void) -> bool {
    type Find = unsafe extern "C" fn(*const c_char) -> *const c_void;
    let (ask, other) = (find(c"clGetExtensionFunctionAddress"), find(c"clGetPlatformIDs"));
    let maps = Maps::read();
    let Some(library) = maps.code(other).filter(|_| !ask.is_null()) else { return false };
    // SAFETY: a function of that name has this type.
    let ask = unsafe { std::mem::transmute::<*const c_void, Find>(ask) };
    // SAFETY: a NUL-terminated name.
    let about = unsafe { ask(c"clGetICDLoaderInfoOCLICD".as_ptr()) };
    match maps.code(about) {
        Some(answering) => answering == library,
        None => about.is_null() && looks_for_drivers(library),
    }
}

/// Whether a file that [`Maps`] names is small and holds the folder where drivers are registered: the loaders of before 2023.
fn looks_for_drivers(file: &str) -> bool {
    /// Loaders have some 100 KiB, drivers hundreds of times that.
    const MOST_BYTES: u64 = 1 << 20;
    const FOLDER: &[u8] = b"/etc/OpenCL/vendors";
    let Some(path) = file.find('/').map(|start| &file[start..]) else { return false };
    let small = std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() <= MOST_BYTES);
    small && std::fs::read(path).is_ok_and(|bytes| bytes.windows(FOLDER.len()).any(|part| part == FOLDER))
}

/// A driver's table.
pub(super) struct Table(Vec<*const c_void>);

impl Table {
    /// Address of a function; null where the table has none.
    pub(super) fn function(&self, name: &CStr) -> *const c_void {
        let slot = ORDER.iter().position(|slot| slot.as_bytes() == name.to_bytes());
        slot.and_then(|slot| self.0.get(slot)).copied().unwrap_or(std::ptr::null())
    }
}

/// The table of the driver that a platform belongs to. None where its functions cannot be called past the library.
///
/// `dispatch` is the first word of an object of a driver with cl_khr_icd, `version` the platform's.
pub(super) fn table(
    library: &Library,
    dispatch: *const c_void,
    platform: cl_platform_id,
    version: (u32, u32),
) -> Option<Table> {
    if !library.is_icd_loader || std::env::var_os("OPENCL_LAYERS").is_some_and(|layers| !layers.is_empty()) {
        return None;
    }
    let maps = Maps::read();
    let count = slots(version);
    let words = dispatch.cast::<*const c_void>();
    if !words.is_aligned() || !maps.is_readable(words.addr()..words.addr() + count * size_of::<usize>()) {
        return None;
    }
    // SAFETY: aligned and readable for that many words, and constant once the driver is loaded.
    let words = unsafe { std::slice::from_raw_parts(words, count) };
    // The functions are code of one file, which is not the loader's. (cl_khr_icd 2.0 marks tables with a word that is no
    // address; the loader makes others from them.)
    let file = maps.code(*words.first()?)?;
    let named = ORDER.iter().zip(words).filter(|(name, word)| !name.is_empty() && !word.is_null());
    if named.map(|(_, word)| maps.code(*word)).any(|code| code != Some(file)) {
        return None;
    }
    if Some(file) == maps.code(library.function(c"clGetPlatformIDs")) {
        return None;
    }
    let table = Table(words.to_vec());
    says_the_same(&table, library, platform).then_some(table)
}

/// Whether a table's function gives the answer that the library gives.
fn says_the_same(table: &Table, library: &Library, platform: cl_platform_id) -> bool {
    type GetPlatformInfo =
        unsafe extern "C" fn(cl_platform_id, cl_platform_info, usize, *mut c_void, *mut usize) -> cl_int;
    let function = table.function(c"clGetPlatformInfo");
    if function.is_null() {
        return false;
    }
    // SAFETY: code of the driver, in the place of the function of this type.
    let function = unsafe { std::mem::transmute::<*const c_void, GetPlatformInfo>(function) };
    let (mut own, mut loaders) = ([0_u8; 256], [0_u8; 256]);
    let (size, name) = (own.len(), CL_PLATFORM_NAME);
    // SAFETY: a live platform and room of that size.
    let code = unsafe { function(platform, name, size, own.as_mut_ptr().cast(), null_mut()) };
    let asked = library.cl.clGetPlatformInfo(platform, name, size, loaders.as_mut_ptr().cast(), null_mut());
    code == CL_SUCCESS && asked.is_ok() && own == loaders
}

/// What lies where in this process.
struct Maps(Vec<Map>);

struct Map {
    range: Range<usize>,
    is_readable: bool,
    is_code: bool,
    /// Device, inode and path of the file.
    file: String,
}

impl Maps {
    /// As the system tells; empty where it does not.
    fn read() -> Self {
        let text = std::fs::read("/proc/self/maps").unwrap_or_default();
        Self(String::from_utf8_lossy(&text).lines().filter_map(Map::parse).collect())
    }

    /// The file that an address is code of.
    fn code(&self, address: *const c_void) -> Option<&str> {
        let map = self.0.iter().find(|map| map.range.contains(&address.addr()))?;
        (map.is_code && !map.file.is_empty()).then_some(map.file.as_str())
    }

    /// Whether all of a range may be read.
    fn is_readable(&self, range: Range<usize>) -> bool {
        let mut start = range.start;
        // Sorted by address.
        for map in self.0.iter().filter(|map| map.is_readable) {
            if map.range.contains(&start) {
                start = map.range.end;
            }
        }
        start >= range.end
    }
}

impl Map {
    /// "7f00-7f10 r-xp 00000000 fe:01 1234   /lib/libc.so.6".
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        let permissions = words.next()?;
        // Behind the offset.
        let file =
            words.skip(1).filter(|word| *word != "00:00" && *word != "0").collect::<Vec<_>>().join(" ");
        Some(Self {
            range: number(start)?..number(end)?,
            is_readable: permissions.starts_with('r'),
            is_code: permissions.contains('x'),
            file,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_ends_where_its_last_function_stands() {
        let slot = |name| ORDER.iter().position(|slot| *slot == name);
        assert_eq!(slot("clGetExtensionFunctionAddress"), Some(65));
        assert_eq!(slot("clSetEventCallback"), Some(slots((1, 0))));
        assert_eq!(slot("clCreateSubDevices"), Some(slots((1, 1))));
        assert_eq!(slot("clCreateCommandQueueWithProperties"), Some(slots((1, 2))));
        assert_eq!(slot("clCloneKernel"), Some(slots((2, 0))));
        assert_eq!(slot("clSetProgramReleaseCallback"), Some(slots((2, 1))));
        assert_eq!(slot("clCreateBufferWithProperties"), Some(slots((2, 2))));
        assert_eq!(slot("clSetContextDestructorCallback"), Some(slots((3, 0)) - 1));
    }

    #[test]
    fn functions_are_code_and_data_is_not() {
        let maps = Maps::read();
        assert!(maps.code(slots as *const c_void).is_some());
        let data = ORDER;
        assert_eq!(maps.code(data.as_ptr().cast()), None);
        let local = 0_usize;
        let start = (&raw const local).addr();
        assert!(maps.is_readable(start..start + size_of::<usize>()));
        assert!(!maps.is_readable(0..size_of::<usize>()));
    }

    #[test]
    fn a_line_of_the_map_is_read() {
        let map = Map::parse("7f00-7f10 r-xp 00002000 fe:01 1234      /opt/a b/lib.so");
        let map =
            map.as_ref().map(|map| (map.range.clone(), map.is_readable, map.is_code, map.file.as_str()));
        assert_eq!(map, Some((0x7f00..0x7f10, true, true, "fe:01 1234 /opt/a b/lib.so")));
    }
}
