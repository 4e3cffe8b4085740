//! Modules and kernels: symbols of a shared object, which is the image.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use cudarc::driver::sys::*;

use crate::{Code, INVALID_HANDLE, INVALID_VALUE, NOT_FOUND};
use crate::{attributes, context, entries, faults, gpu, image, lock, memory, put, stream};

const LAUNCH_OUT_OF_RESOURCES: Code = 701;
/// The number of an attribute of devices.
const MAX_SHARED_MEMORY_PER_BLOCK: c_int = 8;

struct Module {
    library: usize,
    image: Vec<u8>,
    /// The maximum number of registers of a work-item, if the client set it.
    most_registers: Option<c_uint>,
    functions: Vec<&'static Function>,
    variables: Vec<usize>,
}

/// The work-item that is passed to an image's kernel.
#[repr(C)]
struct Item {
    group: [c_uint; 3],
    local: [c_uint; 3],
    groups: [c_uint; 3],
    size: [c_uint; 3],
    shared: *mut c_void,
    /// The number of work-groups in a cluster.
    cluster: [c_uint; 3],
}

type Kernel = unsafe extern "C" fn(*mut *mut c_void, *const Item) -> c_int;

/// The calling convention of a kernel.
#[derive(Clone, Copy)]
enum KernelCode {
    /// For each work-item.
    Item(Kernel),
    /// For each work-group.
    Group(Kernel),
    /// Called for each work-item, which queries its position and may wait for others. Created by the fake libnvvm.
    Waiting(unsafe extern "C" fn(*mut *mut c_void), *const gpu::Room),
}

// SAFETY: code and lists of images, which are never unloaded.
unsafe impl Send for KernelCode {}
// SAFETY: the same as above.
unsafe impl Sync for KernelCode {}

/// A kernel.
pub(crate) struct Function {
    name: CString,
    code: KernelCode,
    sizes: Vec<usize>,
    /// The size of the local memory that the kernel declares itself.
    local: c_uint,
    /// The registers of a work-item.
    registers: c_uint,
    /// Whether clusters may be larger than every device supports.
    large_clusters: AtomicBool,
    /// The most local memory in bytes that a launch may add: the default of the device until it is changed.
    most_added: AtomicUsize,
}

#[allow(clippy::vec_box, reason = "a module's address is its handle")]
static MODULES: Mutex<Vec<Box<Module>>> = Mutex::new(Vec::new());

impl Function {
    /// Returns the maximum number of work-items of a work-group. A device allocates registers for 4 warps in
    /// multiples of eight.
    fn most_work_items(&self) -> c_uint {
        (attributes::REGISTERS / (self.registers.next_multiple_of(8) * 128) * 128).min(1024)
    }
}

fn load(bytes: &[u8], most_registers: Option<c_uint>) -> Result<CUmodule, Code> {
    let library = image::open(bytes)?;
    let module = Box::new(Module {
        library: library.expose_provenance(),
        image: bytes.to_vec(),
        most_registers,
        functions: Vec::new(),
        variables: Vec::new(),
    });
    let raw = std::ptr::from_ref(&*module).cast_mut().cast();
    lock(&MODULES).push(module);
    faults::live(1);
    Ok(raw)
}

fn with<T>(raw: CUmodule, work: impl FnOnce(&mut Module) -> Result<T, Code>) -> Result<T, Code> {
    let mut modules = lock(&MODULES);
    let found = modules.iter_mut().find(|module| std::ptr::from_ref(&***module).cast_mut().cast() == raw);
    work(found.ok_or(INVALID_HANDLE)?)
}

impl Module {
    fn symbol(&self, name: &CStr) -> *mut c_void {
        // SAFETY: a loaded library and a NUL-terminated name.
        unsafe { libc::dlsym(std::ptr::with_exposed_provenance_mut(self.library), name.as_ptr()) }
    }

    fn with_suffix(&self, name: &CStr, suffix: &str) -> *mut c_void {
        let name = CString::new([name.to_bytes(), suffix.as_bytes()].concat()).unwrap_or_default();
        self.symbol(&name)
    }

