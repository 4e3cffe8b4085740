//! Programs: built from SPIR-V, linked, saved and loaded.

use std::ffi::{CString, c_void};

use opencl_sys::*;

use super::runtime::{Runtime, runtime};

/// A SPIR-V module with its build parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Input {
    pub(crate) spirv: Vec<u8>,
    /// Options that OpenCL supports.
    pub(crate) options: String,
    /// Specialization constants: ids and values.
    pub(crate) constants: Vec<(u32, Vec<u8>)>,
}

/// A built program.
pub(crate) struct Program(cl_program);

// SAFETY: OpenCL programs may be used from any thread.
unsafe impl Send for Program {}
// SAFETY: the same as above.
unsafe impl Sync for Program {}

impl Drop for Program {
    fn drop(&mut self) {
        if let Ok(runtime) = runtime() {
            runtime.functions.clReleaseProgram(self.0);
        }
    }
}

impl Program {
    /// Builds one module, or compiles and links several. Returns the log on failure.
    pub(crate) fn build(inputs: &[Input]) -> Result<Self, String> {
        let runtime = runtime()?;
        if let [input] = inputs {
            let program = Self::create(runtime, input)?;
            let options = CString::new(input.options.as_str()).unwrap_or_default();
            let code = runtime.functions.clBuildProgram(
                program.0,
                1,
                &runtime.device,
                options.as_ptr(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            );
            return if code == CL_SUCCESS { Ok(program) } else { Err(program.log(runtime, code)) };
        }
        let compiled: Vec<Self> =
            inputs.iter().map(|input| Self::compile(runtime, input)).collect::<Result<_, _>>()?;
        let programs: Vec<cl_program> = compiled.iter().map(|program| program.0).collect();
        let mut code = 0;
        let linked = runtime.functions.clLinkProgram(
            runtime.context,
            1,
            &runtime.device,
            std::ptr::null(),
            programs.len() as u32,
            programs.as_ptr(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            &mut code,
        );
        if linked.is_null() {
            return Err(format!("clLinkProgram answered {code}"));
        }
        let linked = Self(linked);
        if code == CL_SUCCESS { Ok(linked) } else { Err(linked.log(runtime, code)) }
    }

    fn create(runtime: &Runtime, input: &Input) -> Result<Self, String> {
        let mut code = 0;
        let program = runtime.functions.clCreateProgramWithIL(
            runtime.context,
            input.spirv.as_ptr().cast(),
            input.spirv.len(),
            &mut code,
        );
        if code != CL_SUCCESS {
            return Err(format!("error: the module is not SPIR-V that this device takes ({code})"));
        }
        let program = Self(program);
        for (id, value) in &input.constants {
            let code = runtime.functions.clSetProgramSpecializationConstant(
                program.0,
                *id,
                value.len(),
                value.as_ptr().cast(),
            );
            if code != CL_SUCCESS {
                return Err(format!("error: specialization constant {id} was refused ({code})"));
            }
        }
        Ok(program)
    }

    fn compile(runtime: &Runtime, input: &Input) -> Result<Self, String> {
        let program = Self::create(runtime, input)?;
        let options = CString::new(input.options.as_str()).unwrap_or_default();
        let code = runtime.functions.clCompileProgram(
            program.0,
            1,
            &runtime.device,
            options.as_ptr(),
            0,
            std::ptr::null(),
            std::ptr::null(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        );
        if code == CL_SUCCESS { Ok(program) } else { Err(program.log(runtime, code)) }
    }

    /// Loads the result of `binary`.
    pub(crate) fn load(binary: &[u8]) -> Result<Self, String> {
        let runtime = runtime()?;
        let (size, bytes) = (binary.len(), binary.as_ptr());
        let (mut status, mut code) = (0, 0);
        let program = runtime.functions.clCreateProgramWithBinary(
            runtime.context,
            1,
            &runtime.device,
            &size,
            &bytes,
            &mut status,
            &mut code,
        );
        if code != CL_SUCCESS {
            return Err(format!("error: the binary was refused ({code})"));
        }
        let program = Self(program);
        let code = runtime.functions.clBuildProgram(
            program.0,
            1,
            &runtime.device,
            c"".as_ptr(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        );
        if code == CL_SUCCESS { Ok(program) } else { Err(program.log(runtime, code)) }
    }

    /// Returns the program's binary, or nothing if the runtime does not provide it.
    pub(crate) fn binary(&self) -> Vec<u8> {
        let Ok(runtime) = runtime() else { return Vec::new() };
        let mut size = 0_usize;
        runtime.functions.clGetProgramInfo(
            self.0,
            CL_PROGRAM_BINARY_SIZES,
            8,
            (&raw mut size).cast(),
            std::ptr::null_mut(),
        );
        let mut bytes = vec![0_u8; size];
        let mut place = bytes.as_mut_ptr();
        let code = runtime.functions.clGetProgramInfo(
            self.0,
            CL_PROGRAM_BINARIES,
            8,
            (&raw mut place).cast(),
            std::ptr::null_mut(),
        );
        if code == CL_SUCCESS { bytes } else { Vec::new() }
    }

    /// Returns the address and size of a variable at file scope.
    pub(crate) fn global(&self, name: &str) -> Option<(*mut c_void, usize)> {
        let runtime = runtime().ok()?;
        let name = CString::new(name).ok()?;
        let (mut size, mut address) = (0, std::ptr::null_mut());
        let find = runtime.global_pointer?;
        // SAFETY: a built program of this device, a string, two places.
        let code = unsafe { find(runtime.device, self.0, name.as_ptr(), &mut size, &mut address) };
        (code == CL_SUCCESS && !address.is_null()).then_some((address, size))
    }

    /// Returns the address of a kernel. Other names crash some runtimes, so that the caller has to know that it is
    /// one.
    pub(crate) fn kernel_address(&self, name: &str) -> Option<*mut c_void> {
        let runtime = runtime().ok()?;
        let name = CString::new(name).ok()?;
        let mut address = 0_u64;
        let find = runtime.function_pointer?;
        // SAFETY: a built program of this device, a string, a place.
        let code = unsafe { find(runtime.device, self.0, name.as_ptr(), &mut address) };
        (code == CL_SUCCESS).then_some(std::ptr::without_provenance_mut(address as usize))
    }

    /// Returns the OpenCL object.
    pub(super) fn raw(&self) -> cl_program {
        self.0
    }

    fn log(&self, runtime: &Runtime, code: cl_int) -> String {
        let mut size = 0;
        let log = CL_PROGRAM_BUILD_LOG;
        let functions = &runtime.functions;
        functions.clGetProgramBuildInfo(self.0, runtime.device, log, 0, std::ptr::null_mut(), &mut size);
        let mut bytes = vec![0_u8; size];
        functions.clGetProgramBuildInfo(
            self.0,
            runtime.device,
            log,
            size,
            bytes.as_mut_ptr().cast(),
            &mut size,
        );
        let text = String::from_utf8_lossy(&bytes);
        format!("error: build answered {code}\n{}", text.trim_end_matches('\0'))
    }
}
