//! Device code: SPIR-V if the driver supports it, otherwise OpenCL C, and its programs and kernels.

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

use libloading::os::unix::Library;
use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use super::{Env, Owned, Property};
use crate::outcome::{Failure, Verdict, code_name};
use crate::skip;

/// A module in all its forms.
pub(crate) struct Module {
    /// SPIR-V.
    pub(crate) spirv: &'static [u8],
    /// OpenCL C.
    pub(crate) source: Option<&'static str>,
    /// PTX, with a NUL at its end.
    pub(crate) ptx: Option<&'static [u8]>,
    /// A shared object for the software CUDA driver.
    pub(crate) host: &'static [u8],
    /// A kernel with a required work-group size, which is stored next to the code in images for CUDA.
    required: Option<(&'static CStr, [u32; 3])>,
}

macro_rules! modules {
    ($($(#[$doc:meta])* $name:ident $file:literal $(+ $source:literal)? $(, ptx $ptx:literal)? $(, host $host:literal)?
        $(, requires $kernel:literal $size:expr)?;)*) => { $(
        $(#[$doc])*
        pub(crate) const $name: Module = Module {
            spirv: include_bytes!(concat!("../../../", $file, ".spv")),
            source: modules!(@source $($source)?),
            ptx: modules!(@ptx $($ptx)?),
            host: modules!(@host $($host)?),
            required: modules!(@required $($kernel $size)?),
        };
    )* };
    (@source $source:literal) => { Some(include_str!(concat!("../../../kernels/", $source))) };
    (@source) => { None };
    (@ptx $ptx:literal) => {
        Some(concat!(include_str!(concat!("../../../kernels/cuda/", $ptx)), "\0").as_bytes())
    };
    (@ptx) => { None };
    (@host $host:literal) => { include_bytes!(concat!(env!("OUT_DIR"), "/", $host)) };
    (@host) => { &[] };
    (@required $kernel:literal $size:expr) => { Some(($kernel, $size)) };
    (@required) => { None };
}

modules! {
    /// The kernels that most cases launch.
    BASIC "kernels/basic" + "basic.cl", ptx "basic.ptx", host "basic.so", requires c"fixed_size" [4, 2, 1];
    /// A kernel that calls a function of another module.
    CALLS "kernels/calls" + "calls.cl", ptx "calls.ptx";
    /// The called function.
    CALLEE "kernels/callee" + "callee.cl", ptx "callee.ptx";
    /// Specialization constants of every size.
    SPEC_SCALAR "../lib/image/tests/images/spec_scalar";
    /// A device global within the image.
    DG_SCOPE "../lib/image/tests/images/dg_scope", ptx "globals.ptx", host "globals.so";
    /// Device globals with initial values.
    DG_INIT "../lib/image/tests/images/dg_init", ptx "globals.ptx", host "globals.so";
}

impl Module {
    fn has_globals(&self) -> bool {
        [DG_SCOPE.spirv, DG_INIT.spirv].contains(&self.spirv)
    }
}

/// The form of device code for a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceCode {
    /// Through `piProgramCreate`.
    SpirV,
    /// Through `piclProgramCreateWithSource`.
    OpenClC,
    /// PTX, through `piProgramCreateWithBinary`.
    Ptx,
    /// A shared object of this machine for the software CUDA driver, through `piProgramCreateWithBinary`.
    Host,
}

/// The device of the software CUDA driver.
const SOFTWARE: &str = "Software GPU";

type CreateWithSource = unsafe extern "C" fn(
    pi_context,
    pi_uint32,
    *const *const c_char,
    *const usize,
    *mut pi_program,
) -> pi_result;

impl DeviceCode {
    /// Returns the form that the device supports, preferring SPIR-V to source.
    pub(crate) fn of(env: &Env) -> Verdict<Self> {
        match env.backend {
            Backend::Cuda if env.device_text(PI_DEVICE_INFO_NAME)? == SOFTWARE => Ok(DeviceCode::Host),
            Backend::Cuda => Ok(DeviceCode::Ptx),
            _ if env.takes_spirv() => Ok(DeviceCode::SpirV),
            Backend::OpenCl if env.source_call().is_some() => Ok(DeviceCode::OpenClC),
            _ => Err(Failure::skip(skip::NO_DEVICE_CODE)),
        }
    }
}

impl Env {
    /// Returns the call that accepts source: from the table, or the exported function of later plugins.
    fn source_call(&self) -> Option<CreateWithSource> {
        if let Some(function) = self.pi.piclProgramCreateWithSource {
            return Some(function);
        }
        // SAFETY: the library is already loaded, so that this finds it again.
        let library = unsafe { Library::new(&self.path) }.ok()?;
        // SAFETY: the symbol has this signature in every plugin that has it.
        let function = unsafe { library.get::<CreateWithSource>(b"piclProgramCreateWithSource\0") };
        let function = function.ok().map(|symbol| *symbol);
        std::mem::forget(library);
        function
    }

    /// Creates a program from a module in the process's context, without building it.
    pub(crate) fn create(&self, module: &Module) -> Verdict<Owned<'_, pi_program>> {
        self.create_in(self.context()?, module)
    }

    /// Creates a program from a module, without building it.
    pub(crate) fn create_in(&self, context: pi_context, module: &Module) -> Verdict<Owned<'_, pi_program>> {
        match (DeviceCode::of(self)?, module.source) {
            (DeviceCode::SpirV, _) => {
                let (start, length) = (module.spirv.as_ptr().cast(), module.spirv.len());
                let mut program = null_mut();
                match call!(self, piProgramCreate(context, start, length, &mut program)) {
                    // A driver that cannot have the variables gets no program with them.
                    Err(error)
                        if module.has_globals() && error.code() == Some(PI_ERROR_BUILD_PROGRAM_FAILURE) =>
                    {
                        Err(Failure::skip(skip::NO_GLOBALS))
                    }
                    created => created.map(|()| self.own_program(program)).map_err(Failure::from),
                }
            }
            (DeviceCode::OpenClC, Some(source)) => self.source_in(context, source),
            (DeviceCode::OpenClC, None) => Err(Failure::skip(skip::NO_SPIRV)),
            (DeviceCode::Ptx | DeviceCode::Host, _) => {
                let image = self.cuda_image(module)?;
                match module.required {
                    Some((kernel, size)) => {
                        let mut property = Property::required_size(kernel, &size);
                        self.of_image(context, image, &[property.raw()])
                    }
                    None => self.of_image(context, image, &[]),
                }
            }
        }
    }