    fn function(&mut self, name: &CStr) -> Result<CUfunction, Code> {
        let raw = |function: &Function| std::ptr::from_ref(function).cast_mut().cast();
        if let Some(known) = self.functions.iter().find(|function| function.name.as_c_str() == name) {
            return Ok(raw(known));
        }
        let sizes = self.with_suffix(name, "__sizes").cast::<c_uint>();
        let [items, group] = ["__items", "__group"].map(|suffix| self.with_suffix(name, suffix));
        let item = self.symbol(name);
        if sizes.is_null() || item.is_null() && group.is_null() {
            return Err(NOT_FOUND);
        }
        // SAFETY: kernels of the image, each with its ABI.
        let code = unsafe {
            if !items.is_null() {
                let kernel =
                    std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut *mut c_void)>(items);
                KernelCode::Waiting(kernel, self.symbol(c"local__rooms").cast())
            } else if !group.is_null() {
                KernelCode::Group(std::mem::transmute::<*mut c_void, Kernel>(group))
            } else {
                KernelCode::Item(std::mem::transmute::<*mut c_void, Kernel>(item))
            }
        };
        let sizes = (0..)
            .map(|index| {
                // SAFETY: a list of sizes that ends with 0.
                let size = unsafe { *sizes.add(index) };
                size as usize
            })
            .take_while(|size| *size > 0)
            .collect();
        // SAFETY: a number in the image, if it exists.
        let local = unsafe { self.with_suffix(name, "__local").cast::<c_uint>().as_ref() }.copied();
        // SAFETY: the same as above.
        let registers = unsafe { self.with_suffix(name, "__registers").cast::<c_uint>().as_ref() }.copied();
        let registers = registers.unwrap_or(32).min(self.most_registers.unwrap_or(c_uint::MAX));
        let function: &'static Function = Box::leak(Box::new(Function {
            name: name.to_owned(),
            code,
            sizes,
            local: local.unwrap_or(0),
            registers,
            large_clusters: AtomicBool::new(false),
            most_added: AtomicUsize::new(attributes::attribute(MAX_SHARED_MEMORY_PER_BLOCK) as usize),
        }));
        self.functions.push(function);
        Ok(raw(function))
    }

    /// Returns a variable's size from the image's symbol table.
    fn size_of_variable(&self, name: &CStr) -> Option<usize> {
        let word = |at: usize, size: usize| -> Option<usize> {
            let mut number = [0; 8];
            number[..size].copy_from_slice(self.image.get(at..at + size)?);
            Some(u64::from_le_bytes(number) as usize)
        };
        let (sections, entry, count) = (word(0x28, 8)?, word(0x3a, 2)?, word(0x3c, 2)?);
        const DYNSYM: usize = 11;
        const OBJECT: u8 = 1;
        let table =
            (0..count).map(|index| sections + index * entry).find(|at| word(at + 4, 4) == Some(DYNSYM))?;
        let strings = sections + word(table + 0x28, 4)? * entry;
        let (start, size, names) = (word(table + 0x18, 8)?, word(table + 0x20, 8)?, word(strings + 0x18, 8)?);
        (0..size / 24).map(|index| start + index * 24).find_map(|symbol| {
            let text = self.image.get(names + word(symbol, 4)?..)?;
            let variable = self.image.get(symbol + 4)? & 0xf == OBJECT;
            (variable && CStr::from_bytes_until_nul(text).ok()? == name).then(|| word(symbol + 16, 8))?
        })
    }
}

/// The sizes of a launch.
#[derive(Clone, Copy)]
struct Shape {
    groups: [c_uint; 3],
    size: [c_uint; 3],
    cluster: [c_uint; 3],
    shared: usize,
}

/// The maximum number of work-groups in each dimension, as reported by `attributes`.
const MOST_GROUPS: [c_uint; 3] = [c_int::MAX as c_uint, 65_535, 65_535];

/// The maximum number of work-items of a work-group in each dimension, as reported by `attributes`.
const MOST_WORK_ITEMS: [c_uint; 3] = [1024, 1024, 64];

/// Returns a launch without clusters as work that can run repeatedly. The arguments are copied now.
///
/// # Safety
///
/// `params` contains an address for each argument.
pub(crate) unsafe fn launch(
    raw: CUfunction,
    groups: [c_uint; 3],
    size: [c_uint; 3],
    shared: usize,
    params: *mut *mut c_void,
) -> Result<impl FnMut() + Send + 'static, Code> {
    // SAFETY: passed on.
    unsafe { launch_shape(raw, Shape { groups, size, cluster: [1; 3], shared }, params) }
}

