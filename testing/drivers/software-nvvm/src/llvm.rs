//! Debian's LLVM 14, with its C interface. Later versions do not support typed pointers.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::{LazyLock, Mutex, PoisonError};

use sycl_pi_dynload::{DriverLibrary, FromDriver, driver_functions};

/// The reported release of libnvvm.
pub(crate) const VERSION: &str = "14.0.6";

/// An LLVM object, whose kind follows from the functions' names.
type Raw = *mut c_void;

driver_functions! {
    /// The required functions of LLVM.
    struct Llvm {
        unsafe fn LLVMInitializeX86TargetInfo() -> ();
        unsafe fn LLVMInitializeX86Target() -> ();
        unsafe fn LLVMInitializeX86TargetMC() -> ();
        unsafe fn LLVMInitializeX86AsmPrinter() -> ();
        unsafe fn LLVMGetTargetFromTriple(triple: *const c_char, target: *mut Raw, message: *mut *mut c_char) -> c_int;
        unsafe fn LLVMCreateTargetMachine(target: Raw, triple: *const c_char, cpu: *const c_char, features: *const c_char,
            level: c_uint, relocation: c_uint, model: c_uint) -> Raw;
        unsafe fn LLVMContextCreate() -> Raw;
        unsafe fn LLVMContextDispose(context: Raw) -> ();
        unsafe fn LLVMCreateMemoryBufferWithMemoryRangeCopy(data: *const c_char, size: usize, name: *const c_char) -> Raw;
        unsafe fn LLVMParseIRInContext(context: Raw, buffer: Raw, module: *mut Raw, message: *mut *mut c_char) -> c_int;
        unsafe fn LLVMVerifyModule(module: Raw, action: c_uint, message: *mut *mut c_char) -> c_int;
        unsafe fn LLVMCreatePassBuilderOptions() -> Raw;
        unsafe fn LLVMDisposePassBuilderOptions(options: Raw) -> ();
        unsafe fn LLVMRunPasses(module: Raw, passes: *const c_char, machine: Raw, options: Raw) -> Raw;
        unsafe fn LLVMGetErrorMessage(error: Raw) -> *mut c_char;
        unsafe fn LLVMTargetMachineEmitToMemoryBuffer(machine: Raw, module: Raw, kind: c_uint, message: *mut *mut c_char,
            buffer: *mut Raw) -> c_int;
        unsafe fn LLVMGetBufferStart(buffer: Raw) -> *mut c_char;
        unsafe fn LLVMGetBufferSize(buffer: Raw) -> usize;
        unsafe fn LLVMDisposeMemoryBuffer(buffer: Raw) -> ();
        unsafe fn LLVMDisposeModule(module: Raw) -> ();
    }
}

