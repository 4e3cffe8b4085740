//! The timed functions of the driver, called directly.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use testing_cuda::fixture;

pub(crate) type Handle = *mut c_void;

macro_rules! driver {
    ($($name:ident($($ty:ty),*);)*) => {
        /// The timed functions of the driver.
        #[allow(non_snake_case)]
        pub(crate) struct Driver {
            library: Library,
            $(pub(crate) $name: unsafe extern "C" fn($($ty),*) -> c_uint,)*
        }

        impl Driver {
            pub(crate) fn open() -> Self {
                // SAFETY: a CUDA driver may be loaded into any process, from any thread.
                let library = unsafe { Library::open(Some("libcuda.so.1"), RTLD_NOW | RTLD_LOCAL) }.unwrap();
                // SAFETY: `driver!` lists each function with its signature, and the library is stored with them.
                Self { $($name: *unsafe { library.get(concat!(stringify!($name), "\0")) }.unwrap(),)* library }
            }

            /// Returns a function that not every driver has.
            pub(crate) fn find<F: Copy>(&self, name: &CStr) -> Option<F> {
                // SAFETY: callers pass the function's own signature, and the library is never closed.
                unsafe { self.library.get::<F>(name.to_bytes_with_nul()) }.ok().map(|symbol| *symbol)
            }
        }
    };
}

driver! {
    cuInit(c_uint);
    cuCtxSetCurrent(Handle);
    cuStreamCreate(*mut Handle, c_uint);
    cuStreamSynchronize(Handle);
    cuModuleLoadData(*mut Handle, *const c_void);
    cuModuleGetFunction(*mut Handle, Handle, *const c_char);
    cuModuleGetGlobal_v2(*mut u64, *mut usize, Handle, *const c_char);
    cuLaunchKernel(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut Handle, *mut Handle);
    cuMemcpyAsync(u64, u64, usize, Handle);
    cuEventCreate(*mut Handle, c_uint);
    cuEventRecord(Handle, Handle);
    cuEventDestroy_v2(Handle);
    cuCtxGetCurrent(*mut Handle);
    cuDriverGetVersion(*mut c_int);
}

impl Driver {
    /// Returns the version, such as 13000 for CUDA 13.0.
    pub(crate) fn version(&self) -> c_int {
        let mut version = 0;
        cu!(self.cuDriverGetVersion(&mut version));
        version
    }

    /// Returns a function of a module.
    pub(crate) fn function(&self, module: Handle, name: &CStr) -> Handle {
        let mut function = null_mut();
        cu!(self.cuModuleGetFunction(&mut function, module, name.as_ptr()));
        function
    }
}

/// The objects of the driver's side, in the same context as the other side.
pub(crate) struct Own {
    pub(crate) stream: Handle,
    /// The tests' kernels.
    pub(crate) module: Handle,
    /// The address of their variable of 64 bytes.
    pub(crate) variable: u64,
}

impl Own {
    /// Creates the objects in a context, which becomes this thread's.
    pub(crate) fn new(driver: &Driver, context: Handle) -> Self {
        let (mut stream, mut module) = (null_mut(), null_mut());
        cu!(driver.cuCtxSetCurrent(context));
        cu!(driver.cuStreamCreate(&mut stream, 1));
        let image = CString::new(fixture::image("kernels"));
        let bytes = fixture::image("kernels");
        let start = image.as_ref().map_or(bytes.as_ptr().cast(), |text| text.as_ptr().cast());
        cu!(driver.cuModuleLoadData(&mut module, start));
        let (mut variable, mut size) = (0, 0);
        cu!(driver.cuModuleGetGlobal_v2(&mut variable, &mut size, module, c"table".as_ptr()));
        Self { stream, module, variable }
    }
}