/// Like [`launch`], with clusters.
///
/// # Safety
///
/// The same requirements as for [`launch`].
unsafe fn launch_shape(
    raw: CUfunction,
    shape: Shape,
    params: *mut *mut c_void,
) -> Result<impl FnMut() + Send + 'static, Code> {
    let Shape { groups, size, .. } = shape;
    // SAFETY: functions are never freed.
    let function: &'static Function = unsafe { raw.cast::<Function>().as_ref() }.ok_or(INVALID_HANDLE)?;
    let work_items = size.iter().product::<c_uint>();
    let within =
        |list: [c_uint; 3], most| list.iter().zip(most).all(|(count, most)| (1..=most).contains(count));
    if !within(groups, MOST_GROUPS) || !within(size, MOST_WORK_ITEMS) || work_items > 1024 {
        return Err(INVALID_VALUE);
    }
    if shape.shared > function.most_added.load(Ordering::Relaxed) {
        return Err(INVALID_VALUE);
    }
    if work_items > function.most_work_items() {
        return Err(LAUNCH_OUT_OF_RESOURCES);
    }
    let mut arguments: Vec<Argument> = Vec::new();
    for (index, size) in function.sizes.iter().enumerate() {
        // SAFETY: there is an address for each argument, valid for its size.
        let bytes = unsafe { std::slice::from_raw_parts((*params.add(index)).cast::<u8>(), *size) };
        arguments.push(Argument::new(bytes));
    }
    Ok(move || {
        let mut list: Vec<*mut c_void> = arguments.iter_mut().map(Argument::start).collect();
        // SAFETY: a kernel with its arguments.
        let result = unsafe { execute(function, shape, list.as_mut_ptr()) };
        if let Err(code) = result {
            faults::lose(code);
        }
    })
}

/// A copy of an argument, aligned as kernels may expect.
struct Argument(Vec<Aligned>);

#[derive(Clone, Copy)]
#[repr(C, align(128))]
struct Aligned([u8; 128]);

impl Argument {
    fn new(bytes: &[u8]) -> Self {
        let blocks = bytes.chunks(128).map(|part| {
            let mut block = Aligned([0; 128]);
            block.0[..part.len()].copy_from_slice(part);
            block
        });
        Self(blocks.collect())
    }

    fn start(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }
}

/// Runs a kernel over its grid.
///
/// # Safety
///
/// `list` contains the kernel's arguments.
unsafe fn execute(
    function: &Function,
    Shape { groups, size, cluster, shared }: Shape,
    list: *mut *mut c_void,
) -> Result<(), Code> {
    let (kernel, items) = match function.code {
        KernelCode::Item(kernel) => (kernel, size),
        KernelCode::Group(kernel) => (kernel, [1; 3]),
        KernelCode::Waiting(kernel, rooms) => {
            // SAFETY: guaranteed by the caller.
            return unsafe { gpu::run(gpu::Launch { kernel, arguments: list, groups, size, rooms }) };
        }
    };
    let all = |of: [c_uint; 3]| {
        (0..of[2]).flat_map(move |z| (0..of[1]).flat_map(move |y| (0..of[0]).map(move |x| [x, y, z])))
    };
    let mut room = vec![0_u64; shared.div_ceil(8) + 16];
    for group in all(groups) {
        for local in all(items) {
            let item = Item { group, local, groups, size, shared: room.as_mut_ptr().cast(), cluster };
            // SAFETY: a kernel with this ABI, its arguments, and a work-item.
            let result = unsafe { kernel(list, &item) };
            if result != 0 {
                return Err(result as Code);
            }
        }
    }
    Ok(())
}