    /// Returns the image of a module for CUDA.
    pub(crate) fn cuda_image(&self, module: &Module) -> Verdict<&'static [u8]> {
        match (DeviceCode::of(self)?, module.ptx) {
            (DeviceCode::Host, _) if !module.host.is_empty() => Ok(module.host),
            (DeviceCode::Host, _) => Err(Failure::skip(skip::NO_PTX)),
            (_, Some(ptx)) => Ok(ptx),
            (_, None) => Err(Failure::skip(skip::NO_SPIRV)),
        }
    }

    /// Creates a program from one image for the device, with the image's properties.
    pub(crate) fn of_image(
        &self,
        context: pi_context,
        image: &[u8],
        properties: &[pi_device_binary_property],
    ) -> Verdict<Owned<'_, pi_program>> {
        let (length, start, count) = (image.len(), image.as_ptr(), properties.len());
        let list = if properties.is_empty() { null() } else { properties.as_ptr() };
        let mut status = -77;
        let program = made!(self, |out| piProgramCreateWithBinary(
            context,
            1,
            &self.device,
            &length,
            &start,
            count,
            list,
            &mut status,
            out
        ));
        Ok(self.own_program(program))
    }

    /// Creates a program from OpenCL C.
    pub(crate) fn source_in(&self, context: pi_context, source: &str) -> Verdict<Owned<'_, pi_program>> {
        let function = self.source_call().ok_or_else(|| Failure::skip(skip::NO_DEVICE_CODE))?;
        let source = CString::new(source).map_err(|error| Failure::fail("", "source without NUL", error))?;
        let (strings, mut program) = ([source.as_ptr()], null_mut());
        // SAFETY: one NUL-terminated string, and a valid output pointer.
        let code = unsafe { function(context, 1, strings.as_ptr(), null(), &mut program) };
        if code != PI_SUCCESS {
            return Err(Failure::fail("piclProgramCreateWithSource", "PI_SUCCESS", code_name(code)));
        }
        Ok(self.own_program(program))
    }

    /// Builds a program for the device.
    pub(crate) fn build(&self, program: pi_program, options: &CStr) -> Verdict {
        let built = call!(self, piProgramBuild(program, 1, &self.device, options.as_ptr(), None, null_mut()));
        built.map_err(|error| match (Failure::from(error), self.log(program)) {
            (Failure::Fail(mut fail), Ok(log)) => {
                fail.text = Some(format!("{}; log: {log}", fail.text.unwrap_or_default()));
                Failure::Fail(fail)
            }
            (wrong, _) => wrong,
        })
    }

    /// Returns a built program of a module.
    pub(crate) fn built(&self, module: &Module) -> Verdict<Owned<'_, pi_program>> {
        let program = self.create(module)?;
        self.build(*program, c"")?;
        Ok(program)
    }

    /// Returns the build log of a program on the device.
    pub(crate) fn log(&self, program: pi_program) -> Verdict<String> {
        let log = bytes!(self, piProgramGetBuildInfo(program, self.device, PI_PROGRAM_BUILD_INFO_LOG));
        Ok(String::from_utf8_lossy(&log).trim_end_matches('\0').trim().to_owned())
    }

    /// Returns the binary of a built program for the device.
    pub(crate) fn binary(&self, program: pi_program) -> Verdict<Vec<u8>> {
        let size = get!(self, piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES) as usize);
        let mut binary = vec![0_u8; size];
        let mut places = [binary.as_mut_ptr()];
        let (room, place) = (size_of_val(&places), places.as_mut_ptr().cast());
        ok!(self, piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, room, place, null_mut()));
        Ok(binary)
    }

    /// Creates a program from a binary for the device.
    pub(crate) fn of_binary(&self, binary: &[u8]) -> Verdict<Owned<'_, pi_program>> {
        self.of_image(self.context()?, binary, &[])
    }

    /// Creates a kernel of the process's program.
    pub(crate) fn kernel(&self, name: &CStr) -> Verdict<Owned<'_, pi_kernel>> {
        self.kernel_of(self.program()?, name)
    }

    /// Creates a kernel of a built program.
    pub(crate) fn kernel_of(&self, program: pi_program, name: &CStr) -> Verdict<Owned<'_, pi_kernel>> {
        Ok(self.own_kernel(made!(self, |out| piKernelCreate(program, name.as_ptr(), out))))
    }

    /// Sets an argument by value.
    pub(crate) fn set_arg<T: Copy>(&self, kernel: pi_kernel, index: u32, value: T) -> Verdict {
        ok!(self, piKernelSetArg(kernel, index, size_of::<T>(), (&raw const value).cast()));
        Ok(())
    }

    /// Sets an argument to a buffer, in the version's signature.
    pub(crate) fn set_mem(&self, kernel: pi_kernel, index: u32, mem: pi_mem) -> Verdict {
        if self.pi.piextKernelSetArgMemObj_until_12_27.is_some() {
            ok!(self, piextKernelSetArgMemObj_until_12_27(kernel, index, &mem));
        } else {
            ok!(self, piextKernelSetArgMemObj(kernel, index, null(), &mem));
        }
        Ok(())
    }

    /// Sets an argument to an address.
    pub(crate) fn set_pointer<T>(&self, kernel: pi_kernel, index: u32, pointer: *const T) -> Verdict {
        let place = &raw const pointer;
        ok!(self, piextKernelSetArgPointer(kernel, index, size_of::<*const T>(), place.cast()));
        Ok(())
    }

    /// Launches in one dimension without waiting.
    pub(crate) fn launch_on(&self, queue: pi_queue, kernel: pi_kernel, global: usize) -> Verdict<pi_event> {
        Ok(made!(self, |out| piEnqueueKernelLaunch(queue, kernel, 1, &0, &global, null(), 0, null(), out)))
    }

    /// Launches in one dimension on the process's queue and waits.
    pub(crate) fn launch(&self, kernel: pi_kernel, global: usize) -> Verdict {
        let event = self.launch_on(self.queue()?, kernel, global)?;
        self.wait(event)
    }

    /// Creates a kernel that runs for a while. `data` contains two ints: the number of runs so far and scratch.
    pub(crate) fn busy(&self, data: pi_mem, rounds: i32) -> Verdict<Owned<'_, pi_kernel>> {
        let kernel = self.kernel(c"slow")?;
        self.set_mem(*kernel, 0, data)?;
        self.set_arg(*kernel, 1, rounds)?;
        Ok(kernel)
    }
}