/// A function that LLVM lacks, because it is another version.
#[derive(Debug)]
struct Missing(&'static str);

impl From<Missing> for String {
    fn from(missing: Missing) -> Self {
        format!("LLVM has no {}", missing.0)
    }
}

macro_rules! answers_itself {
    ($($type:ty),*) => { $(
        impl FromDriver<Llvm> for $type {
            type Answer = Result<$type, Missing>;

            fn answer(_: &'static str, returned: Self) -> Self::Answer {
                Ok(returned)
            }

            fn missing(function: &'static str) -> Self::Answer {
                Err(Missing(function))
            }
        }
    )* };
}
answers_itself!((), c_int, usize, Raw, *mut c_char);

/// An open LLVM that is ready to generate code.
struct Opened {
    calls: Llvm,
    machines: [usize; 2],
    _library: DriverLibrary,
}

static OPENED: LazyLock<Result<Opened, String>> = LazyLock::new(open);

const TRIPLE: &CStr = c"x86_64-unknown-linux-gnu";
/// Includes AVX2, FMA and conversions of `half`, which all processors of the last ten years support.
const PROCESSOR: &CStr = c"x86-64-v3";

fn open() -> Result<Opened, String> {
    // SAFETY: a library that is meant to be opened.
    let library = unsafe { DriverLibrary::open_first(["libLLVM-14.so.1"]) }
        .map_err(|error| format!("{error}: install it (apt-get install libllvm14)"))?;
    // SAFETY: the rows have the types of LLVM's headers.
    let calls = unsafe { Llvm::resolve(|name| library.function(name)) };
    // SAFETY: functions that initialize a target, and strings.
    let machines = unsafe {
        calls.LLVMInitializeX86TargetInfo()?;
        calls.LLVMInitializeX86Target()?;
        calls.LLVMInitializeX86TargetMC()?;
        calls.LLVMInitializeX86AsmPrinter()?;
        let (mut target, mut message) = (null_mut(), null_mut());
        if calls.LLVMGetTargetFromTriple(TRIPLE.as_ptr(), &raw mut target, &raw mut message)? != 0 {
            return Err(text(message));
        }
        // Optimization levels 0 and 1, and position-independent code.
        let machine = |level| {
            calls.LLVMCreateTargetMachine(
                target,
                TRIPLE.as_ptr(),
                PROCESSOR.as_ptr(),
                c"".as_ptr(),
                level,
                2,
                0,
            )
        };
        [machine(0)?.expose_provenance(), machine(1)?.expose_provenance()]
    };
    Ok(Opened { calls, machines, _library: library })
}

/// Returns an LLVM message. There are few, so that they are never freed.
fn text(message: *mut c_char) -> String {
    if message.is_null() {
        return "LLVM gives no reason".to_owned();
    }
    // SAFETY: a NUL-terminated text.
    unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
}

/// Returns the object file for IR.
pub(crate) fn object(ir: &str, optimize: bool) -> Result<Vec<u8>, String> {
    // One machine generates code for one module at a time.
    static GENERATES: Mutex<()> = Mutex::new(());
    let _alone = GENERATES.lock().unwrap_or_else(PoisonError::into_inner);
    let opened = OPENED.as_ref().map_err(Clone::clone)?;
    let machine = std::ptr::with_exposed_provenance_mut(opened.machines[usize::from(optimize)]);
    // SAFETY: a context that only this call uses, and that owns everything in it.
    unsafe {
        let context = opened.calls.LLVMContextCreate()?;
        let object = object_in(&opened.calls, context, machine, ir, optimize);
        opened.calls.LLVMContextDispose(context)?;
        object
    }
}

unsafe fn object_in(
    calls: &Llvm,
    context: Raw,
    machine: Raw,
    ir: &str,
    optimize: bool,
) -> Result<Vec<u8>, String> {
    const RETURN_STATUS: c_uint = 2;
    const OBJECT_FILE: c_uint = 1;
    let (mut module, mut message, mut object) = (null_mut(), null_mut(), null_mut());
    // SAFETY: a live context and machine. The parser takes ownership of the buffer.
    unsafe {
        let buffer = calls.LLVMCreateMemoryBufferWithMemoryRangeCopy(
            ir.as_ptr().cast(),
            ir.len(),
            c"kernels".as_ptr(),
        )?;
        if calls.LLVMParseIRInContext(context, buffer, &raw mut module, &raw mut message)? != 0 {
            return Err(text(message));
        }
        if calls.LLVMVerifyModule(module, RETURN_STATUS, &raw mut message)? != 0 {
            let why = text(message);
            calls.LLVMDisposeModule(module)?;
            return Err(why);
        }
        let options = calls.LLVMCreatePassBuilderOptions()?;
        let passes = if optimize { c"default<O1>" } else { c"default<O0>" };
        let error = calls.LLVMRunPasses(module, passes.as_ptr(), machine, options)?;
        calls.LLVMDisposePassBuilderOptions(options)?;
        if !error.is_null() {
            return Err(text(calls.LLVMGetErrorMessage(error)?));
        }
        let failed = calls.LLVMTargetMachineEmitToMemoryBuffer(
            machine,
            module,
            OBJECT_FILE,
            &raw mut message,
            &raw mut object,
        )?;
        calls.LLVMDisposeModule(module)?;
        if failed != 0 {
            return Err(text(message));
        }
        let (start, size) = (calls.LLVMGetBufferStart(object)?, calls.LLVMGetBufferSize(object)?);
        let bytes = std::slice::from_raw_parts(start.cast::<u8>(), size).to_vec();
        calls.LLVMDisposeMemoryBuffer(object)?;
        Ok(bytes)
    }
}