/// Returns the cluster that the attributes of a launch request, if the driver supports it.
///
/// # Safety
///
/// The list of attributes has the length given in the configuration.
unsafe fn cluster_of(function: &Function, config: &CUlaunchConfig) -> Result<[c_uint; 3], Code> {
    const IGNORE: u32 = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_IGNORE as u32;
    const COOPERATIVE: u32 = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE as u32;
    const CLUSTER: u32 = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION as u32;
    const INVALID_CLUSTER_SIZE: Code = 912;
    const PORTABLE: c_uint = 8;
    const LARGEST: c_uint = 16;
    let (mut cluster, mut cooperative) = ([1; 3], 0);
    for index in 0..config.numAttrs as usize {
        // SAFETY: guaranteed by the caller. The number determines the member of the union.
        unsafe {
            let attribute = config.attrs.add(index).as_ref().ok_or(INVALID_VALUE)?;
            match attribute.id as u32 {
                IGNORE => {}
                COOPERATIVE => cooperative = attribute.value.cooperative as u64,
                CLUSTER => {
                    let size = attribute.value.clusterDim;
                    cluster = [size.x, size.y, size.z];
                }
                _ => return Err(INVALID_VALUE),
            }
        }
    }
    faults::note("cuLaunchKernelEx", cooperative << 32 | u64::from(config.sharedMemBytes));
    let groups = [config.gridDimX, config.gridDimY, config.gridDimZ];
    let divides = groups.iter().zip(cluster).all(|(groups, size)| size > 0 && groups.is_multiple_of(size));
    let most = if function.large_clusters.load(Ordering::Relaxed) { LARGEST } else { PORTABLE };
    let fits = cluster.into_iter().try_fold(1, c_uint::checked_mul).is_some_and(|all| all <= most);
    if divides && fits { Ok(cluster) } else { Err(INVALID_CLUSTER_SIZE) }
}

entries! {
    cuModuleLoadData(module: *mut CUmodule, image: *const c_void) {
        context::current()?;
        put(module, load(&image::bytes_of(image.cast())?, None)?)
    };
    cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, count: c_uint, options: *mut c_uint,
        values: *mut *mut c_void) {
        context::current()?;
        const MAX_REGISTERS: c_uint = 0;
        let limit = (0..count as usize).find(|index| *options.add(*index) == MAX_REGISTERS);
        let limit = limit.map(|index| (*values.add(index)).addr() as c_uint);
        let result = image::bytes_of(image.cast()).and_then(|bytes| load(&bytes, limit));
        for index in 0..count as usize {
            // The sizes of the two logs, to which nothing was written.
            if [4, 6].contains(&*options.add(index)) {
                *values.add(index) = std::ptr::null_mut();
            }
        }
        put(module, result?)
    };
    cuModuleUnload(module: CUmodule) {
        stream::finish_all();
        with(module, |module| {
            module.variables.drain(..).for_each(memory::remove_variable);
            Ok(())
        })?;
        lock(&MODULES).retain(|other| std::ptr::from_ref(&**other).cast_mut().cast() != module);
        faults::live(-1);
        Ok(())
    };
    cuModuleGetFunction(out: *mut CUfunction, module: CUmodule, name: *const c_char)
        put(out, with(module, |module| module.function(CStr::from_ptr(name)))?);
    cuModuleGetGlobal_v2(address: *mut CUdeviceptr, size: *mut usize, module: CUmodule, name: *const c_char) {
        let device = context::current()?.device;
        let name = CStr::from_ptr(name);
        let (start, bytes) = with(module, |module| {
            let start = module.symbol(name).expose_provenance();
            let bytes = module.size_of_variable(name).filter(|_| start != 0).ok_or(NOT_FOUND)?;
            module.variables.push(start);
            Ok((start, bytes))
        })?;
        memory::add_variable(start, bytes, device);
        put(address, start as u64)?;
        put(size, bytes)
    };
    cuFuncGetAttribute(value: *mut c_int, attribute: c_uint, function: CUfunction) {
        let function = function.cast::<Function>().as_ref().ok_or(INVALID_HANDLE)?;
        put(value, match attribute {
            0 => function.most_work_items() as c_int,
            1 => function.local as c_int,
            // Memory of its own that does not fit into registers.
            3 => 24,
            4 => function.registers as c_int,
            _ => 0,
        })
    };
    cuFuncSetAttribute(function: CUfunction, attribute: c_uint, value: c_int) {
        const MAX_DYNAMIC_SHARED_SIZE_BYTES: c_uint = 8;
        const NON_PORTABLE_CLUSTER_SIZE_ALLOWED: c_uint = 14;
        let function = function.cast::<Function>().as_ref().ok_or(INVALID_HANDLE)?;
        match attribute {
            MAX_DYNAMIC_SHARED_SIZE_BYTES => function.most_added.store(value as usize, Ordering::Relaxed),
            NON_PORTABLE_CLUSTER_SIZE_ALLOWED => function.large_clusters.store(value != 0, Ordering::Relaxed),
            _ => {}
        }
        Ok(())
    };
    cuFuncSetCacheConfig(_function: CUfunction, config: c_uint) {
        faults::note("cuFuncSetCacheConfig", config.into());
        Ok(())
    };
    cuFuncGetParamInfo(function: CUfunction, index: usize, offset: *mut usize, size: *mut usize) {
        let function = function.cast::<Function>().as_ref().ok_or(INVALID_HANDLE)?;
        put(size, *function.sizes.get(index).ok_or(INVALID_VALUE)?)?;
        put(offset, 16 * index)
    };
    cuOccupancyMaxPotentialBlockSize(grid: *mut c_int, block: *mut c_int, function: CUfunction,
        _shared: *const c_void, _bytes: usize, _limit: c_int) {
        let function = function.cast::<Function>().as_ref().ok_or(INVALID_HANDLE)?;
        put(grid, 264)?;
        put(block, function.most_work_items() as c_int)
    };
    cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks: *mut c_int, function: CUfunction, block: c_int,
        shared: usize) {
        let function = function.cast::<Function>().as_ref().ok_or(INVALID_HANDLE)?;
        // Like NVIDIA's driver: none with more local memory than a launch may currently have.
        let most = if shared > function.most_added.load(Ordering::Relaxed) { 0 } else { 233_472 };
        put(blocks, (2048 / block.max(1)).min((most / shared.saturating_add(1024)) as c_int))
    };
    cuLaunchKernel(function: CUfunction, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint,
        shared: c_uint, stream: CUstream, params: *mut *mut c_void, _extra: *mut *mut c_void) {
        stream::push(stream, Box::new(launch(function, [gx, gy, gz], [bx, by, bz], shared as usize, params)?))
    };
    cuLaunchCooperativeKernel(function: CUfunction, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint,
        bz: c_uint, shared: c_uint, stream: CUstream, params: *mut *mut c_void) {
        stream::push(stream, Box::new(launch(function, [gx, gy, gz], [bx, by, bz], shared as usize, params)?))
    };
    cuLaunchKernelEx(config: *const CUlaunchConfig, function: CUfunction, params: *mut *mut c_void,
        _extra: *mut *mut c_void) {
        let config = config.as_ref().ok_or(INVALID_VALUE)?;
        let kernel = function.cast::<Function>().as_ref().ok_or(INVALID_HANDLE)?;
        let shape = Shape {
            groups: [config.gridDimX, config.gridDimY, config.gridDimZ],
            size: [config.blockDimX, config.blockDimY, config.blockDimZ],
            cluster: cluster_of(kernel, config)?,
            shared: config.sharedMemBytes as usize,
        };
        stream::push(config.hStream, Box::new(launch_shape(function, shape, params)?))
    };
    cuLinkCreate_v2(count: c_uint, options: *mut c_uint, values: *mut *mut c_void, state: *mut CUlinkState) {
        faults::live(1);
        const INFO_LOG: c_uint = 3;
        if let Some(index) = (0..count as usize).find(|index| *options.add(*index) == INFO_LOG) {
            let (log, text) = ((*values.add(index)).cast::<u8>(), c"one image is linked".to_bytes_with_nul());
            log.copy_from_nonoverlapping(text.as_ptr(), text.len());
        }
        put(state, Box::into_raw(Box::new(Vec::<u8>::new())).cast())
    };
    cuLinkAddData_v2(state: CUlinkState, _kind: c_uint, data: *mut c_void, size: usize, _name: *const c_char,
        _count: c_uint, _options: *mut c_uint, _values: *mut *mut c_void) {
        let image = state.cast::<Vec<u8>>().as_mut().ok_or(INVALID_HANDLE)?;
        if !image.is_empty() {
            return Err(801);
        }
        image.extend_from_slice(&image::linked(std::slice::from_raw_parts(data.cast(), size)));
        Ok(())
    };
    cuLinkComplete(state: CUlinkState, cubin: *mut *mut c_void, size: *mut usize) {
        let image = state.cast::<Vec<u8>>().as_mut().ok_or(INVALID_HANDLE)?;
        put(cubin, image.as_mut_ptr().cast())?;
        put(size, image.len())
    };
    cuLinkDestroy(state: CUlinkState) {
        drop(Box::from_raw(state.cast::<Vec<u8>>()));
        faults::live(-1);
        Ok(())
    };
}
